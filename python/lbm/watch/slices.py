# SPDX-License-Identifier: Apache-2.0
"""Pictures of planes through the newest files of fields; a plane can be moved."""

from __future__ import annotations

import base64
import io
from pathlib import Path
from typing import Any

import numpy as np

from lbm._lbm import UsageError
from lbm.plot.labels import labelled
from lbm.report_page.planes import MOST_BYTES, Plane, plane_at, telling_index
from lbm.results import Image
from lbm.results.errors import need
from lbm.results.header import field_unit, length_and_time_units
from lbm.results.lazy import Array
from lbm.watch import colours
from lbm.watch.colours import steady_range
from lbm.watch.fields import COMPONENTS, Fields, finite, number, quantities, shown, values_of
from lbm.watch.samples import surface_label, surface_quantities

_MOST_SERIES = 12
_SMOOTH = 640  # pixels up to which values are interpolated between the centres of cells


class Slices:
    """Pictures of planes of the files of fields of a run as they are now."""

    def __init__(self, fields: Fields | None = None) -> None:
        self._fields = fields or Fields()

    def series(self, directory: Path) -> list[dict[str, Any]]:
        """Series of fields: steps, axes that can be cut, quantities of planes and of surfaces."""
        found = []
        for name, steps in list(self._fields.series(directory).items())[:_MOST_SERIES]:
            try:
                image = self._fields.image(directory / steps[max(steps)])
                found.append(_described(name, sorted(steps), image))
            except (UsageError, OSError) as error:
                found.append({"name": name, "problem": str(error)[:300]})
        found.sort(key=lambda one: (one["name"] != "fields", "problem" in one, one["name"]))
        return found

    def slice(self, directory: Path, wish: dict[str, str]) -> dict[str, Any]:
        """A picture. wish: series, axis, index, quantity, step, low and high (the colours as now).

        Without an index it is a plane that shows something.
        Raises UsageError for what there is not.
        """
        image = self._fields.wished(directory, wish)
        axis, counts = wish.get("axis", ""), dict(zip("zyx", image.shape))
        if axis not in _axes(image):
            raise UsageError("The fields cannot be cut along this axis.")
        asked = wish.get("index", "")
        index = _whole(asked, counts[axis]) if asked else telling_index(image, axis)
        plane = plane_at(image, axis, index)
        quantity = wish.get("quantity", "")
        try:
            values, label = _values(plane, quantity)
        except UsageError:
            raise
        except Exception as error:  # noqa: BLE001 - arrays of texts, damaged chunks, ...
            raise UsageError(f"{image.path.name}: this quantity cannot be drawn.") from error
        signed = quantity in colours.SIGNED and colours.of_both_signs(values)
        own = colours.own_range(values, signed)
        low, high = steady_range(own, number(wish.get("low")), number(wish.get("high")))
        return _picture(plane, values, label, (low, high), signed, index)


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
    known = quantities(image)
    if COMPONENTS[-1] in known and "vorticity" not in known:
        known.insert(known.index(COMPONENTS[-1]) + 1, "vorticity")
    return {
        "name": name,
        "step": steps[-1],
        "steps": steps[-500:],
        "time": finite(image.time),
        "axes": [
            {
                "name": axis,
                "count": counts[axis],
                "first": finite(image.header.origin["xyz".index(axis)]),
                "spacing": finite(image.spacing["xyz".index(axis)]),
            }
            for axis in _axes(image)
        ],
        "quantities": [{"name": q, "label": shown(q)} for q in known],
        "surfaces": [{"name": q, "label": surface_label(q)} for q in surface_quantities(image)],
        "length": length,
        "clock": time,
    }


def _values(plane: Plane, quantity: str) -> tuple[Any, str]:
    """The values on a plane, masked in bodies, and their label with the unit."""
    attrs = plane.image.attrs
    if quantity == "vorticity" and quantity not in plane.cut.arrays:
        name, values = quantity, plane.vorticity()
    else:
        name, values = values_of(
            quantity, plane.image, lambda array: np.asarray(plane.cut[array], np.float64)
        )
    if values is None or values.ndim != 2:
        raise UsageError("The fields do not have this quantity on this plane.")
    label = f"vorticity along {plane.normal}" if quantity == "vorticity" else shown(quantity)
    return plane.masked(values), labelled(label, field_unit(name, attrs))


def _picture(
    plane: Plane, values: Any, label: str, ends: tuple[float, float], signed: bool, index: int
) -> dict[str, Any]:
    axes, extent = plane.axes, plane.extent
    if extent[3] - extent[2] > 1.2 * (extent[1] - extent[0]):  # the longer axis lies flat
        values, axes, extent = values.T, axes[::-1], (*extent[2:], *extent[:2])
    pixels, solid = smoothed(values)
    shades = np.concatenate([colours.shades(signed, 255), np.array([colours.BODY], np.uint8)])
    rgb = shades[colours.numbers_of_shades(pixels, ends, solid)]
    factor, length = plane.length_unit
    some = values.compressed()
    return {
        "png": base64.b64encode(_png(rgb[::-1])).decode(),
        "extent": [finite(v * factor) for v in extent],
        "axes": [labelled(axes[1], length), labelled(axes[0], length)],
        "range": [finite(v) for v in ends],
        "values": [finite(some.min()), finite(some.max())] if len(some) else None,
        "label": label,
        "colours": colours.bar(signed),
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


def _whole(text: str, count: int) -> int:
    """The number of a plane."""
    if not text.isdecimal() or len(text) > 9 or int(text) >= count:
        raise UsageError("There is no such plane.")
    return int(text)
