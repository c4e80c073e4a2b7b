# SPDX-License-Identifier: Apache-2.0
"""Bodies and inlets made of arrays, which a case names as files of the user or temporary ones."""

from __future__ import annotations

import atexit
import functools
import hashlib
import io
import os
import shutil
import tempfile
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from lbm._arguments import PathLike, path_text
from lbm._case_classes import Body, Face
from lbm._files import refuse_existing, write_atomically
from lbm._groups import Wholes
from lbm._lbm import UsageError

Array = npt.NDArray[Any]

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
    path = _keep(memory.getvalue(), file, ".npy", overwrite)
    return Body(shape="voxels", file=path, fluid=fluid, **keys)


def _labels(given: Array) -> Array:
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
    path = _keep(("\n".join(lines) + "\n").encode(), file, ".csv", overwrite)
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


@functools.cache
def _folder(process: int) -> Path:
    """A folder of this process, removed when it ends."""
    folder = Path(tempfile.mkdtemp(prefix=f"lbm_arrays_{process}_"))
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    return folder


def _keep(content: bytes, file: PathLike | None, ending: str, overwrite: bool) -> str:
    """Writes the content to `file`, or to a temporary file named after the content.

    A file that has this content is left as it is. Returns: the absolute path. Raises UsageError for
    another ending, and where the file has another content, unless `overwrite` is true.
    """
    if file is None:
        name = hashlib.sha256(content).hexdigest()[:16] + ending
        path = _folder(os.getpid()) / name
    else:
        path = Path(path_text(file, "file")).absolute()
        if path.suffix != ending:
            raise UsageError(f"{file}: must end in {ending}")
    there = path.is_file() and path.stat().st_size == len(content)
    if not (there and path.read_bytes() == content):
        refuse_existing(path, overwrite or file is None)
        write_atomically(path, content)
    return str(path)


def temporary(entries: Iterable[tuple[str, str]]) -> list[str]:
    """The keys of a case, of (key, value as text), that name temporary files of this process."""
    if not _folder.cache_info().currsize:
        return []
    folder = str(_folder(os.getpid()))
    return [key for key, text in entries if folder in text]
