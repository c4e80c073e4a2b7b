"""The groups of a case, each a class with the keys of the key table as attributes.

Generated; to change it, change the table in cases/app/keys_*.cpp, then
python -m lbm.generate_case_classes > python/lbm/_case_classes.py
"""

import functools
import typing
from dataclasses import dataclass, field

from lbm._groups import Group, Named

__all__ = [
    "Body",
    "Boundaries",
    "Checkpoint",
    "Device",
    "Expectation",
    "Face",
    "FieldOutput",
    "Fluid",
    "Force",
    "Grid",
    "Host",
    "Initial",
    "Lattice",
    "Output",
    "Patch",
    "Probe",
    "Run",
    "Statistics",
    "Tiling",
    "Turbulence",
    "UntilSteady",
]


@dataclass(kw_only=True, repr=False)
class Grid(Group, path="grid"):
    """The box of cells. A cell is one unit of length; walls lie half a cell outside the
    outermost cell centres."""

    cells: list[int] | None = None
    """Cells in x, y and z: `[nx, ny, nz]`. z is the axis that is streamed through the device, so
    put the longest axis there. List of three whole numbers, from 1 to 1000000; default: this or
    size."""
    size: list[float] | None = None
    """`units: si` only: extent of the box in m, rounded to whole cells of `grid.spacing`. List
    of three numbers, > 0; default: this or cells."""
    spacing: float | None = None
    """`units: si` only: metres per cell. Number, > 0; default: this or cells_per_length."""
    cells_per_length: float | None = None
    """`units: si` only: cells per `fluid.length`, which must be given then. Number, > 0;
    default: this or spacing."""


@dataclass(kw_only=True, repr=False)
class Turbulence(Group, path="boundaries.FACE.turbulence"):
    """Synthetic disturbances on an inlet."""

    intensity: float | None = None
    """`velocity` only: disturbances of this size (rms of a component in reference velocities).
    Number, > 0 and < 1; default: none."""
    length: float | None = None
    """Integral scale (of the longitudinal correlation), in cells; in m with `units: si`. Number,
    > 0; default: required for turbulence."""
    seed: int | None = None
    """Another seed gives other disturbances of the same kind. Whole number, from 0 to
    1000000000; default: 1 in turbulence."""


@dataclass(kw_only=True, repr=False)
class Patch(Group, path="boundaries.FACE.patches.NAME"):
    """A part of a face with a rule of its own."""

    box: list[float] | None = None
    """The part of the face: `[a0, a1, b0, b1]`, from a0 to a1 along the first transverse axis
    and from b0 to b1 along the second, in the order x, y, z, from the corner of the box. The
    first patch in the file wins where two overlap. List of four numbers, such as [8, 24, 0, 16];
    default: this or a circle."""
    center: list[float] | None = None
    """The part of the face: centre of a circle, likewise. List of two numbers, such as [16, 16];
    default: this and radius, or a box."""
    radius: float | None = None
    """Radius of that circle. Number, > 0; default: this and center, or a box."""
    type: typing.Literal["wall", "periodic", "velocity", "pressure", "outflow", "slip"] = "wall"
    """As `boundaries.FACE.type`. Neither periodic nor slip. Word; default: wall."""
    velocity: list[float] = field(default_factory=lambda: [0.0, 0.0, 0.0])
    """As `boundaries.FACE.velocity`. List of three numbers, such as [1, 0, 0]; default: [0, 0,
    0]."""
    period: float | None = None
    """As `boundaries.FACE.period`. Number, > 0; default: none."""
    pressure: float | None = None
    """As `boundaries.FACE.pressure`. Number, of any size; default: 0 where there is one."""
    profile: typing.Literal["uniform", "duct", "pipe", "table"] | None = None
    """As `boundaries.FACE.profile`. Word; default: uniform."""
    profile_center: list[float] | None = None
    """As `boundaries.FACE.profile_center`. List of two numbers, such as [16, 16]; default:
    required for pipe."""
    profile_radius: float | None = None
    """As `boundaries.FACE.profile_radius`. Number, > 0; default: required for pipe."""
    file: str | None = None
    """As `boundaries.FACE.file`. Text, 1 to 1000 characters; default: required for table."""
    ramp_time: float | None = None
    """As `boundaries.FACE.ramp_time`. Number, > 0; default: none."""
    turbulence: Turbulence = field(default_factory=Turbulence)


@dataclass(kw_only=True, repr=False)
class Face(Group, path="boundaries.FACE"):
    """What bounds the box at a face. A face may be assigned as the word of its type, too."""

    type: typing.Literal["wall", "periodic", "velocity", "pressure", "outflow", "slip"] = "wall"
    """`wall`: halfway bounce-back; `periodic`; `velocity`: an inlet, or an outlet of known flow;
    `pressure`: the pressure is held; `outflow`: lets the flow leave, its pressure held only
    weakly; `slip`: a frictionless mirror. Word; default: wall."""
    velocity: list[float] = field(default_factory=lambda: [0.0, 0.0, 0.0])
    """Velocity `[ux, uy, uz]` of the wall or the inflow in reference velocities (1 means
    `fluid.lattice_velocity` cells per step); in m/s with `units: si`. That of a wall has no
    component normal to it. List of three numbers, such as [1, 0, 0]; default: [0, 0, 0]."""
    period: float | None = None
    """`wall` only: the wall oscillates, its velocity is times cos(2 pi t / period). In
    convective times; in s with `units: si`. Number, > 0; default: none."""
    pressure: float | None = None
    """`pressure` and `outflow` only: relative to the reference pressure, in rho0 U^2; in Pa with
    `units: si`. Number, of any size; default: 0 where there is one."""
    profile: typing.Literal["uniform", "duct", "pipe", "table"] | None = None
    """`velocity` only: how the velocity varies over the face. `duct`: the developed flow of a
    rectangular duct, or the plane parabola where the face has a periodic or slip axis; `pipe`: a
    parabola in a circle, 0 outside; `table`: from `file`. `velocity` is the peak. Word; default:
    uniform."""
    profile_center: list[float] | None = None
    """Centre of the circle in the two transverse axes, in the order x, y, z, from the corner of
    the box. List of two numbers, such as [16, 16]; default: required for pipe."""
    profile_radius: float | None = None
    """Radius of the circle. Number, > 0; default: required for pipe."""
    file: str | None = None
    """CSV file, relative to the case file: the two transverse coordinates and three velocities,
    on a regular grid; linear in between. It is in the units of the case. Text, 1 to 1000
    characters; default: required for table."""
    ramp_time: float | None = None
    """`velocity` only: time over which the velocity rises smoothly from 0, in convective times;
    in s with `units: si`. Number, > 0; default: none."""
    pressure_drop: float | None = None
    """`periodic` only: drives the flow; the pressure falls by this much from the min to the max
    face. Given on one of the two. In rho0 U^2; in Pa with `units: si`. Number, of any size;
    default: none."""
    turbulence: Turbulence = field(default_factory=Turbulence)
    patches: dict[str, Patch] = field(default_factory=functools.partial(Named, Patch))


@dataclass(kw_only=True, repr=False)
class Boundaries(Group, path="boundaries"):
    """What bounds the box: FACE stands for `x_min`, `x_max`, `y_min`, `y_max`, `z_min` or
    `z_max`. A face may have patches with rules of their own, each under a NAME that you choose."""

    x_min: Face = field(default_factory=Face)
    x_max: Face = field(default_factory=Face)
    y_min: Face = field(default_factory=Face)
    y_max: Face = field(default_factory=Face)
    z_min: Face = field(default_factory=Face)
    z_max: Face = field(default_factory=Face)


@dataclass(kw_only=True, repr=False)
class Fluid(Group, path="fluid"):
    """The fluid. Exactly one of `reynolds`, `tau` and `viscosity`."""

    reynolds: float | None = None
    """Reynolds number: reference velocity x `fluid.length` / viscosity. Number, > 0; default:
    this, tau or viscosity."""
    tau: float | None = None
    """Relaxation time in steps; the viscosity is (tau - 1/2) / 3 in lattice units (cells^2 per
    step). Number, > 0.5; default: this, reynolds or viscosity."""
    viscosity: float | None = None
    """Kinematic viscosity in cells^2 per step; in m^2/s with `units: si`. Number, > 0; default:
    this, reynolds or tau."""
    lattice_velocity: float = 0.1
    """Reference velocity in cells per step. Smaller is more accurate and needs more steps; above
    0.173 (Mach 0.3) is refused. Number, > 0; default: 0.1."""
    length: float | None = None
    """Reference length in cells; in m with `units: si`, by default nx cells. Number, > 0;
    default: nx."""
    velocity: float | None = None
    """`units: si` only: reference velocity in m/s. Number, > 0; default: required in si."""
    density: float | None = None
    """`units: si` only: reference density in kg/m^3. Number, > 0; default: 1 in si."""


@dataclass(kw_only=True, repr=False)
class Lattice(Group, path="lattice"):
    """The model and how its values are stored."""

    storage: typing.Literal["fp32", "fp16", "fp64"] = "fp32"
    """How populations are stored. `fp16` halves memory and traffic, arithmetic stays in single
    precision; `fp64` doubles them and computes in double precision. Word; default: fp32."""
    collision: typing.Literal["bgk", "trt", "regularised"] = "bgk"
    """Collision model. `bgk`: one relaxation time; `trt`: two, the second by `lattice.magic`;
    `regularised`: BGK of the stresses alone, which stays stable at a lower tau. Word; default:
    bgk."""
    magic: float = 0.1875
    """`trt` only: (tau+ - 1/2)(tau- - 1/2). With 3/16 a flat wall lies exactly halfway between
    cells, whatever the viscosity. Number, > 0; default: 0.1875."""
    smagorinsky: float = 0.0
    """Constant C_s of the Smagorinsky turbulence model, about 0.1 to 0.2; 0 switches it off.
    Number, >= 0 and < 1; default: 0."""


@dataclass(kw_only=True, repr=False)
class Body(Group, path="bodies.NAME"):
    """A solid body, or a part of one."""

    shape: typing.Literal[
        "box", "sphere", "cylinder", "capsule", "plane", "stl", "union", "intersection",
        "difference"
    ] | None = None
    """`box` (center, size), `sphere` (center, radius), `cylinder` and `capsule` (from, to,
    radius), `plane` (center, normal: all behind it is solid), `stl` (file), or a combination
    `of` bodies: `union`, `intersection`, `difference` (the first less the others). Word;
    default: required."""
    center: list[float] | None = None
    """Centre of a box or sphere, or a point on a plane, from the corner of the box, in cells;
    all lengths in m with `units: si`. List of three numbers, such as [1, 0, 0]; default: by
    shape."""
    size: list[float] | None = None
    """Extent of a box. List of three numbers, > 0; default: by shape."""
    radius: float | None = None
    """Radius of a sphere, cylinder or capsule. Number, > 0; default: by shape."""
    from_: list[float] | None = None
    """One end of the axis of a cylinder, capsule. List of three numbers, such as [1, 0, 0];
    default: by shape."""
    to: list[float] | None = None
    """The other end. List of three numbers, such as [1, 0, 0]; default: by shape."""
    normal: list[float] | None = None
    """Normal of a plane, out of the solid; any length but 0. List of three numbers, such as [1,
    0, 0]; default: by shape."""
    file: str | None = None
    """STL file of a closed surface, relative to the case file. Text, 1 to 1000 characters;
    default: by shape."""
    of: list[str] | None = None
    """The bodies that are combined. List of names, such as [hull, keel]; default: by shape."""
    scale: float | None = None
    """The shape is scaled by this, then rotated, then moved. Units of an STL file become those
    of the case in this way. Number, > 0; default: none."""
    rotate: list[list[float]] | None = None
    """Rotations `[ax, ay, az, degrees]` about axes through the origin of the shape's
    coordinates, one after the other, right-handed. List of rotations, such as [[0, 0, 1, 45]],
    axes not 0; default: none."""
    translate: list[float] | None = None
    """Moves the shape. List of three numbers, such as [1, 0, 0]; default: none."""
    solid: bool = True
    """`false`: only a part of a combination, not solid itself. Switch; default: true."""
    walls: typing.Literal["auto", "interpolated", "conserving", "staircase"] = "auto"
    """`interpolated`: the surface lies where the shape has it; `conserving`: likewise, and no
    mass passes; `staircase`: halfway between cells, no mass passes; `auto`: `interpolated` where
    a face is `pressure` or `outflow`, else `conserving`. Word; default: auto."""
    velocity: list[float] | None = None
    """Velocity of the surface in reference velocities, in m/s with `units: si`. The shape stays
    where it is. List of three numbers, such as [1, 0, 0]; default: none."""
    angular_velocity: list[float] | None = None
    """Angular velocity of the surface in U/L, in rad/s with `units: si`: a cylinder that turns
    about its axis. List of three numbers, such as [1, 0, 0]; default: none."""
    center_of_rotation: list[float] | None = None
    """A point that does not move with `angular_velocity`; torques are taken about it, too. List
    of three numbers, such as [1, 0, 0]; default: the centre of the shape."""
    reference_area: float | None = None
    """Area of the coefficients of force, in cells^2; in m^2 with `units: si`. Number, > 0;
    default: the reference length squared."""
    reference_length: float | None = None
    """Length of the coefficients of torque. Number, > 0; default: the reference length."""
    reference_velocity: float | None = None
    """Velocity of the coefficients. Number, > 0; default: the reference velocity."""


@dataclass(kw_only=True, repr=False)
class Force(Group, path="force"):
    """An acceleration of all fluid: `acceleration` + `amplitude` x cos(2 pi t / `period`)."""

    acceleration: list[float] | None = None
    """Acceleration of all fluid, in U^2/L; in m/s^2 with `units: si`. List of three numbers,
    such as [1, 0, 0]; default: none."""
    amplitude: list[float] | None = None
    """Amplitude of an oscillating part, which is added: amplitude x cos(2 pi t /
    `force.period`). List of three numbers, such as [1, 0, 0]; default: none."""
    period: float | None = None
    """Period of the oscillating part, in convective times; in s with `units: si`. Number, > 0;
    default: none."""


@dataclass(kw_only=True, repr=False)
class Initial(Group, path="initial"):
    """The flow at time 0."""

    flow: typing.Literal["rest", "uniform", "taylor_green", "duct", "perturbed_channel"] = "rest"
    """Flow at time 0. `rest`; `uniform`: `initial.velocity` everywhere; `taylor_green`: that
    vortex with the reference velocity as its amplitude (for periodic boxes); `duct`: the
    developed flow along `initial.axis`; `perturbed_channel`: a parabola along `initial.axis`
    with disturbances. Word; default: rest."""
    velocity: list[float] | None = None
    """`uniform`: the velocity, required there. `duct`, `perturbed_channel`: the peak, along
    `initial.axis` only. List of three numbers, such as [1, 0, 0]; default: one reference
    velocity along the axis."""
    axis: typing.Literal["x", "y", "z"] = "z"
    """Axis of the mean flow. Word; default: z."""
    disturbance: float | None = None
    """`perturbed_channel` only: size of the divergence-free disturbances, relative to the peak.
    Number, >= 0 and < 1; default: 0.05 in perturbed_channel."""


@dataclass(kw_only=True, repr=False)
class UntilSteady(Group, path="run.until_steady"):
    """When a run ends early because nothing changes any more."""

    tolerance: float | None = None
    """Ends the run early when the kinetic energy changes by less than this, relative and per
    convective time, at three looks in a row. Number, > 0; default: never."""
    every: float | None = None
    """Time between two looks, in convective times; in s with `units: si`. Number, > 0; default:
    one convective time."""


@dataclass(kw_only=True, repr=False)
class Run(Group, path="run"):
    """How long to run. Exactly one of `steps`, `convective_times` and `time`."""

    steps: int | None = None
    """Length of the run in steps. Whole number, from 1 to 1000000000000000; default: this,
    convective_times or time."""
    convective_times: float | None = None
    """Length of the run in convective times: `fluid.length` / `fluid.lattice_velocity` steps
    each, rounded to whole steps in all. Number, > 0; default: this, steps or time."""
    time: float | None = None
    """Length of the run in s with `units: si`; in convective times otherwise. Number, > 0;
    default: this, steps or convective_times."""
    walltime: float | None = None
    """Minutes that the program may take: the run saves a checkpoint and stops before, with exit
    code 6. Number, > 0; default: no limit."""
    max_mach: float = 0.6
    """A run with a higher local Mach number is stopped: it has diverged. Number, > 0; default:
    0.6."""
    density_range: list[float] = field(default_factory=lambda: [0.5, 2.0])
    """A run with a density outside of it, in reference densities, is stopped: it has diverged.
    List of two numbers, > 0, such as [0.5, 2], with 1 between them; default: [0.5, 2]."""
    until_steady: UntilSteady = field(default_factory=UntilSteady)


@dataclass(kw_only=True, repr=False)
class Tiling(Group, path="tiling"):
    """How the grid passes through the device. Results do not depend on it, bit for bit; speed
    and memory do."""

    scheme: typing.Literal["auto", "in_core", "wavefront", "halo"] = "auto"
    """How planes pass through the device. `in_core`: all stay there; `wavefront`: streamed
    through it without redundant work; `halo`: streamed in tiles that recompute their halos.
    `auto` takes `in_core` when the grid fits and `wavefront` when not. Word; default: auto."""
    steps_per_visit: int | typing.Literal["auto"] = "auto"
    """Time steps that a plane advances in one visit to the device. More hide the link better and
    need more device memory. Whole number, from 1 to 1024, or auto; default: auto."""
    planes_per_visit: int | typing.Literal["auto"] = "auto"
    """z-planes that move in one visit. Whole number, from 1 to 64, or auto; default: auto."""
    exchange: typing.Literal["auto", "device", "host", "mpi"] = "auto"
    """How several processes hand planes to each other. `device`: from GPU to GPU; `host`:
    through memory that the processes of a host share; `mpi`: by messages. `auto` takes the first
    of these that works between two processes. Word; default: auto."""


@dataclass(kw_only=True, repr=False)
class Device(Group, path="device"):
    """What computes."""

    backend: typing.Literal["auto", "cpu", "cuda"] = "auto"
    """What computes. `auto` takes a GPU when there is one. Word; default: auto."""
    index: int = 0
    """Which GPU, counted from 0. Whole number, from 0 to 1023; default: 0."""
    memory: int | str = "auto"
    """Memory on the device that the lattice may take. `auto`: what is free. Memory, bytes (8e9),
    an amount with its unit (8 GB, 512 MiB), or auto; default: auto."""
    threads: int = 0
    """Threads of the CPU backend; 0 means all cores. Whole number, from 0 to 4096; default: 0."""
    share: bool = False
    """Whether several processes of a host may use one GPU, each with its part of the memory that
    is free there; `device.memory` is then for each. Switch; default: false."""


@dataclass(kw_only=True, repr=False)
class Host(Group, path="host"):
    """The memory that holds a grid which does not fit the device."""

    memory: typing.Literal["auto", "pinned", "managed", "system"] = "auto"
    """Where the lattice of a run out of core lives. `pinned`: page-locked host memory;
    `managed`: CUDA managed memory, which must fit the card, too; `system`: plain memory that the
    GPU reads and writes itself (coherent machines). `auto` takes `pinned`. Word; default: auto."""
    memory_limit: int | str = "auto"
    """Host memory that the lattice may take. `auto`: what the machine says it has; state it
    where the machine does not know (containers). Memory, bytes (8e9), an amount with its unit (8
    GB, 512 MiB), or auto; default: auto."""


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
    """Fields of a part of the box at some steps, as files."""

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
    """Pressure and velocity at places, step by step."""

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
    """A result that the run shall come to."""

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


@dataclass(kw_only=True, repr=False)
class CaseKeys(Group, path=""):
    """The keys of a case; see `lbm.Case`."""

    name: str = "case"
    """Name of the case; results go to `out/<name>` unless `output.directory` says otherwise.
    Text, 1 to 100 letters, digits, `_`, `-` or `.`, the first a letter, digit or `_`; default:
    case."""
    units: typing.Literal["lattice", "si"] = "lattice"
    """What the numbers of the case are measured in. `lattice`: cells and dimensionless numbers;
    `si`: metres, seconds, kilograms. docs/units.md lists both. Word; default: lattice."""
    grid: Grid = field(default_factory=Grid)
    boundaries: Boundaries = field(default_factory=Boundaries)
    fluid: Fluid = field(default_factory=Fluid)
    lattice: Lattice = field(default_factory=Lattice)
    bodies: dict[str, Body] = field(default_factory=functools.partial(Named, Body))
    force: Force = field(default_factory=Force)
    initial: Initial = field(default_factory=Initial)
    run: Run = field(default_factory=Run)
    tiling: Tiling = field(default_factory=Tiling)
    device: Device = field(default_factory=Device)
    host: Host = field(default_factory=Host)
    output: Output = field(default_factory=Output)
    outputs: dict[str, FieldOutput] = field(default_factory=functools.partial(Named, FieldOutput))
    statistics: dict[str, Statistics] = field(default_factory=functools.partial(Named, Statistics))
    probes: dict[str, Probe] = field(default_factory=functools.partial(Named, Probe))
    checkpoint: Checkpoint = field(default_factory=Checkpoint)
    expect: dict[str, Expectation] = field(default_factory=functools.partial(Named, Expectation))
