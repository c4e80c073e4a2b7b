# SPDX-License-Identifier: Apache-2.0
"""The groups of a case, their attributes the keys of the key table: what is written and expected.

Generated; to change it, change the table in cases/case/schema/keys_*.cpp, then
python -m lbm.generate_case_classes python/lbm
"""

import typing
from collections.abc import Sequence
from dataclasses import dataclass

from lbm._groups import (
    Group, Number, Numbers, PathLike, Resets, Rows, Takes, Whole, Wholes, unless_given,
)


@dataclass(kw_only=True, repr=False)
class Output(Group, path="output"):
    """Files and times of output. At each output time, density and velocity of every cell are
    written."""

    directory: Takes[str | None, PathLike] = unless_given(None)
    """Directory of the results, relative to the working directory; `lbm run --out` overrides it.
    Text, 1 to 1000 characters; default: out/<name>."""
    times: Takes[list[float], Numbers] = unless_given([])
    """Write density and velocity at these times, none of them after the end of the run. In
    convective times; in s with `units: si`. List of numbers, > 0; default: []."""
    every_steps: Takes[int | None, Whole] = unless_given(None)
    """Also write density and velocity at this interval of steps. Whole number, from 1 to
    1000000000000000; default: never."""
    at_end: Resets[bool] = unless_given(True)
    """Also write density and velocity at the end. Switch; default: true."""
    on_error: Resets[typing.Literal["stop", "continue"]] = unless_given("stop")
    """If field files cannot be written: `stop` ends the run with exit code 4; `continue` warns
    and drops that output. Word; default: stop."""
    profiles: Resets[bool] = unless_given(True)
    """Write velocity profiles along the centre lines (CSV) at the end. Switch; default: true."""
    forces: Takes[int, Whole] = unless_given(1)
    """Write the forces on bodies at this interval of steps (only with bodies). Whole number,
    from 1 to 1000000000000000; default: 1."""
    monitor: Takes[int | None, Whole] = unless_given(None)
    """Write a monitor sample at this interval of steps: mass, kinetic energy, extremes of
    density and speed. Whole number, from 1 to 1000000000000000; default: never."""


@dataclass(kw_only=True, repr=False)
class FieldOutput(Group, path="outputs.NAME"):
    """Files with fields of a part of the grid at some steps."""

    fields: Takes[list[typing.Literal[
        "density", "pressure", "velocity", "vorticity", "q_criterion", "strain_rate",
        "wall_shear_stress", "solid"
    ]], Sequence[typing.Literal[
        "density", "pressure", "velocity", "vorticity", "q_criterion", "strain_rate",
        "wall_shear_stress", "solid"
    ]]] = unless_given(['density', 'velocity'])
    """Fields to write. List of words, density, pressure, velocity, vorticity, q_criterion,
    strain_rate, wall_shear_stress, solid; default: [density, velocity]."""
    every_steps: Takes[int | None, Whole] = unless_given(None)
    """Interval of writing, in steps. Whole number, from 1 to 1000000000000000; default: never."""
    every_time: Takes[float | None, Number] = unless_given(None)
    """Write at multiples of this time, at the nearest step. In convective times; in s with
    `units: si`. Number, > 0; default: never."""
    times: Takes[list[float], Numbers] = unless_given([])
    """Write at these times. List of numbers, > 0; default: []."""
    at_end: Resets[bool] = unless_given(True)
    """Write at the end. Switch; default: true."""
    box_from: Takes[list[float] | None, Numbers] = unless_given(None)
    """Lower corner of the written part, in cells from the corner of the box; in m with `units:
    si`. With `box_to`. List of three numbers, such as [1, 0, 0]; default: the whole box."""
    box_to: Takes[list[float] | None, Numbers] = unless_given(None)
    """Upper corner of that part. List of three numbers, such as [1, 0, 0]; default: the whole
    box."""
    slice: typing.Literal["x", "y", "z"] | None = None
    """Write only the plane of cells normal to this axis, at `at`. Word; default: no slice."""
    at: Takes[float | None, Number] = unless_given(None)
    """Position of the slice, in cells from the face of the box; in m with `units: si`. The
    nearest plane of cell centres is used. Number, of any size; default: required for slices."""
    stride: Takes[int, Whole] = unless_given(1)
    """Write every n-th cell along each axis. Whole number, from 1 to 1000000; default: 1."""
    average: Takes[int, Whole] = unless_given(1)
    """Write means over cubes of this many cells along each axis, without solid cells. Whole
    number, from 1 to 1000000; default: 1."""
    format: Resets[typing.Literal["vtkhdf", "vti"]] = unless_given("vtkhdf")
    """`vtkhdf`: HDF5 files; `vti`: VTK's XML images, split into pieces (`pvti`) if large. Word;
    default: vtkhdf."""
    precision: Resets[typing.Literal["float32", "float16"]] = unless_given("float32")
    """Precision of the values in the files. Word; default: float32."""
    compression: Takes[int, Whole] = unless_given(0)
    """Deflate level of the files: 0 is none, 9 smallest and slowest. Whole number, from 0 to 9;
    default: 0."""
    units: typing.Literal["reference", "lattice", "physical"] | None = None
    """Units in the files. `reference`: reference lengths, velocities and densities; `lattice`:
    cells and steps; `physical`: SI, only with `units: si`. Word; default: physical with `units:
    si`, else reference."""
    isosurface: typing.Literal[
        "density", "pressure", "velocity", "vorticity", "q_criterion"
    ] | None = None
    """Write the isosurface of this scalar at `value`, with `fields` interpolated onto it,
    instead of an image: density, pressure, q_criterion, or the magnitude of velocity or
    vorticity. Word; default: an image."""
    value: Takes[float | None, Number] = unless_given(None)
    """Isovalue, in units of the file. Number, of any size; default: required for isosurfaces."""


@dataclass(kw_only=True, repr=False)
class Statistics(Group, path="statistics.NAME"):
    """Mean, rms and Reynolds stresses over time."""

    start: Takes[float, Number] = unless_given(0.0)
    """Time of the first sample. In convective times; in s with `units: si`. Number, >= 0;
    default: 0."""
    every_steps: Takes[int | None, Whole] = unless_given(None)
    """Steps between samples. Sweeps end at samples: many steps per visit require a long
    interval. Whole number, from 1 to 1000000000000000; default: required."""
    stresses: Resets[bool] = unless_given(True)
    """All six Reynolds stresses; otherwise only the rms of each component. Switch; default:
    true."""
    sums: Resets[typing.Literal["float32", "float64"]] = unless_given("float32")
    """Type of the running means in host memory: 4 or 8 bytes for each of 11 values (8 without
    stresses) per cell. Word; default: float32."""
    write_every_steps: Takes[int | None, Whole] = unless_given(None)
    """Also write intermediate statistics at this interval of steps. Whole number, from 1 to
    1000000000000000; default: only at the end."""
    box_from: Takes[list[float] | None, Numbers] = unless_given(None)
    """Lower corner of the written part, in cells from the corner of the box; in m with `units:
    si`. With `box_to`. List of three numbers, such as [1, 0, 0]; default: the whole box."""
    box_to: Takes[list[float] | None, Numbers] = unless_given(None)
    """Upper corner of that part. List of three numbers, such as [1, 0, 0]; default: the whole
    box."""
    slice: typing.Literal["x", "y", "z"] | None = None
    """Write only the plane of cells normal to this axis, at `at`. Word; default: no slice."""
    at: Takes[float | None, Number] = unless_given(None)
    """Position of the slice, in cells from the face of the box; in m with `units: si`. The
    nearest plane of cell centres is used. Number, of any size; default: required for slices."""
    stride: Takes[int, Whole] = unless_given(1)
    """Write every n-th cell along each axis. Whole number, from 1 to 1000000; default: 1."""
    format: Resets[typing.Literal["vtkhdf", "vti"]] = unless_given("vtkhdf")
    """`vtkhdf`: HDF5 files; `vti`: VTK's XML images, split into pieces (`pvti`) if large. Word;
    default: vtkhdf."""
    precision: Resets[typing.Literal["float32", "float16"]] = unless_given("float32")
    """Precision of the values in the files. Word; default: float32."""
    compression: Takes[int, Whole] = unless_given(0)
    """Deflate level of the files: 0 is none, 9 smallest and slowest. Whole number, from 0 to 9;
    default: 0."""
    units: typing.Literal["reference", "lattice", "physical"] | None = None
    """Units in the files. `reference`: reference lengths, velocities and densities; `lattice`:
    cells and steps; `physical`: SI, only with `units: si`. Word; default: physical with `units:
    si`, else reference."""


@dataclass(kw_only=True, repr=False)
class Probe(Group, path="probes.NAME"):
    """Pressure and velocity at points, step by step."""

    points: Takes[list[list[float]] | None, Rows] = unless_given(None)
    """Positions, in cells from the corner of the box; in m with `units: si`. Values are
    interpolated between cell centres. List of points, such as [[1, 2, 3], [4, 5, 6]]; default:
    this or a line."""
    line_from: Takes[list[float] | None, Numbers] = unless_given(None)
    """Positions along a line: its first point. List of three numbers, such as [1, 0, 0];
    default: this or points."""
    line_to: Takes[list[float] | None, Numbers] = unless_given(None)
    """Last point of the line. List of three numbers, such as [1, 0, 0]; default: with line_from."""
    line_points: Takes[int | None, Whole] = unless_given(None)
    """Number of points on the line, both ends included. Whole number, from 2 to 1000000;
    default: with line_from."""
    every_steps: Takes[int, Whole] = unless_given(1)
    """Interval of writing, in steps. Whole number, from 1 to 1000000000000000; default: 1."""


@dataclass(kw_only=True, repr=False)
class Picture(Group, path="pictures.NAME"):
    """Pictures of a slice, projection or surface (PNG) at some steps."""

    quantity: Resets[typing.Literal[
        "speed", "velocity_x", "velocity_y", "velocity_z", "density", "pressure",
        "vorticity", "vorticity_x", "vorticity_y", "vorticity_z", "q_criterion"
    ]] = unless_given("speed")
    """The number that is coloured; `vorticity` is its magnitude. Word; default: speed."""
    slice: typing.Literal["x", "y", "z"] | None = None
    """Show the plane of cells normal to this axis. Word; default: this, project or surface."""
    at: Takes[float | None, Number] = unless_given(None)
    """Position of the slice, in cells from the face of the box; in m with `units: si`. The
    nearest plane of cell centres is used. Number, of any size; default: the middle."""
    project: typing.Literal["x", "y", "z"] | None = None
    """Show the mean or the maximum of all cells along this axis. Word; default: this, slice or
    surface."""
    by: Resets[typing.Literal["mean", "maximum"]] = unless_given("mean")
    """Number of a column of cells in a projection, without solid cells. Word; default: mean."""
    surface: typing.Literal[
        "speed", "velocity_x", "velocity_y", "velocity_z", "density", "pressure",
        "vorticity", "vorticity_x", "vorticity_y", "vorticity_z", "q_criterion"
    ] | None = None
    """Show the isosurface of this number at `value`, coloured by `quantity`, and bodies, from
    `view`. Word; default: this, slice or project."""
    value: Takes[float | None, Number] = unless_given(None)
    """The number on the isosurface, in units of the picture. Number, of any size; default:
    required for surfaces."""
    bodies: Resets[bool] = unless_given(True)
    """`surface`: draw bodies, grey. false: they hide nothing. Switch; default: true."""
    view: Takes[list[float] | None, Numbers] = unless_given(None)
    """`surface`: azimuth and elevation of the viewer, in degrees. The azimuth is counted around
    `up` from the axis after it: from x for z, from y for x, from z for y. List of two numbers,
    such as [-60, 25]; default: [-60, 25]."""
    up: typing.Literal["x", "y", "z"] | None = None
    """`surface`: the axis that points upwards. Word; default: z."""
    box_from: Takes[list[float] | None, Numbers] = unless_given(None)
    """Lower corner of the part that is shown, in cells from the corner of the box; in m with
    `units: si`. With `box_to`. List of three numbers, such as [1, 0, 0]; default: the whole box."""
    box_to: Takes[list[float] | None, Numbers] = unless_given(None)
    """Upper corner of that part. List of three numbers, such as [1, 0, 0]; default: the whole
    box."""
    every_steps: Takes[int | None, Whole] = unless_given(None)
    """Interval of pictures, in steps. Whole number, from 1 to 1000000000000000; default: never."""
    every_time: Takes[float | None, Number] = unless_given(None)
    """Make pictures at multiples of this time, at the nearest step. In convective times; in s
    with `units: si`. Number, > 0; default: never."""
    times: Takes[list[float], Numbers] = unless_given([])
    """Make pictures at these times. List of numbers, > 0; default: []."""
    at_end: Resets[bool] = unless_given(True)
    """Make a picture at the end. Switch; default: true."""
    size: Takes[list[int] | None, Wholes] = unless_given(None)
    """Width and height of the picture, in pixels. List of two whole numbers, such as [1920,
    1080]; default: 1280 wide, as high as the region asks for."""
    colours: typing.Literal["viridis", "inferno", "coolwarm", "grey"] | None = None
    """Colour map. `viridis`, `inferno`: equal steps of the number look like equal steps of
    colour; `coolwarm`: two colours around zero; `grey`. Word; default: viridis; coolwarm for
    numbers of both signs."""
    range: Takes[list[float] | None, Numbers] = unless_given(None)
    """The numbers at both ends of the colours, in units of the picture. Automatic limits are
    round numbers that change only where the flow leaves them or fills less than 40 % of them, so
    that films do not flicker. List of two numbers, such as [0, 1.5]; default: automatic limits."""
    units: typing.Literal["reference", "lattice", "physical"] | None = None
    """Units on the picture, as in `outputs.NAME.units`. Word; default: physical with `units:
    si`, else reference."""


@dataclass(kw_only=True, repr=False)
class Quantity(Group, path="quantities.NAME"):
    """A number of the flow over time, with its statistics."""

    kind: typing.Literal[
        "fluid_cells", "solid_cells", "porosity", "mean", "flow_rate", "permeability",
        "tortuosity", "pore_velocity", "pore_reynolds", "point", "wall_pressure", "force",
        "torque", "coefficient"
    ] | None = None
    """`fluid_cells`, `solid_cells`: numbers of cells in a region; `porosity`: the share of fluid
    cells in it; `mean`: of `field` over its fluid cells; `flow_rate`: volume per time through a
    slice or face; `permeability`: viscosity x superficial velocity / driving acceleration or
    pressure gradient over density, in a region, in cells^2, in m^2 with `units: si`
    (docs/voxels.md#permeability); `tortuosity`: mean speed / mean velocity along what drives the
    flow, of the fluid cells; `pore_velocity`: this mean velocity; `pore_reynolds`: it x
    `fluid.length` / viscosity; `point`: `field` at `point`; `wall_pressure`: at `point` on a
    wall; `force`, `torque`, `coefficient`: of `bodies` along `direction`. Word; default:
    required."""
    box_from: Takes[list[float] | None, Numbers] = unless_given(None)
    """Lower corner of the region: cells whose centres lie in it count. In cells from the corner
    of the box; in m with `units: si`. With `box_to`. List of three numbers, such as [1, 0, 0];
    default: the whole box."""
    box_to: Takes[list[float] | None, Numbers] = unless_given(None)
    """Upper corner of the region. List of three numbers, such as [1, 0, 0]; default: the whole
    box."""
    slice: typing.Literal["x", "y", "z"] | None = None
    """Only the plane of cells normal to this axis, at `at`; a flow rate is positive along this
    axis. Word; default: no slice."""
    at: Takes[float | None, Number] = unless_given(None)
    """Position of the slice, in cells from the face of the box; in m with `units: si`. The
    nearest plane of cell centres is used. Number, of any size; default: required for slices."""
    face: typing.Literal["x_min", "x_max", "y_min", "y_max", "z_min", "z_max"] | None = None
    """Instead of a box or a slice: the layer of cells at this face; a flow rate is positive
    along the axis of the face, x, y or z. Word; default: no face."""
    patch: Takes[str | None, PathLike] = unless_given(None)
    """With `face`: only the cells at this patch of the face. Text, 1 to 64 letters, digits, `_`
    or `-`, the first a letter or `_`; default: the whole face."""
    field: typing.Literal[
        "pressure", "density", "velocity.x", "velocity.y", "velocity.z", "speed",
        "enstrophy", "dissipation"
    ] | None = None
    """Field of a mean or point. Of a mean alone: `enstrophy`, half the square of the vorticity,
    and `dissipation`, 2 x viscosity x strain rate : strain rate. Word; default: required for
    mean, point."""
    point: Takes[list[float] | None, Numbers] = unless_given(None)
    """Position from the corner of the box, in cells; in m with `units: si`. List of three
    numbers, such as [1, 0, 0]; default: required for point, wall_pressure."""
    bodies: Takes[list[str] | None, Sequence[str]] = unless_given(None)
    """Names of solid bodies; the value is the sum over them. List of names, such as [hull,
    keel]; default: required for forces."""
    direction: Takes[list[float] | None, Numbers] = unless_given(None)
    """Direction of the component, of any length. List of three numbers, such as [0, 0, 1], not
    all 0; default: required for forces."""
    length: Takes[float | None, Number] = unless_given(None)
    """`force` only: the force is divided by this length, such as the span of a cylinder; in
    cells, in m with `units: si`. Number, > 0; default: not divided."""
    pressure_gradient: Resets[bool] = unless_given(False)
    """`force`, `coefficient`: adds the force of the pressure gradient that `force.acceleration`
    stands for on the cells of the bodies. Without it a periodic array feels 1 - c of its drag, c
    the share of solid cells. Switch; default: false."""
    every_steps: Takes[int | None, Whole] = unless_given(None)
    """Steps between samples. Sweeps end at samples of regions: many steps per visit require a
    long interval. Whole number, from 1 to 1000000000000000; default: 1; of regions: only at the
    end."""
    start: Takes[float, Number] = unless_given(0.0)
    """Time of the first sample that counts in mean, rms and frequency. In convective times; in s
    with `units: si`. Number, >= 0; default: 0."""


@dataclass(kw_only=True, repr=False)
class Checkpoint(Group, path="checkpoint"):
    """Times of checkpoints, from which a run can continue; see [checkpoints.md](checkpoints.md)."""

    every_steps: Takes[int | None, Whole] = unless_given(None)
    """Interval of checkpoints in steps; `lbm run --restart` continues from one. Whole number,
    from 1 to 1000000000000000; default: never."""
    every_minutes: Takes[float | None, Number] = unless_given(None)
    """Interval of further checkpoints in minutes of wall-clock time; at most one checkpoint a
    sweep. Number, > 0; default: never."""
    at_end: Resets[bool] = unless_given(False)
    """Write a checkpoint at the end, to continue with a later end. Switch; default: false."""
    on_signal: Resets[bool] = unless_given(True)
    """Write a checkpoint before the run ends by a signal (SIGINT, SIGTERM, SIGHUP, SIGUSR2,
    SIGXCPU). Switch; default: true."""
    keep: Takes[int, Whole] = unless_given(2)
    """Number of checkpoints to keep. While one is written, there is one more on the disk. Whole
    number, from 1 to 1000; default: 2."""
    on_error: Resets[typing.Literal["stop", "continue"]] = unless_given("stop")
    """If a checkpoint cannot be written: `stop` ends the run with exit code 4; `continue` warns
    and tries again when the next one is due. Word; default: stop."""


@dataclass(kw_only=True, repr=False)
class Expectation(Group, path="expect.NAME"):
    """A result that the run is expected to have."""

    quantity: typing.Literal[
        "force.x", "force.y", "force.z", "torque.x", "torque.y", "torque.z",
        "coefficient.x", "coefficient.y", "coefficient.z", "mass", "kinetic_energy",
        "velocity.x", "velocity.y", "velocity.z", "profile", "value", "mean", "mean_error",
        "rms", "rms_error", "maximum", "maximum_time", "minimum", "minimum_time",
        "frequency", "strouhal"
    ] | None = None
    """Compared quantity: a component of the force or torque on `body` or of its coefficient
    (force / (1/2 rho u^2 A)), the mass or kinetic energy of all fluid, the velocity at `point`,
    a centre-line `profile`; or of the quantity `of`: its `value` at the end, its `mean`, `rms`,
    `maximum` and `minimum` with their times, `frequency`, `strouhal` number, and the standard
    errors of the first two (docs/quantities.md). Word; default: required."""
    of: Takes[str | None, PathLike] = unless_given(None)
    """Name under `quantities`. Text, 1 to 64 letters, digits, `_` or `-`, the first a letter or
    `_`; default: required for value to strouhal."""
    body: Takes[str | None, PathLike] = unless_given(None)
    """Name of the body. Text, 1 to 64 letters, digits, `_` or `-`, the first a letter or `_`;
    default: required for forces."""
    point: Takes[list[float] | None, Numbers] = unless_given(None)
    """Position from the corner of the box, in cells; in m with `units: si`. List of three
    numbers, such as [1, 0, 0]; default: required for velocities."""
    profile: typing.Literal["x", "y", "z"] | None = None
    """Axis of the profile, which runs through the middle of the box. Word; default: required for
    profiles."""
    column: Takes[str | None, PathLike] = unless_given(None)
    """Compared column of the profile. Text, ux, uy, uz or density; default: required for
    profiles."""
    file: Takes[str | None, PathLike] = unless_given(None)
    """Reference values: a CSV file of coordinate and value, relative to the case file, in the
    units of `profile_x.csv`. Text, 1 to 1000 characters; default: required for profiles."""
    value: Takes[float | None, Number] = unless_given(None)
    """Expected value, in units of the case. Number, of any size; default: required but for
    profiles."""
    tolerance: Takes[float | None, Number] = unless_given(None)
    """Largest accepted difference, relative to the value; for profiles relative to the range of
    the reference values. Number, >= 0; default: this or tolerance_absolute."""
    tolerance_absolute: Takes[float | None, Number] = unless_given(None)
    """The same, in units of the value. Number, >= 0; default: this or tolerance."""
    average_from: Takes[float | None, Number] = unless_given(None)
    """Compare the mean from this time to the end of the run. In convective times; in s with
    `units: si`. Number, >= 0; default: only the end."""
