# SPDX-License-Identifier: Apache-2.0
"""A case from an image: creeping flow through its pores, driven by a force."""

from __future__ import annotations

import math
import os
from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

import lbm._case_classes as keys
from lbm._arguments import PathLike, path_text
from lbm._lbm import VoxelImage
from lbm.case import Case
from lbm.errors import MissingFileError, UsageError

Labels = npt.NDArray[Any]
"""Whole numbers [z, y, x]."""

FACES = ("x_min", "x_max", "y_min", "y_max", "z_min", "z_max")

# Predicted Reynolds number of the pores, and difference of density over ten hydraulic diameters.
# The prediction may be low by a factor of ten: both stay far from where inertia or compression
# matter.
_REYNOLDS = 0.02
_DENSITY = 1e-3
# Time constant of the flow in wide pores, over hydraulic diameter^2 / viscosity: packs of
# overlapping grains (docs/rock.md).
_WIDE = 0.05
_LEAST_VISCOSITY, _MOST_VISCOSITY = 1 / 60, 1 / 3
_ERROR = 1e-3  # estimated, of the permeability at the end, relative


class PoreSpace(NamedTuple):
    """Facts of an image, in voxels, from which a flow through it is predicted."""

    cells: tuple[int, int, int]
    """Voxels along x, y, z."""
    porosity: float
    surface: float
    """Sides of voxels between pore and solid in a unit of volume, x 2/3: a smooth surface that lies
    in all directions alike has 2/3 of the area of its staircase."""

    @property
    def diameter(self) -> float:
        """Hydraulic diameter: 4 x volume / surface of the pores."""
        return 4 * self.porosity / self.surface

    @property
    def permeability(self) -> float:
        """Predicted by Kozeny and Carman, porosity^3 / (5 surface^2), to a factor of three or so.

        Carman (1937), Trans. Inst. Chem. Eng. 15, 150.
        """
        return self.porosity**3 / (5 * self.surface**2)


def open_image(
    file: PathLike,
    cells: Sequence[int] | None = None,
    type: str = "uint8",
    dataset: str = "",
) -> Labels:
    """The labels [z, y, x] of any image that `shape: voxels` takes (docs/voxels.md).

    A .npy, raw or other plain file is read on use; a compressed one, a folder or a pattern of
    planes is read into memory. cells, type: of a raw file, as the keys of a body; dataset: of an
    HDF5 file with several. Raises MissingFileError, UsageError.
    """
    name = path_text(file, "file")
    if not any(letter in name for letter in "*?[") and not os.path.exists(name):
        raise MissingFileError(f"{name}: does not exist; give the file of an image")
    try:
        voxels = None if cells is None else [int(count) for count in cells]
    except (TypeError, ValueError):
        voxels = []
    if voxels is not None and len(voxels) != 3:
        raise UsageError(f"cells: found {cells!r}, must be [nx, ny, nz]")
    image = VoxelImage(name, voxels, None if cells is None else type, dataset)
    shape = tuple(image.voxels)[::-1]
    kind = np.dtype(image.type).newbyteorder(">" if image.big_endian else "<")
    if image.plain_file and not name.endswith(".npy"):
        return np.memmap(image.plain_file, kind, "r", image.offset, shape)
    if image.plain_file:
        return np.asanyarray(np.load(name, mmap_mode="r"))
    labels: Labels = np.empty(shape, np.dtype(image.type))
    for z, plane in enumerate(labels):
        plane[:] = image.plane(z)
    return labels


def pore_space(image: npt.ArrayLike, fluid: Iterable[int] = (0,)) -> PoreSpace:
    """Counts the pores of an image and their walls, plane by plane; the image counts as periodic.

    Raises UsageError for an image without pores or without solid.
    """
    labels, wanted = np.asanyarray(image), list(fluid)
    first = previous = np.isin(labels[0], wanted)
    pores = sides = 0
    for plane in labels:
        here = np.isin(plane, wanted)
        pores += int(np.count_nonzero(here))
        sides += int(np.count_nonzero(here != previous))
        sides += sum(int(np.count_nonzero(here != np.roll(here, 1, axis))) for axis in (0, 1))
        previous = here
    sides += int(np.count_nonzero(first != previous))
    if sides == 0:
        raise UsageError(f"image: found pores in {pores} of {labels.size} voxels, must have both")
    nz, ny, nx = labels.shape
    return PoreSpace((nx, ny, nz), pores / labels.size, 2 / 3 * sides / labels.size)


def check_faces(case: Case, caller: str) -> None:
    """Raises UsageError, which names the caller, where a face is not periodic or has a pressure_drop."""
    for face in FACES:
        found = getattr(case.boundaries, face)
        if found.type != "periodic" or found.pressure_drop is not None:
            raise UsageError(
                f"{caller}: boundaries.{face}: found {found.type}, must be periodic without a"
                " pressure_drop: the force drives the flow"
            )


def image_case(
    file: PathLike,
    *,
    fluid: Sequence[int] = (0,),
    voxel: float | None = None,
    viscosity: float = 1e-6,
    along: str = "z",
    tau: float | None = None,
    name: str = "image",
    cells: Sequence[int] | None = None,
    type: str = "uint8",
    dataset: str = "",
) -> Case:
    """A case of creeping flow through an image in a periodic box. Its keys may still be changed.

    file: all that `shape: voxels` takes (docs/voxels.md): .npy, TIFF, HDF5 (of several
        datasets, `dataset`), a folder or a pattern of planes, or a raw file, with `cells` and `type`.
    fluid: the labels of the pores.
    voxel: the edge of a voxel in m: the case is in SI units. None: in lattice units.
    viscosity: of the fluid in m^2/s, with `voxel`. The permeability does not depend on it.
    along: the axis of the flow, x, y or z.
    tau: the relaxation time on the lattice; None: the one that should be steady soonest, from 0.55 to
        1.5. The collision is TRT, with which the permeability does not depend on tau.

    The run starts with the pressure of Darcy's law (`initial.flow: darcy`), on which its end does
    not depend. The force makes a Reynolds number of the pores of about 0.02 or less. The quantities are
    `permeability` against step and, at the end, `tortuosity`, `pore_velocity`, `pore_reynolds`
    (length: the hydraulic diameter of the pores) and `porosity`. The run ends when the estimated
    relative error of the permeability is below 0.001 (`run.until_steady.error`); no fields are
    written unless `output` says so. The image is read once, plane by plane, to predict the flow.
    """
    if along not in ("x", "y", "z"):
        raise UsageError(f"along: found {along!r}, must be x, y or z")
    space = pore_space(open_image(file, cells, type, dataset), fluid)
    flow = _Flow(space, _viscosity(space) if tau is None else (tau - 0.5) / 3)
    scales = _in_lattice_units(flow) if voxel is None else _in_si(flow, voxel, viscosity)
    case = Case(
        name=name,
        units="lattice" if voxel is None else "si",
        grid=keys.Grid(cells=list(space.cells), spacing=voxel),
        boundaries=keys.Boundaries(**{face: keys.Face(type="periodic") for face in FACES}),
        fluid=scales.fluid,
        lattice=keys.Lattice(collision="trt"),
        force=keys.Force(acceleration=[scales.acceleration * (a == along) for a in "xyz"]),
        initial=keys.Initial(flow="darcy"),
        run=keys.Run(
            steps=100 * flow.every,
            until_steady=keys.UntilSteady(error=_ERROR, quantities=["permeability"]),
        ),
        output=keys.Output(at_end=False, profiles=False, forces=flow.every),
    )
    case.bodies["image"] = keys.Body(shape="voxels", file=path_text(file, "file"), fluid=[*fluid])
    if cells is not None:
        case["bodies.image.cells"], case["bodies.image.type"] = list(cells), type
    if dataset:
        case["bodies.image.dataset"] = dataset
    case.quantities["permeability"] = keys.Quantity(kind="permeability", every_steps=flow.every)
    for kind in ("tortuosity", "pore_velocity", "pore_reynolds", "porosity"):  # at the end
        case.quantities[kind] = keys.Quantity(kind=kind)
    return case


class _Flow:
    """The predicted flow, in lattice units. The reference length is the hydraulic diameter, the
    reference velocity that of the pores."""

    def __init__(self, space: PoreSpace, viscosity: float) -> None:
        self.viscosity, self.length = viscosity, space.diameter
        self.velocity = _REYNOLDS * viscosity / self.length
        self.gradient = self.velocity * space.porosity * viscosity / space.permeability
        # The density differs by 3 x gradient x length.
        less = min(1, _DENSITY / (3 * 10 * self.length * self.gradient))
        self.velocity, self.gradient = self.velocity * less, self.gradient * less
        # Steps between samples: of this time constant, so that the flow is steady after some ten.
        # Even: in narrow pores even and odd steps may differ for ever, by some 1e-4.
        wide = _WIDE * self.length**2 / viscosity
        self.every = max(50, 2 * math.ceil(max(wide, _pressure_time(space, viscosity)) / 2))


def _pressure_time(space: PoreSpace, viscosity: float) -> float:
    """Time constant in steps of the slowest pressure wave of a periodic box.

    Darcy's law, u' = -(viscosity porosity / k) u - grad p, and p' = -div u / 3 with p = rho / 3, of
    the velocity u in the pores: a wave with the wave number q follows
    s^2 + (viscosity porosity / k) s + q^2 / 3 = 0. Heavily damped, it spreads like heat, in
    3 x viscosity x porosity / (k q^2) steps.
    """
    damping = viscosity * space.porosity / space.permeability
    root = damping**2 - 4 * _wave_number(space) ** 2 / 3
    if root <= 0:
        return 2 / damping
    # The smaller of the two rates, without cancellation.
    return (damping + math.sqrt(root)) / (2 * _wave_number(space) ** 2 / 3)


def _wave_number(space: PoreSpace) -> float:
    return 2 * math.pi / max(space.cells)


def _viscosity(space: PoreSpace) -> float:
    """Three times the viscosity at which the slowest pressure wave is just not damped away before it swings.

    The Darcy start leaves little of that wave, and a larger viscosity helps the flow in the pores (docs/rock.md).
    """
    critical = 2 * _wave_number(space) / math.sqrt(3) * space.permeability / space.porosity
    return min(max(3 * critical, _LEAST_VISCOSITY), _MOST_VISCOSITY)


class _Scales(NamedTuple):
    """Keys of the case in its units."""

    fluid: keys.Fluid
    acceleration: float


def _in_lattice_units(flow: _Flow) -> _Scales:
    tau = 3 * flow.viscosity + 0.5
    fluid = keys.Fluid(tau=tau, length=flow.length, lattice_velocity=flow.velocity)
    return _Scales(fluid, flow.gradient * flow.length / flow.velocity**2)


def _in_si(flow: _Flow, voxel: float, viscosity: float) -> _Scales:
    step = flow.viscosity * voxel**2 / viscosity
    fluid = keys.Fluid(
        length=flow.length * voxel,
        viscosity=viscosity,
        velocity=flow.velocity * voxel / step,
        lattice_velocity=flow.velocity,
    )
    return _Scales(fluid, flow.gradient * voxel / step**2)
