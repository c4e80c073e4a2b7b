# SPDX-License-Identifier: Apache-2.0
"""Pictures of planes through the newest files of fields; a plane can be moved."""

from __future__ import annotations

import base64
import io
import math
import re
import threading
from collections import OrderedDict
from pathlib import Path
from typing import Any

import h5py  # type: ignore[import-untyped,unused-ignore]
import numpy as np

from lbm._lbm import UsageError
from lbm.plot.labels import labelled, words
from lbm.report_page.pictures import pressure_of
from lbm.report_page.planes import MOST_BYTES, Plane, plane_at
from lbm.results import Image
from lbm.results.errors import need
from lbm.results.header import field_unit, length_and_time_units
from lbm.results.lazy import Array
from lbm.watch import files

_FILE = re.compile(r"(?P<name>.+)_(?P<step>\d{9,15})\.(hdf|vtkhdf)")
_MOST_SERIES = 12
_MOST_IMAGES = 32  # headers that are kept
_SMOOTH = 640  # pixels up to which values are interpolated between the centres of cells
_BODY = (154, 161, 168)
_SIGNED = ("velocity_x", "velocity_y", "velocity_z", "vorticity")
_FEW = 0.05  # of the range on the other side of 0, below which only one side counts
_COLOURS = 33  # of the colour bar


class Slices:
    """The files of fields of a run as they are now."""

    def __init__(self) -> None:
        self._images: OrderedDict[tuple[Any, ...], Image] = OrderedDict()
        self._lock = threading.Lock()

    def series(self, directory: Path) -> list[dict[str, Any]]:
        """Series of fields: steps, axes that can be cut, quantities."""
        found = []
        for name, steps in list(_series(directory).items())[:_MOST_SERIES]:
            try:
                image = self._image(directory, name, steps)
                found.append(_described(name, sorted(steps), image))
            except (UsageError, OSError) as error:
                found.append({"name": name, "problem": str(error)[:300]})
        found.sort(key=lambda one: (one["name"] != "fields", "problem" in one, one["name"]))
        return found

    def slice(self, directory: Path, wish: dict[str, str]) -> dict[str, Any]:
        """A picture. wish: series, axis, index, quantity, step, low and high (the colours as now).

        Raises UsageError for what there is not.
        """
        steps = _series(directory).get(wish.get("series", ""))
        if steps is None:
            raise UsageError("There is no such series of fields.")
        chosen = wish.get("step", "")
        if chosen and (not chosen.isdecimal() or int(chosen[:18]) not in steps):
            raise UsageError("There is no file of this step.")
        image = self._image(directory, wish["series"], steps, int(chosen) if chosen else None)
        axis, counts = wish.get("axis", ""), dict(zip("zyx", image.shape))
        if axis not in _axes(image):
            raise UsageError("The fields cannot be cut along this axis.")
        index = _whole(wish.get("index", ""), counts[axis])
        plane = plane_at(image, axis, index)
        quantity = wish.get("quantity", "")
        try:
            values, label = _values(plane, quantity)
        except UsageError:
            raise
        except Exception as error:  # noqa: BLE001 - arrays of texts, damaged chunks, ...
            raise UsageError(f"{image.path.name}: this quantity cannot be drawn.") from error
        signed = quantity in _SIGNED and _of_both_signs(values)
        own = _own_range(values, signed)
        low, high = steady_range(own, _number(wish.get("low")), _number(wish.get("high")))
        return _picture(plane, values, label, (low, high), signed, index)

    def _image(
        self, directory: Path, name: str, steps: dict[int, str], step: int | None = None
    ) -> Image:
        path = directory / steps[max(steps) if step is None else step]
        facts = files.regular(path)
        if facts is None:
            raise UsageError(f"{path.name}: is no regular file.")
        key = (path, facts.st_ino, facts.st_mtime_ns, facts.st_size)
        with self._lock:
            if key not in self._images:
                refuse_other_files(path)
                image = Image(path)
                try:
                    image.header  # noqa: B018 - it is read, or refused, now
                except Exception as error:  # noqa: BLE001 - of a file that is damaged
                    why = (str(error).splitlines() or [type(error).__name__])[0]
                    raise UsageError(f"{path.name}: cannot be read: {why}") from error
                self._images[key] = image
            self._images.move_to_end(key)
            while len(self._images) > _MOST_IMAGES:
                self._images.popitem(last=False)
            return self._images[key]


def refuse_other_files(path: Path) -> None:
    """Raises UsageError for an HDF5 file that takes data from other files."""
    try:
        with h5py.File(path, "r") as file:
            places = [(file, "VTKHDF"), *((file["VTKHDF"], name) for name in file["VTKHDF"])]
            group = file["VTKHDF"].get("PointData", getlink=True)
            if isinstance(group, h5py.HardLink):
                arrays = file["VTKHDF/PointData"]
                places += [(arrays, name) for name in list(arrays)[:1000]]
            for parent, name in places:
                if not isinstance(parent.get(name, getlink=True), h5py.HardLink):
                    raise UsageError(f"{path.name}: has a link, which is not followed")
                data = parent[name]
                if isinstance(data, h5py.Dataset) and (data.external or data.is_virtual):
                    raise UsageError(f"{path.name}: its data are in other files")
    except UsageError:
        raise
    except Exception as error:  # noqa: BLE001 - h5py raises anything for a damaged file
        raise UsageError(f"{path.name}: is damaged, or no VTKHDF file") from error


def _series(directory: Path) -> dict[str, dict[int, str]]:
    """Files by name and step."""
    found: dict[str, dict[int, str]] = {}
    for name in files.names(directory):
        if parts := _FILE.fullmatch(name):
            found.setdefault(parts["name"], {})[int(parts["step"])] = name
    return found


def _axes(image: Image) -> list[str]:
    """Axes across which planes can be read: of a thin image that one, of a large one not x."""
    counts = dict(zip("zyx", image.shape))
    thin = [axis for axis, n in counts.items() if n == 1]
    if thin:
        return thin[:1]
    large = max((image[name].nbytes for name in image.arrays), default=0) > MOST_BYTES
    return ["y", "z"] if large else ["y", "x", "z"]


def _described(name: str, steps: list[int], image: Image) -> dict[str, Any]:
    counts = dict(zip("zyx", image.shape))
    length, time = length_and_time_units(image.attrs)
    quantities = []
    for array in image.arrays:
        width = len(image[array].shape) - 3
        if array == "velocity" and width == 1:
            quantities += ["speed", "velocity_x", "velocity_y", "velocity_z", "vorticity"]
        elif width == 0 and array != "solid":
            quantities.append(array)
        elif width == 1 and image[array].shape[-1] == 3:
            quantities.append(f"size:{array}")
    if "density" in image.arrays and "pressure" not in quantities:
        quantities.append("pressure")
    return {
        "name": name,
        "step": steps[-1],
        "steps": steps[-500:],
        "time": _finite(image.time),
        "axes": [
            {
                "name": axis,
                "count": counts[axis],
                "first": _finite(image.centres(axis)[0]),
                "spacing": _finite(image.spacing["xyz".index(axis)]),
            }
            for axis in _axes(image)
        ],
        "quantities": [{"name": q, "label": _shown(q)} for q in quantities],
        "length": length,
        "clock": time,
    }


def _shown(quantity: str) -> str:
    start, _, name = quantity.partition(":")
    if start == "size" and name:
        return f"size of {words(name)}"
    axis = re.fullmatch("velocity_([xyz])", quantity)
    return f"velocity along {axis[1]}" if axis else words(quantity)


def _values(plane: Plane, quantity: str) -> tuple[Any, str]:
    """The values on a plane, masked in bodies, and their label with the unit."""
    known, attrs = plane.cut.arrays, plane.image.attrs
    name, values = quantity, None
    if quantity == "speed" and plane.velocity is not None:
        name, values = "velocity", np.linalg.norm(plane.velocity, axis=-1)
    elif quantity in ("velocity_x", "velocity_y", "velocity_z") and plane.velocity is not None:
        name, values = "velocity", plane.component(quantity[-1])
    elif quantity == "vorticity" and quantity not in known:
        values = plane.vorticity()
    elif quantity == "pressure":
        values = pressure_of(plane)
    elif quantity.startswith("size:") and quantity[5:] in known:
        name = quantity[5:]
        values = np.linalg.norm(np.asarray(plane.cut[name], np.float64), axis=-1)
    elif quantity in known:
        values = np.asarray(plane.cut[quantity], np.float64)
    if values is None or values.ndim != 2:
        raise UsageError("The fields do not have this quantity on this plane.")
    label = f"vorticity along {plane.normal}" if quantity == "vorticity" else _shown(quantity)
    return plane.masked(values), labelled(label, field_unit(name, attrs))


def _of_both_signs(values: Any) -> bool:
    """Whether values lie on both sides of 0, so that its colour should be in the middle."""
    some = values.compressed()
    if not len(some):
        return False
    low, high = float(some.min()), float(some.max())
    return low < -_FEW * high and high > -_FEW * low


def _own_range(values: Any, signed: bool) -> tuple[float, float]:
    """The range of the colours that fits values: few extreme ones do not count."""
    some = values.compressed()
    if not len(some):
        return 0.0, 1.0
    low, high = (float(v) for v in np.quantile(some, [0.002, 0.998]))
    if signed:
        high = max(abs(low), abs(high))
        low = -high
    elif low >= 0 and low < 0.5 * high:
        low = 0.0
    return (low, high) if high > low else (low - 0.5, high + 0.5)


def steady_range(
    own: tuple[float, float], low: float | None, high: float | None
) -> tuple[float, float]:
    """The range to draw: that of the picture before, while it fits, so that films do not flicker.

    It fits where it has all of the wanted range, and this takes half of it at least. A new range
    has round ends.
    """
    wide = own[1] - own[0]
    if low is not None and high is not None and low <= own[0] and own[1] <= high:
        if high - low <= 2 * wide * 1.3:
            return low, high
    unit = 10.0 ** math.floor(math.log10(wide)) / 5 if math.isfinite(wide) and wide > 0 else 1.0
    return math.floor(own[0] / unit) * unit, math.ceil(own[1] / unit) * unit


def _picture(
    plane: Plane, values: Any, label: str, ends: tuple[float, float], signed: bool, index: int
) -> dict[str, Any]:
    colormaps = need("matplotlib", "matplotlib", "lbm watch").colormaps
    colours = colormaps["coolwarm" if signed else "viridis"]
    axes, extent = plane.axes, plane.extent
    if extent[3] - extent[2] > 1.2 * (extent[1] - extent[0]):  # the longer axis lies flat
        values, axes, extent = values.T, axes[::-1], (*extent[2:], *extent[:2])
    pixels, solid = smoothed(values)
    shades = (np.asarray(colours(np.linspace(0, 1, 255)))[:, :3] * 255).astype(np.uint8)
    shares = np.clip((pixels - ends[0]) * (254 / (ends[1] - ends[0])), 0, 254)
    numbers = np.where(solid, 255, np.nan_to_num(shares)).astype(np.uint8)
    rgb = np.concatenate([shades, np.array([_BODY], np.uint8)])[numbers]
    factor, length = plane.length_unit
    some = values.compressed()
    bar = np.asarray(colours(np.linspace(0, 1, _COLOURS)))[:, :3] * 255
    return {
        "png": base64.b64encode(_png(rgb[::-1])).decode(),
        "extent": [_finite(v * factor) for v in extent],
        "axes": [labelled(axes[1], length), labelled(axes[0], length)],
        "range": [_finite(v) for v in ends],
        "values": [_finite(some.min()), _finite(some.max())] if len(some) else None,
        "label": label,
        "colours": ["#%02x%02x%02x" % tuple(int(v) for v in one) for one in bar],
        "place": plane.place,
        "step": int(plane.image.attrs.get("step", 0)),
        "index": index,
        "bodies": bool(solid.any()),
    }


def smoothed(values: Any) -> tuple[Array, Array]:
    """More pixels for few cells, [rows, columns], interpolated between centres; and the bodies.

    Cells in bodies do not count: the weights of the others grow in their place.
    """
    factor = max(1, _SMOOTH // max(values.shape))
    solid = np.ma.getmaskarray(values)
    plain = np.where(solid, 0.0, np.ma.getdata(values))
    if factor == 1:
        return plain, solid
    weights = _stretched(_stretched((~solid).astype(float), factor).T, factor).T
    sums = _stretched(_stretched(plain, factor).T, factor).T
    with np.errstate(invalid="ignore", divide="ignore"):
        fine = np.where(weights > 0, sums / weights, 0.0)
    return fine, np.repeat(np.repeat(solid, factor, axis=0), factor, axis=1)


def _stretched(values: Array, factor: int) -> Array:
    """Rows of `factor` times as many, interpolated linearly."""
    count = len(values)
    at = np.clip((np.arange(count * factor) + 0.5) / factor - 0.5, 0, count - 1)
    low = np.minimum(at.astype(int), max(count - 2, 0))
    share = (at - low)[:, None]
    high = np.minimum(low + 1, count - 1)
    fine: Array = values[low] * (1 - share) + values[high] * share
    return fine


def _png(rgb: Array) -> bytes:
    image = need("PIL.Image", "pillow", "lbm watch")
    file = io.BytesIO()
    image.fromarray(np.ascontiguousarray(rgb)).save(file, "PNG", compress_level=1)
    return file.getvalue()


def _finite(value: Any) -> float | None:
    number = float(value)
    return number if math.isfinite(number) else None


def _number(text: str | None) -> float | None:
    try:
        return _finite(text) if text else None
    except ValueError:
        return None


def _whole(text: str, count: int) -> int:
    """The number of a plane; the one in the middle where none is given."""
    if not text:
        return count // 2
    if not text.isdecimal() or len(text) > 9 or int(text) >= count:
        raise UsageError("There is no such plane.")
    return int(text)
