# SPDX-License-Identifier: Apache-2.0
"""Arrays that stay in their files until they are indexed."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np
import numpy.typing as npt

Array = npt.NDArray[Any]
# The wanted elements along each axis: 0 <= start <= stop <= length, step >= 1.
Box = tuple[slice, ...]


def _pick(key: Any, length: int) -> tuple[slice, Any]:
    """The elements to read along an axis, and the index into them."""
    picked = range(length)[key]  # IndexError where it is outside
    if isinstance(picked, int):
        return slice(picked, picked + 1, 1), 0
    forward = picked if picked.step > 0 else picked[::-1]
    if not forward:
        return slice(0, 0, 1), slice(None)
    back = slice(None, None, 1 if picked.step > 0 else -1)
    return slice(forward[0], forward[-1] + 1, forward.step), back


def _plain(key: Any) -> bool:
    return isinstance(key, slice) or (
        isinstance(key, (int, np.integer)) and not isinstance(key, bool)
    )


def split_key(key: Any, shape: tuple[int, ...]) -> tuple[Box, tuple[Any, ...]] | None:
    """Box to read and index into it; None for keys other than whole numbers and slices."""
    keys = key if isinstance(key, tuple) else (key,)
    if sum(k is Ellipsis for k in keys) == 1:
        at = next(i for i, k in enumerate(keys) if k is Ellipsis)
        fill = (slice(None),) * (len(shape) - len(keys) + 1)
        keys = keys[:at] + fill + keys[at + 1 :]
    if not all(_plain(k) for k in keys):
        return None
    if len(keys) > len(shape):
        raise IndexError(f"{len(keys)} indices for an array of {len(shape)} axes")
    keys = keys + (slice(None),) * (len(shape) - len(keys))
    picks = [_pick(k, n) for k, n in zip(keys, shape)]
    return tuple(p[0] for p in picks), tuple(p[1] for p in picks)


def box_shape(box: Box) -> tuple[int, ...]:
    """Elements along each axis of a box."""
    return tuple(len(range(s.start, s.stop, s.step)) for s in box)


def _inside(outer: slice, inner: slice) -> slice:
    """The elements of `outer` at the positions `inner`."""
    picked = range(outer.start, outer.stop, outer.step)[inner]
    return slice(picked[0], picked[-1] + 1, picked.step) if picked else slice(0, 0, 1)


def _read_inside(read: Callable[[Box], Array], outer: Box, inner: Box) -> Array:
    return read(tuple(_inside(o, i) for o, i in zip(outer, inner)))


class LazyArray(np.lib.mixins.NDArrayOperatorsMixin):
    """An array in a file. An index reads the indexed elements only.

    `array[10, :, :, 0]` reads one plane; `np.asarray(array)`, arithmetic and NumPy functions read
    the whole array. Values are not kept between two accesses.

    Attributes:
        name: name of the array.
        shape: (nz, ny, nx) or (nz, ny, nx, components) for images.
        dtype: type of the values in memory.
        unit: unit of the values, such as 'm/s' or 'U'; empty for dimensionless values.
    """

    def __init__(
        self,
        name: str,
        shape: tuple[int, ...],
        dtype: npt.DTypeLike,
        read: Callable[[Box], Array],
        unit: str = "",
    ) -> None:
        self.name = name
        self.shape = shape
        self.dtype = np.dtype(dtype)
        self.unit = unit
        self._read = read

    @property
    def ndim(self) -> int:
        """Number of axes."""
        return len(self.shape)

    @property
    def size(self) -> int:
        """Number of values."""
        return int(np.prod(self.shape, dtype=np.int64))

    @property
    def nbytes(self) -> int:
        """Bytes of all values in memory."""
        return self.size * self.dtype.itemsize

    def part(self, box: Box) -> LazyArray:
        """The values in a box along the first axes, as an array that is still in the file."""
        rest = tuple(slice(0, n, 1) for n in self.shape[len(box) :])
        read = partial(_read_inside, self._read, box + rest)
        return LazyArray(self.name, box_shape(box + rest), self.dtype, read, self.unit)

    def __len__(self) -> int:
        return self.shape[0]

    def __getitem__(self, key: Any) -> Any:
        parts = split_key(key, self.shape)
        if parts is None:
            return np.asarray(self)[key]
        box, rest = parts
        return self._read(box)[rest]

    def __array__(self, dtype: npt.DTypeLike | None = None, copy: bool | None = None) -> Array:
        if copy is False:
            raise ValueError(f"{self.name} is in a file: as an array it is a copy")
        values: Array = self[...]
        return values if dtype is None else values.astype(dtype, copy=False)

    def __array_ufunc__(self, ufunc: np.ufunc, method: str, *inputs: Any, **how: Any) -> Any:
        arrays = [np.asarray(i) if isinstance(i, LazyArray) else i for i in inputs]
        return getattr(ufunc, method)(*arrays, **how)

    def __repr__(self) -> str:
        unit = f" in {self.unit}" if self.unit else ""
        return f"<{self.name}: {self.dtype} {self.shape}{unit}, in the file>"
