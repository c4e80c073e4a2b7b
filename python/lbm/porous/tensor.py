# SPDX-License-Identifier: Apache-2.0
"""The permeability tensor of a porous medium, and the files that have it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from lbm.errors import UsageError
from lbm.results.errors import need

DARCY = 1e-7 / 101325
"""m^2: 1 cP x 1 cm/s / (1 atm/cm)."""

AXES = "xyz"
KIND = "permeability tensor"
_BY_AXIS = ("tortuosity", "pore_velocity", "pore_reynolds", "steps", "status", "directories")

Matrix = npt.NDArray[np.float64]


@dataclass(frozen=True)
class PermeabilityTensor:
    """The permeability of a porous medium in all directions, and other numbers of the three runs.

    Of the three runs along x, y, z: tuples of three.
    """

    cells2: Matrix
    """The tensor [3, 3] in cells^2: k_ij = viscosity x <u_i> / g_j, <u> the superficial velocity of
    the run that g_j drives along axis j."""
    voxel: float | None
    """Edge of a cell in m; None: not known, and `m2` and `darcy` are errors."""
    porosity: float
    tortuosity: tuple[float, float, float]
    """Mean speed over mean velocity along the force, in the pores."""
    pore_velocity: tuple[float, float, float]
    """Mean velocity along the force in the pores, in U; in m/s with `units: si`."""
    pore_reynolds: tuple[float, float, float]
    """With `fluid.length`."""
    steps: tuple[int, int, int]
    status: tuple[str, str, str]
    """steady, or completed: the run ended at its last step, perhaps before it was steady."""
    directories: tuple[str, str, str]

    @property
    def m2(self) -> Matrix:
        """The tensor in m^2. Raises UsageError where the edge of a cell is not known."""
        if self.voxel is None:
            raise UsageError("permeability: the edge of a cell is not known: give voxel= in m")
        return self.cells2 * self.voxel**2

    @property
    def darcy(self) -> Matrix:
        """The tensor in darcy: 1 darcy is 9.869e-13 m^2."""
        return self.m2 / DARCY

    @property
    def symmetric(self) -> Matrix:
        """The symmetric part in cells^2. The tensor of creeping flow is symmetric."""
        return (self.cells2 + self.cells2.T) / 2

    @property
    def asymmetry(self) -> float:
        """Norm of the antisymmetric part over that of the symmetric part: an error of the runs."""
        skew = np.linalg.norm(self.cells2 - self.cells2.T) / 2
        return float(skew / np.linalg.norm(self.symmetric)) if self.cells2.any() else 0.0

    @property
    def principal_values(self) -> Matrix:
        """Eigenvalues of the symmetric part in cells^2, [3], the largest first."""
        return np.asarray(np.linalg.eigvalsh(self.symmetric)[::-1])

    @property
    def principal_directions(self) -> Matrix:
        """Unit vectors [3, 3]: row i belongs to principal value i; its largest component is > 0."""
        rows = np.linalg.eigh(self.symmetric)[1].T[::-1]
        largest = np.argmax(np.abs(rows), axis=1)
        return np.asarray(rows * np.sign(rows[np.arange(3), largest])[:, None])

    def as_dict(self) -> dict[str, Any]:
        """The content of permeability.json: numbers, texts and lists."""
        found: dict[str, Any] = {"kind": KIND, "cells2": self.cells2.tolist()}
        if self.voxel is not None:
            found |= {"voxel": self.voxel, "m2": self.m2.tolist(), "darcy": self.darcy.tolist()}
        return found | {
            "asymmetry": self.asymmetry,
            "principal_values_cells2": self.principal_values.tolist(),
            "principal_directions": self.principal_directions.tolist(),
            "porosity": self.porosity,
            **{name: list(getattr(self, name)) for name in _BY_AXIS},
        }

    def csv(self) -> str:
        """One row for each direction of the force."""
        tensors = {"cells2": self.cells2}
        if self.voxel is not None:
            tensors |= {"m2": self.m2, "darcy": self.darcy}
        frame: Any = need("pandas", "pandas", "csv").DataFrame({"along": list(AXES)})
        for unit, tensor in tensors.items():
            for i, axis in enumerate(AXES):
                frame[f"k_{axis}_{unit}"] = tensor[i]
        frame["porosity"] = self.porosity
        for name in _BY_AXIS:
            frame[name] = getattr(self, name)
        return str(frame.to_csv(index=False))

    def __str__(self) -> str:
        scale, unit = (1.0, "cells^2") if self.voxel is None else (self.voxel**2 / DARCY, "darcy")
        lines = [f"permeability [{unit}], columns: force along x, y, z"]
        lines += ["  " + " ".join(f"{k * scale:12.5g}" for k in row) for row in self.cells2]
        principal = ", ".join(f"{k * scale:.5g}" for k in self.principal_values)
        lines += [f"principal values {principal}; asymmetry {self.asymmetry:.2g}"]
        lines += [f"porosity {self.porosity:.5g}"]
        for name in ("tortuosity", "pore_velocity", "pore_reynolds"):
            lines += [f"{name} " + ", ".join(f"{value:.4g}" for value in getattr(self, name))]
        ends = (f"{status} after {steps}" for status, steps in zip(self.status, self.steps))
        return "\n".join([*lines, "steps: " + ", ".join(ends)])
