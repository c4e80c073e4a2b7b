# SPDX-License-Identifier: Apache-2.0
"""An inlet from an array of velocities."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from lbm._arguments import PathLike
from lbm._case_classes import Face
from lbm._lbm import UsageError
from lbm.arrays.kept import keep

Array = npt.NDArray[Any]


def inlet_table(
    first: npt.ArrayLike,
    second: npt.ArrayLike,
    velocity: npt.ArrayLike,
    file: PathLike | None = None,
    *,
    overwrite: bool = False,
    **keys: Any,
) -> Face:
    """An inlet with given velocities: `case.boundaries.z_min = lbm.inlet_table(x, y, u)`.

    first, second: [n1] and [n2], coordinates of the table along the two axes across the face, in
        the order x, y, z, from the corner of the grid, in cells; in m with `units: si`. One number
        where the velocity does not depend on that axis.
    velocity: [n2, n1, 3], as a plane of simulation.velocity() has it, in reference velocities; in
        m/s with `units: si`. Also [n1, 3] or [n2, 3] where the other axis has one number.
    file: the .csv file that the case then names; as for lbm.mask a temporary one by default.
    keys: other keys of a face, such as ramp_time=1.

    The solver interpolates linearly between the points; beyond the outermost points the velocity is
    constant. To give only a normal velocity w on a face of z: numpy.stack([0 * w, 0 * w, w], -1).

    Returns: a Face of type "velocity" with the profile "table". Raises UsageError for coordinates
    that do not rise, for other shapes and for values that are not finite.
    """
    a, b = _coordinates(first, "first"), _coordinates(second, "second")
    u = _velocity(velocity, len(a), len(b))
    columns = [np.tile(a, len(b)), np.repeat(b, len(a)), *u.reshape(-1, 3).T]
    lines = [",".join(repr(float(value)) for value in row) for row in zip(*columns)]
    path = keep(("\n".join(lines) + "\n").encode(), file, ".csv", overwrite)
    return Face(type="velocity", profile="table", file=path, **keys)


def _numbers(given: npt.ArrayLike, name: str) -> Array:
    try:
        found = np.asarray(given, dtype=np.float64)
    except (TypeError, ValueError):
        raise UsageError(
            f"{name}: found {type(given).__name__}, must be an array of numbers"
        ) from None
    if not np.isfinite(found).all():
        raise UsageError(f"{name}: found a value that is not finite, must be numbers")
    return found


def _coordinates(given: npt.ArrayLike, name: str) -> Array:
    places = np.atleast_1d(_numbers(given, name))
    if places.ndim != 1 or not len(places) or (np.diff(places) <= 0).any():
        raise UsageError(
            f"{name}: found an array {places.shape}, must be coordinates (n,) that rise"
        )
    return places


def _velocity(given: npt.ArrayLike, n1: int, n2: int) -> Array:
    found = _numbers(given, "velocity")
    shapes = {(n2, n1, 3)} | ({(max(n1, n2), 3)} if min(n1, n2) == 1 else set())
    if found.shape not in shapes:
        raise UsageError(
            f"velocity: found an array {found.shape}, must be (n2, n1, 3), here {(n2, n1, 3)}"
        )
    return found
