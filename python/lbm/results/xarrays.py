# SPDX-License-Identifier: Apache-2.0
"""Datasets of xarray that read their values on use. Importing this module needs xarray."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from lbm.results.errors import MissingPackageError
from lbm.results.header import ImageHeader, length_and_time_units
from lbm.results.lazy import Array, LazyArray

try:
    import xarray
    from xarray.backends import BackendArray
    from xarray.core import indexing
except ImportError as error:
    raise MissingPackageError("to_xarray needs xarray: pip install xarray") from error

# Dimension of the components, and their labels.
COMPONENTS = {
    3: ("component", ["x", "y", "z"]),
    6: ("tensor", ["xx", "yy", "zz", "xy", "yz", "xz"]),
}


class _Stored(BackendArray):
    """A lazy array as xarray reads it."""

    def __init__(self, array: LazyArray) -> None:
        self.array = array
        self.shape = array.shape
        self.dtype = array.dtype

    def __getitem__(self, key: Any) -> Any:
        basic = indexing.IndexingSupport.BASIC
        return indexing.explicit_indexing_adapter(key, self.shape, basic, self._read)

    def _read(self, key: Any) -> Array:
        return np.asarray(self.array[key])


def _variable(array: LazyArray, dims: tuple[str, ...]) -> xarray.Variable:
    attrs = {"units": array.unit} if array.unit else {}
    return xarray.Variable(dims, indexing.LazilyIndexedArray(_Stored(array)), attrs)


def _dims(array: LazyArray, before: tuple[str, ...]) -> tuple[str, ...]:
    """Dimensions of an array; `before` are those ahead of z, y, x."""
    dims = (*before, "z", "y", "x")
    if array.ndim == len(dims):
        return dims
    count = array.shape[-1]
    return (*dims, COMPONENTS[count][0] if count in COMPONENTS else f"component{count}")


def _coordinates(header: ImageHeader) -> dict[str, Any]:
    length, _ = length_and_time_units(header.attrs)
    coords: dict[str, Any] = {a: (a, header.centres(a), {"units": length}) for a in "zyx"}
    for array in header.arrays.values():
        found = COMPONENTS.get(array.shape[-1]) if array.ndim > 3 else None
        if found:
            coords[found[0]] = found[1]
    return coords


def image_dataset(header: ImageHeader, time: float) -> xarray.Dataset:
    """The arrays of an image; dims z, y, x and component or tensor."""
    coords = _coordinates(header)
    coords["time"] = ((), time, {"units": length_and_time_units(header.attrs)[1]})
    variables = {name: _variable(a, _dims(a, ())) for name, a in header.arrays.items()}
    return xarray.Dataset(variables, coords, header.attrs)


def series_dataset(
    first: ImageHeader, arrays: Sequence[LazyArray], times: Array, steps: Array
) -> xarray.Dataset:
    """Arrays [time, z, y, x, ...]; dims time, z, y, x and component or tensor.

    first: the image at the first time, which gives coordinates and attributes.
    """
    coords = _coordinates(first)
    coords["time"] = ("time", times, {"units": length_and_time_units(first.attrs)[1]})
    coords["step"] = ("time", steps)
    variables = {a.name: _variable(a, _dims(a, ("time",))) for a in arrays}
    attrs = {k: v for k, v in first.attrs.items() if k not in ("time", "step")}
    return xarray.Dataset(variables, coords, attrs)
