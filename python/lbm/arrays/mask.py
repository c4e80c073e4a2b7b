# SPDX-License-Identifier: Apache-2.0
"""A body from an array: solid cells, or labels of voxels."""

from __future__ import annotations

import io
from typing import Any

import numpy as np
import numpy.typing as npt

from lbm._arguments import PathLike
from lbm._case_classes import Body
from lbm._groups import Wholes
from lbm._lbm import UsageError
from lbm.arrays.kept import keep

_TYPES = ("uint8", "int8", "uint16", "int16", "uint32", "int32")


def mask(
    solid: npt.ArrayLike,
    file: PathLike | None = None,
    *,
    fluid: Wholes = (0,),
    overwrite: bool = False,
    **keys: Any,
) -> Body:
    """A body of cells: `case.bodies["rock"] = lbm.mask(solid)`.

    solid: [nz, ny, nx]; the last axis is x. Booleans: True is solid. Whole numbers: labels, of
        which those in `fluid` are pores and all others solid.
    file: the .npy file that the case then names. By default a temporary file, which goes with this
        Python: give a name for runs that are restarted, repeated or read later. A file with the
        same content is left as it is; another one is replaced only with overwrite=True.
    fluid: labels of the pores; default: 0, which is False.
    keys: other keys of a body, such as translate=[8, 8, 8] (in cells; in m with `units: si`),
        connected="z", or repeat=[1, 1, 2]; docs/voxels.md has them all.

    Each entry becomes a cell, and walls lie halfway between cells. A case whose only voxels these
    are may leave out grid.cells: the grid then has the size of the array. The array is copied once.

    Returns: a Body of shape "voxels". Raises UsageError for an array that is not of whole numbers
    or not of three axes, and for a file with another content; ResourceError where the file cannot
    be written.
    """
    labels = _labels(np.asarray(solid))
    memory = io.BytesIO()
    np.save(memory, labels)
    path = keep(memory.getvalue(), file, ".npy", overwrite)
    return Body(shape="voxels", file=path, fluid=fluid, **keys)


def _labels(given: npt.NDArray[Any]) -> npt.NDArray[Any]:
    """The labels in the first type that holds them; [z, y, x] in C order."""
    if given.ndim != 3 or given.size == 0 or given.dtype.kind not in "biu":
        raise UsageError(
            f"mask: found an array of {given.dtype} {given.shape}, must be booleans or whole "
            "numbers (nz, ny, nx)"
        )
    if given.dtype.kind == "b":
        return np.ascontiguousarray(given, dtype=np.uint8)
    low, high = int(given.min()), int(given.max())
    for name in (given.dtype.name, *_TYPES):
        if name in _TYPES and np.iinfo(name).min <= low and high <= np.iinfo(name).max:
            return np.ascontiguousarray(given, dtype=name)
    raise UsageError(f"mask: found labels from {low} to {high}, must be numbers of at most 32 bits")
