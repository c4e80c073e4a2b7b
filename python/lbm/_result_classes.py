"""The groups of a case, their attributes the keys of the key table: what is written and expected.

Generated; to change it, change the table in cases/case/schema/keys_*.cpp, then
python -m lbm.generate_case_classes python/lbm
"""

import typing
from dataclasses import dataclass, field

from lbm._groups import Group


@dataclass(kw_only=True, repr=False)
class Output(Group, path="output"):
    """What is written, and when. At each output time density and velocity of every cell are
    written."""

    directory: str | None = None
    """Where results go, relative to the working directory; `lbm run --out` overrides it. Text, 1
    to 1000 characters; default: out/<name>."""
    times: list[float] = field(default_factory=list)
    """Write density and velocity at these times, none past the end of the run. In convective
    times; in s with `units: si`. List of numbers, > 0; default: []."""
    every_steps: int | None = None
    """Write density and velocity every so many steps, too. Whole number, from 1 to
    1000000000000000; default: never."""
    at_end: bool = True
    """Write density and velocity at the end, too. Switch; default: true."""
    on_error: typing.Literal["stop", "continue"] = "stop"
    """When files of fields cannot be written: `stop` ends the run with exit code 4; `continue`
    goes on without that output and says so. Word; default: stop."""
    profiles: bool = True
    """Write velocity profiles along the centre lines (CSV) at the end. Switch; default: true."""
    forces: int = 1
    """Write the forces on bodies every so many steps (only with bodies). Whole number, from 1 to
    1000000000000000; default: 1."""
    monitor: int | None = None
    """Write mass, kinetic energy and the extremes of density and speed every so many steps.
    Whole number, from 1 to 1000000000000000; default: never."""


@dataclass(kw_only=True, repr=False)
class FieldOutput(Group, path="outputs.NAME"):
    """Files with fields of a part of the grid at some steps."""

    fields: list[typing.Literal[
        "density", "pressure", "velocity", "vorticity", "q_criterion", "strain_rate",
        "wall_shear_stress", "solid"
    ]] = field(default_factory=lambda: ['density', 'velocity'])
    """What is written. List of words, density, pressure, velocity, vorticity, q_criterion,
    strain_rate, wall_shear_stress, solid; default: [density, velocity]."""
    every_steps: int | None = None
    """Write every so many steps. Whole number, from 1 to 1000000000000000; default: never."""
    every_time: float | None = None
    """Write after every such time, at the nearest step. In convective times; in s with `units:
    si`. Number, > 0; default: never."""
    times: list[float] = field(default_factory=list)
    """Write at these times. List of numbers, > 0; default: []."""
    at_end: bool = True
    """Write at the end. Switch; default: true."""
    box_from: list[float] | None = None
    """Lower corner of the part that is wanted, in cells from the corner of the box; in m with
    `units: si`. With `box_to`. List of three numbers, such as [1, 0, 0]; default: the whole box."""
    box_to: list[float] | None = None
    """Upper corner of that part. List of three numbers, such as [1, 0, 0]; default: the whole
    box."""
    slice: typing.Literal["x", "y", "z"] | None = None
    """Only the plane of cells normal to this axis, at `at`. Word; default: no slice."""
    at: float | None = None
    """Where the slice is, in cells from the face of the box; in m with `units: si`. The nearest
    plane of cell centres is taken. Number, of any size; default: required for slices."""
    stride: int = 1
    """Take every so many cells along each axis. Whole number, from 1 to 1000000; default: 1."""
    average: int = 1
    """Write means over cubes of so many cells along each axis (solid cells left out). Whole
    number, from 1 to 1000000; default: 1."""
    format: typing.Literal["vtkhdf", "vti"] = "vtkhdf"
    """`vtkhdf`: HDF5 files; `vti`: VTK's XML images, in pieces (`pvti`) where they are large.
    Word; default: vtkhdf."""
    precision: typing.Literal["float32", "float16"] = "float32"
    """Of the values in the files. Word; default: float32."""
    compression: int = 0
    """Deflate level of the files: 0 is none, 9 the smallest and slowest. Whole number, from 0 to
    9; default: 0."""
    units: typing.Literal["reference", "lattice", "physical"] | None = None
    """Units in the files. `reference`: reference lengths, velocities and densities; `lattice`:
    cells and steps; `physical`: SI, only with `units: si`. Word; default: physical with `units:
    si`, else reference."""
    isosurface: typing.Literal[
        "density", "pressure", "velocity", "vorticity", "q_criterion"
    ] | None = None
    """Write the surface where this scalar has the value `value`, with `fields` on it, instead of
    an image: density, pressure, q_criterion, or the size of velocity or vorticity. Word;
    default: an image."""
    value: float | None = None
    """In the units of the file. Number, of any size; default: required for isosurfaces."""


@dataclass(kw_only=True, repr=False)
class Statistics(Group, path="statistics.NAME"):
    """Mean, rms and Reynolds stresses over time."""

    start: float = 0.0
    """Time of the first sample. In convective times; in s with `units: si`. Number, >= 0;
    default: 0."""
    every_steps: int | None = None
    """Steps between samples. Sweeps end on them: many steps a visit need a long interval. Whole
    number, from 1 to 1000000000000000; default: required."""
    stresses: bool = True
    """All six Reynolds stresses; otherwise the rms of each component alone. Switch; default:
    true."""
    sums: typing.Literal["float32", "float64"] = "float32"
    """Type of the running means in host memory: 4 or 8 bytes for each of 11 values (8 without
    stresses) of a cell. Word; default: float32."""
    write_every_steps: int | None = None
    """Write what there is so far every so many steps, too. Whole number, from 1 to
    1000000000000000; default: at the end alone."""
    box_from: list[float] | None = None
    """Lower corner of the part that is wanted, in cells from the corner of the box; in m with
    `units: si`. With `box_to`. List of three numbers, such as [1, 0, 0]; default: the whole box."""
    box_to: list[float] | None = None
    """Upper corner of that part. List of three numbers, such as [1, 0, 0]; default: the whole
    box."""
    slice: typing.Literal["x", "y", "z"] | None = None
    """Only the plane of cells normal to this axis, at `at`. Word; default: no slice."""
    at: float | None = None
    """Where the slice is, in cells from the face of the box; in m with `units: si`. The nearest
    plane of cell centres is taken. Number, of any size; default: required for slices."""
    stride: int = 1
    """Take every so many cells along each axis. Whole number, from 1 to 1000000; default: 1."""
    format: typing.Literal["vtkhdf", "vti"] = "vtkhdf"
    """`vtkhdf`: HDF5 files; `vti`: VTK's XML images, in pieces (`pvti`) where they are large.
    Word; default: vtkhdf."""
    precision: typing.Literal["float32", "float16"] = "float32"
    """Of the values in the files. Word; default: float32."""
    compression: int = 0
    """Deflate level of the files: 0 is none, 9 the smallest and slowest. Whole number, from 0 to
    9; default: 0."""
    units: typing.Literal["reference", "lattice", "physical"] | None = None
    """Units in the files. `reference`: reference lengths, velocities and densities; `lattice`:
    cells and steps; `physical`: SI, only with `units: si`. Word; default: physical with `units:
    si`, else reference."""


@dataclass(kw_only=True, repr=False)
class Probe(Group, path="probes.NAME"):
    """Pressure and velocity at points, step by step."""

    points: list[list[float]] | None = None
    """Places, in cells from the corner of the box; in m with `units: si`. Values between cell
    centres are interpolated. List of points, such as [[1, 2, 3], [4, 5, 6]]; default: this or a
    line."""
    line_from: list[float] | None = None
    """Places along a line: its begin. List of three numbers, such as [1, 0, 0]; default: this or
    points."""
    line_to: list[float] | None = None
    """The end of the line. List of three numbers, such as [1, 0, 0]; default: with line_from."""
    line_points: int | None = None
    """How many places, with both ends. Whole number, from 2 to 1000000; default: with line_from."""
    every_steps: int = 1
    """Write every so many steps. Whole number, from 1 to 1000000000000000; default: 1."""


@dataclass(kw_only=True, repr=False)
class Checkpoint(Group, path="checkpoint"):
    """When the state is saved so that a run can go on from it; see
    [checkpoints.md](checkpoints.md)."""

    every_steps: int | None = None
    """Save the whole state every so many steps, so that `lbm run --restart` can go on from
    there. Whole number, from 1 to 1000000000000000; default: never."""
    every_minutes: float | None = None
    """And every so many minutes of the clock. Number, > 0; default: never."""
    at_end: bool = False
    """And at the end, to go on with a later end. Switch; default: false."""
    on_signal: bool = True
    """And before the run ends by SIGINT or SIGTERM. Switch; default: true."""
    keep: int = 2
    """Checkpoints that are kept. For a moment there is one more on the disk. Whole number, from
    1 to 1000; default: 2."""
    on_error: typing.Literal["stop", "continue"] = "stop"
    """Where a checkpoint cannot be written: end the run with exit code 4 (`stop`), or warn, go
    on and try again when the next one is due (`continue`). Word; default: stop."""


@dataclass(kw_only=True, repr=False)
class Expectation(Group, path="expect.NAME"):
    """A result that the run is expected to have."""

    quantity: typing.Literal[
        "force.x", "force.y", "force.z", "torque.x", "torque.y", "torque.z",
        "coefficient.x", "coefficient.y", "coefficient.z", "mass", "kinetic_energy",
        "velocity.x", "velocity.y", "velocity.z", "profile"
    ] | None = None
    """What is looked at: a component of the force or torque on `body` or of its coefficient
    (force / (1/2 rho u^2 A)), the mass or kinetic energy of all fluid, the velocity at `point`,
    or a centre-line `profile`. Word; default: required."""
    body: str | None = None
    """The body, by its name. Text, 1 to 64 letters, digits, `_` or `-`, the first a letter or
    `_`; default: required for forces."""
    point: list[float] | None = None
    """Where, from the corner of the box, in cells; in m with `units: si`. List of three numbers,
    such as [1, 0, 0]; default: required for velocities."""
    profile: typing.Literal["x", "y", "z"] | None = None
    """The axis along which the profile through the middle of the box runs. Word; default:
    required for profiles."""
    column: str | None = None
    """The column of the profile that is compared. Text, ux, uy, uz or density; default: required
    for profiles."""
    file: str | None = None
    """Reference values: a CSV file of coordinate and value, relative to the case file, in the
    units of `profile_x.csv`. Text, 1 to 1000 characters; default: required for profiles."""
    value: float | None = None
    """The value that is expected, in the units of the case. Number, of any size; default:
    required but for profiles."""
    tolerance: float | None = None
    """Largest difference that is accepted, relative to the value; for profiles relative to the
    range of the reference values. Number, >= 0; default: this or tolerance_absolute."""
    tolerance_absolute: float | None = None
    """The same, in the units of the value. Number, >= 0; default: this or tolerance."""
    average_from: float | None = None
    """Compare the mean from this time to the end of the run. In convective times; in s with
    `units: si`. Number, >= 0; default: the end alone."""
