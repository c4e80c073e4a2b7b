# SPDX-License-Identifier: Apache-2.0
"""Arrays that stay in their files until they are indexed."""

from __future__ import annotations

import copy
import functools
from collections.abc import Callable
from typing import Any

import numpy as np
import numpy.typing as npt

Array = npt.NDArray[Any]
# The wanted elements along each axis: 0 <= start <= stop <= length, step >= 1.
Box = tuple[slice, ...]


def _plain(key: Any) -> bool:
    return isinstance(key, slice) or (
        isinstance(key, (int, np.integer)) and not isinstance(key, bool)
    )


def _whole_key(key: Any, axes: int) -> tuple[Any, ...] | None:
    """One number or slice for each axis; None for other keys."""
    keys = key if isinstance(key, tuple) else (key,)
    if sum(k is Ellipsis for k in keys) == 1:
        at = next(i for i, k in enumerate(keys) if k is Ellipsis)
        keys = keys[:at] + (slice(None),) * (axes - len(keys) + 1) + keys[at + 1 :]
    if not all(_plain(k) for k in keys):
        return None
    if len(keys) > axes:
        raise IndexError(f"{len(keys)} indices for an array of {axes} axes")
    return keys + (slice(None),) * (axes - len(keys))


def _to_read(picked: int | range) -> slice:
    """The elements of the file, in rising order."""
    some = range(picked, picked + 1) if isinstance(picked, int) else picked
    some = some if some.step > 0 else some[::-1]
    return slice(some[0], some[-1] + 1, some.step) if some else slice(0, 0, 1)


def _of_read(picked: int | range) -> Any:
    """The index into what was read."""
    return 0 if isinstance(picked, int) else slice(None, None, 1 if picked.step > 0 else -1)


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
        self.dtype = np.dtype(dtype)
        self.unit = unit
        self._read = read
        self._elements = tuple(range(n) for n in shape)  # of the file, along each axis

    @property
    def shape(self) -> tuple[int, ...]:
        """Elements along each axis."""
        return tuple(map(len, self._elements))

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
        made = copy.copy(self)
        some = tuple(elements[s] for elements, s in zip(self._elements, box))
        made._elements = some + self._elements[len(box) :]
        return made

    def kept(self) -> LazyArray:
        """The same array, all of whose values are kept from the first read on."""
        whole = functools.cache(lambda: np.asarray(self))
        return LazyArray(self.name, self.shape, self.dtype, lambda box: whole()[box], self.unit)

    def __len__(self) -> int:
        return self.shape[0]

    def __getitem__(self, key: Any) -> Any:
        keys = _whole_key(key, self.ndim)
        if keys is None:
            return np.asarray(self)[key]
        picked = [elements[k] for elements, k in zip(self._elements, keys)]  # IndexError: outside
        return self._read(tuple(map(_to_read, picked)))[tuple(map(_of_read, picked))]

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
