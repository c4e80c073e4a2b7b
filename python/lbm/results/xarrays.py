"""Images as xarray.Dataset that reads what is needed. Imported where xarray is wanted."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from lbm.results.header import length_and_time_units
from lbm.results.lazy import Array, LazyArray
from lbm.results.stack import images_of, stacked
from lbm.results.trouble import MissingPackageError

try:
    import xarray
    from xarray.backends import BackendArray
    from xarray.core import indexing
except ImportError as error:
    raise MissingPackageError("to_xarray needs xarray: pip install xarray") from error

if TYPE_CHECKING:
    from lbm.results.image import Image
    from lbm.results.series import Series

# Dimension and labels of the components.
COMPONENTS = {
    3: ("component", ["x", "y", "z"]),
    6: ("tensor", ["xx", "yy", "zz", "xy", "yz", "xz"]),
}


class _Stored(BackendArray):
    """What xarray asks for the values."""

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
    """array: of one image."""
    dims = (*before, "z", "y", "x")
    if array.ndim == 3:
        return dims
    count = array.shape[-1]
    return (*dims, COMPONENTS[count][0] if count in COMPONENTS else f"component{count}")


def _coordinates(image: Image, arrays: list[LazyArray]) -> dict[str, Any]:
    length, _ = length_and_time_units(image.attrs)
    coords: dict[str, Any] = {a: (a, image.centres(a), {"units": length}) for a in "zyx"}
    for array in arrays:
        found = COMPONENTS.get(array.shape[-1]) if array.ndim > 3 else None
        if found:
            coords[found[0]] = found[1]
    return coords


def image_dataset(image: Image) -> xarray.Dataset:
    """See Image.to_xarray."""
    arrays = [image[name] for name in image.arrays]
    coords = _coordinates(image, arrays)
    coords["time"] = ((), image.time, {"units": length_and_time_units(image.attrs)[1]})
    variables = {a.name: _variable(a, _dims(a, ())) for a in arrays}
    return xarray.Dataset(variables, coords, image.attrs)


def series_dataset(series: Series[Any]) -> xarray.Dataset:
    """See Series.to_xarray."""
    first = images_of(series)[0]
    arrays = [first[name] for name in first.arrays]
    coords = _coordinates(first, arrays)
    coords["time"] = ("time", series.times, {"units": length_and_time_units(first.attrs)[1]})
    coords["step"] = ("time", series.steps)
    variables = {a.name: _variable(stacked(series, a.name), _dims(a, ("time",))) for a in arrays}
    attrs = {k: v for k, v in first.attrs.items() if k not in ("time", "step")}
    return xarray.Dataset(variables, coords, attrs)
