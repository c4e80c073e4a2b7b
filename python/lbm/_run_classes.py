# SPDX-License-Identifier: Apache-2.0
"""The groups of a case, their attributes the keys of the key table: the flow and its run.

Generated; to change it, change the table in cases/case/schema/keys_*.cpp, then
python -m lbm.generate_case_classes python/lbm
"""

import typing
from collections.abc import Sequence
from dataclasses import dataclass

from lbm._groups import (
    Formulas, Group, Number, Numbers, PathLike, Resets, Settable, Takes, Whole, group,
    unless_given,
)


@dataclass(kw_only=True, repr=False)
class Fluid(Group, path="fluid"):
    """The fluid. Exactly one of `reynolds`, `tau` and `viscosity`."""

    reynolds: Takes[float | None, Number] = unless_given(None)
    """Reynolds number: reference velocity x `fluid.length` / viscosity. Number, > 0; default:
    this, tau or viscosity."""
    tau: Takes[float | None, Number] = unless_given(None)
    """Relaxation time in steps; the viscosity is (tau - 1/2) / 3 in lattice units (cells^2 per
    step). Number, > 0.5 and < 1000; default: this, reynolds or viscosity."""
    viscosity: Takes[float | None, Number] = unless_given(None)
    """Kinematic viscosity in cells^2 per step; in m^2/s with `units: si`. Number, > 0; default:
    this, reynolds or tau."""
    target_reynolds: Takes[float | None, Number] = unless_given(None)
    """Reynolds number of the flow that is meant, where the grid bears only a lower one, as `lbm
    init` writes it. It changes no result; where the case computes another Reynolds number, all
    programs and pages say so beside forces. Number, > 0; default: none."""
    lattice_velocity: Takes[float, Number] = unless_given(0.1)
    """Reference velocity in cells per step. Smaller is more accurate and needs more steps; above
    0.173 (Mach 0.3) is refused. Number, > 0; default: 0.1."""
    length: Takes[float | None, Number] = unless_given(None)
    """Reference length in cells; in m with `units: si`, by default nx cells. Number, > 0;
    default: nx."""
    velocity: Takes[float | None, Number] = unless_given(None)
    """`units: si` only: reference velocity in m/s. Number, > 0; default: required in si."""
    density: Takes[float | None, Number] = unless_given(None)
    """`units: si` only: reference density in kg/m^3. Number, > 0; default: 1 in si."""


@dataclass(kw_only=True, repr=False)
class Lattice(Group, path="lattice"):
    """Collision model, and what is stored of a cell."""

    storage: Resets[typing.Literal["fp32", "fp16", "fp64"]] = unless_given("fp32")
    """How the values of a cell are stored. `fp16` halves memory and traffic, arithmetic stays in
    single precision; `fp64` doubles them and computes in double precision. Word; default: fp32."""
    representation: Resets[typing.Literal["auto", "populations", "moments"]] = unless_given("auto")
    """Stored values of a cell. `populations`: all 19; `moments`: the ten that `regularised` and
    `regularised_filtered` need, in 53 % of the memory: as fast on CPUs, 1.3 to 2.1 times as fast
    on an H200 GPU. `auto`: with these collisions `moments`, with others `populations`; after a
    restart that of the checkpoint. Both compute the same flow, but not the same bits; in `fp16`
    moments round slow changes more coarsely. Word; default: auto."""
    cells: Resets[typing.Literal["auto", "all", "fluid"]] = unless_given("auto")
    """Which cells have memory. `fluid`: only fluid cells, for rock and other boxes that are
    mostly solid; the flow is the same, bit for bit. Resting `voxels` then have no forces unless
    a quantity or an expectation asks for them. `all`: solid cells, too, which is faster where
    few cells are solid. `auto`: `fluid` if images of voxels leave at most 75 % of the box to the
    fluid. Word; default: auto."""
    collision: Resets[typing.Literal[
        "bgk", "trt", "regularised", "regularised_filtered"
    ]] = unless_given("bgk")
    """Collision model. `bgk`: one relaxation time; `trt`: two, the second by `lattice.magic`;
    `regularised`: BGK of the stresses only, stable at a lower tau but not along walls;
    `regularised_filtered`: the same, stable there too and in turbulent flow, with walls halfway
    between cells. Word; default: bgk."""
    magic: Takes[float | typing.Literal[
        "auto"
    ], Number | typing.Literal[
        "auto"
    ]] = unless_given("auto")
    """`trt` only: (tau+ - 1/2)(tau- - 1/2). With 3/16 a flat wall lies exactly halfway between
    cells, whatever the viscosity; but the error of the speed at which the flow carries itself
    along grows with it. `auto`: 0.1875 with walls or bodies, else 0.02 (docs/method.md#the-
    magic-parameter). Number, > 1e-06 and < 10, or auto; default: auto."""
    smagorinsky: Takes[float, Number] = unless_given(0.0)
    """Constant C_s of the Smagorinsky turbulence model, about 0.1 to 0.2; 0 switches it off.
    Number, >= 0 and < 1; default: 0."""


@dataclass(kw_only=True, repr=False)
class Force(Group, path="force"):
    """Acceleration of all fluid: `acceleration` x `acceleration_factor` + `amplitude` x cos(2 pi
    t / `period`)."""

    acceleration: Takes[list[float] | list[float | str] | None, Formulas] = unless_given(None)
    """Acceleration of all fluid, in U^2/L; in m/s^2 with `units: si`. Numbers, or formulas
    (docs/formulas.md) of the time `t`, in convective times, in s with `units: si`; or of the
    place, `x`, `y` and `z`. List of three numbers or formulas, such as [1, 0, 0] or ["cos(t)",
    0, 0]; default: none."""
    acceleration_factor: str | float | None = None
    """With an `acceleration` by formulas of the place only: a formula (docs/formulas.md) of the
    time `t` that multiplies it. Formula, such as "sin(t)", of at most 1000 ASCII characters;
    default: none."""
    amplitude: Takes[list[float] | None, Numbers] = unless_given(None)
    """Amplitude of an additional oscillating part: amplitude x cos(2 pi t / `force.period`).
    List of three numbers, such as [1, 0, 0]; default: none."""
    period: Takes[float | None, Number] = unless_given(None)
    """Period of the oscillating part, at least 4 steps. In convective times; in s with `units:
    si`. Number, > 0; default: none."""


@dataclass(kw_only=True, repr=False)
class Initial(Group, path="initial"):
    """The flow at time 0."""

    flow: Resets[typing.Literal[
        "rest", "uniform", "taylor_green", "duct", "perturbed_channel", "formula", "file",
        "arrays"
    ]] = unless_given("rest")
    """Flow at time 0. `rest`; `uniform`: `initial.velocity` everywhere; `taylor_green`: the
    Taylor-Green vortex with the reference velocity as amplitude (for periodic boxes); `duct`:
    developed flow along `initial.axis`; `perturbed_channel`: a parabola along `initial.axis`
    with disturbances; `formula`: `initial.velocity` and `initial.pressure` as formulas
    (docs/formulas.md) of the place; `file`: the flow of a results file, `initial.file`
    (docs/initial_flows.md); `arrays`: given by a Python program (docs/python.md). Word; default:
    rest."""
    velocity: Takes[list[float] | list[float | str] | None, Formulas] = unless_given(None)
    """`uniform`: the velocity (required). `duct`, `perturbed_channel`: the peak, along
    `initial.axis` only. `formula`: formulas (docs/formulas.md) of `x`, `y` and `z` (required).
    List of three numbers or formulas, such as [1, 0, 0] or ["sin(y)", 0, 0]; default: one
    reference velocity along the axis."""
    pressure: str | float | None = None
    """`formula` only: a formula (docs/formulas.md) of `x`, `y` and `z` for the pressure relative
    to the reference pressure, in rho0 U^2; in Pa with `units: si`. Formula, such as "1 - z/lz",
    of at most 1000 ASCII characters; default: 0 in formula."""
    file: Takes[str | None, PathLike] = unless_given(None)
    """`file` only: a `.hdf` file of all cells of a run in the same box, with velocity and
    density or pressure (docs/initial_flows.md). Its grid may be coarser or finer. Relative to
    the folder of the case. Text, 1 to 1000 characters; default: required by file."""
    axis: Resets[typing.Literal["x", "y", "z"]] = unless_given("z")
    """Axis of the mean flow. Word; default: z."""
    disturbance: Takes[float | None, Number] = unless_given(None)
    """`perturbed_channel` only: size of the divergence-free disturbances, relative to the peak.
    Number, >= 0 and < 1; default: 0.05 in perturbed_channel."""


@dataclass(kw_only=True, repr=False)
class UntilSteady(Group, path="run.until_steady"):
    """When a run ends early because the flow is steady."""

    tolerance: Takes[float | None, Number] = unless_given(None)
    """End the run early once the kinetic energy, or each of `run.until_steady.quantities`,
    changes by less than this, relative and per convective time, in three samples in a row.
    Number, > 0 and < 1; default: never."""
    every: Takes[float | None, Number] = unless_given(None)
    """Time between two samples, in convective times; in s with `units: si`. Number, > 0;
    default: one convective time."""
    quantities: Takes[list[str] | None, Sequence[str]] = unless_given(None)
    """Names under `quantities`: the run ends once all of them are steady. List of names, such as
    [drag, inflow]; default: the kinetic energy."""


@dataclass(kw_only=True, repr=False)
class Run(Group, path="run"):
    """How long to run. Exactly one of `steps`, `convective_times` and `time`."""

    steps: Takes[int | None, Whole] = unless_given(None)
    """Length of the run in steps. Whole number, from 1 to 1000000000000000; default: this,
    convective_times or time."""
    convective_times: Takes[float | None, Number] = unless_given(None)
    """Length of the run in convective times: `fluid.length` / `fluid.lattice_velocity` steps
    each, rounded to whole steps in all. Number, > 0; default: this, steps or time."""
    time: Takes[float | None, Number] = unless_given(None)
    """Length of the run in s with `units: si`; in convective times otherwise. Number, > 0;
    default: this, steps or convective_times."""
    walltime: Takes[float | None, Number] = unless_given(None)
    """Minutes that the program may take: the run saves a checkpoint and stops before, with exit
    code 6. Number, > 0; default: no limit."""
    max_mach: Takes[float, Number] = unless_given(0.6)
    """Stop a run with a higher local Mach number: it has diverged. Number, > 0; default: 0.6."""
    density_range: Takes[list[float], Numbers] = unless_given([0.5, 2.0])
    """Stop a run with a density outside this range, in reference densities: it has diverged.
    List of two numbers, > 0, such as [0.5, 2], with 1 between them; default: [0.5, 2]."""
    on_checkerboard: Resets[typing.Literal["stop", "warn"]] = unless_given("stop")
    """When the velocity keeps changing its sign from cell to cell, which is an instability.
    `stop`: end the run, it has diverged; `warn`: print a warning and go on. Not seen on a GPU
    yet. Word; default: stop."""
    until_steady: Settable[UntilSteady] = group(UntilSteady)


@dataclass(kw_only=True, repr=False)
class Tiling(Group, path="tiling"):
    """How the grid passes through the device (temporal blocking). Affects speed and memory, but
    not a single bit of the results."""

    scheme: Resets[typing.Literal["auto", "in_core", "wavefront", "halo"]] = unless_given("auto")
    """How planes pass through the device. `in_core`: all stay there; `wavefront`: streamed
    without redundant work; `halo`: streamed in tiles that recompute their halos. `auto`:
    `in_core` if the grid fits, else `wavefront`. Word; default: auto."""
    steps_per_visit: Takes[int | typing.Literal[
        "auto"
    ], Whole | typing.Literal[
        "auto"
    ]] = unless_given("auto")
    """Time steps per visit of a plane to the device. More steps hide the link better, but need
    more device memory. Whole number, from 1 to 1024, or auto; default: auto."""
    planes_per_visit: Takes[int | typing.Literal[
        "auto"
    ], Whole | typing.Literal[
        "auto"
    ]] = unless_given("auto")
    """z-planes loaded per visit. Whole number, from 1 to 64, or auto; default: auto."""
    steps_per_pass: Takes[int | typing.Literal[
        "auto"
    ], Whole | typing.Literal[
        "auto"
    ]] = unless_given("auto")
    """Time steps that the device makes in one pass over its memory. With 2 the planes between
    two steps stay on the chip of a GPU, or in the caches of a CPU, and `tiling.steps_per_visit`
    is at least 2; a CPU makes them in core only. The results are the same. `auto`: what is
    faster on this device. Whole number, from 1 to 2, or auto; default: auto."""
    exchange: Resets[typing.Literal["auto", "device", "host", "nccl", "mpi"]] = unless_given("auto")
    """How ranks exchange halo planes. `device`: between GPUs of a host; `host`: through shared
    memory of a host; `nccl`: between GPUs, also of several hosts; `mpi`: by MPI messages.
    `auto`: the first that works within a host, the faster one between hosts. Word; default:
    auto."""


@dataclass(kw_only=True, repr=False)
class Device(Group, path="device"):
    """The device that computes."""

    backend: Resets[typing.Literal["auto", "cpu", "cuda"]] = unless_given("auto")
    """Backend that computes. `auto`: a GPU if there is one. Word; default: auto."""
    index: Takes[int, Whole] = unless_given(0)
    """Which GPU, counted from 0. Whole number, from 0 to 1023; default: 0."""
    memory: Resets[int | str] = unless_given("auto")
    """Device memory for the lattice. `auto`: all that is free. Memory, bytes (8e9), an amount
    with its unit (8 GB, 512 MiB), or auto; default: auto."""
    threads: Takes[int, Whole] = unless_given(0)
    """Threads of the CPU backend. 0: one for each core that the process may use and that the
    quota of its control group leaves, but no more than one for 8192 cells. While other programs
    take the cores, fewer of them compute. Whole number, from 0 to 4096; default: 0."""
    share: Resets[bool] = unless_given(False)
    """Several ranks of a host may use one GPU, each with its share of the free memory;
    `device.memory` is then for each rank. Switch; default: false."""


@dataclass(kw_only=True, repr=False)
class Host(Group, path="host"):
    """Host memory of a grid that does not fit the device."""

    memory: Resets[typing.Literal["auto", "pinned", "managed", "system"]] = unless_given("auto")
    """Kind of host memory of an out-of-core lattice. `pinned`: page-locked; `managed`: CUDA
    managed memory, which must fit the GPU, too; `system`: plain memory that the GPU accesses
    directly (coherent machines). `auto`: `pinned`. Word; default: auto."""
    memory_limit: Resets[int | str] = unless_given("auto")
    """Host memory for the lattice. `auto`: what the machine reports; set it where the report is
    wrong (containers). Memory, bytes (8e9), an amount with its unit (8 GB, 512 MiB), or auto;
    default: auto."""
