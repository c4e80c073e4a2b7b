# SPDX-License-Identifier: Apache-2.0
"""Isosurfaces of the newest files of fields, and surfaces of bodies, as numbers for the page."""

from __future__ import annotations

import base64
import math
from collections import OrderedDict
from pathlib import Path
from typing import Any

import numpy as np

from lbm._lbm import Error, UsageError
from lbm.plot.labels import labelled
from lbm.report_page.planes import handy_length
from lbm.results import Image
from lbm.results.header import length_and_time_units
from lbm.results.lazy import Array
from lbm.watch import colours
from lbm.watch.fields import Fields, finite, number
from lbm.watch.isosurface import Mesh, at_points, crossings, isosurface, normals
from lbm.watch.samples import GRADIENT, Samples, Triple, thinned

MOST_QUADS = 100_000  # of a surface: 2.3 MB of an answer, or less
_MOST_KEPT = 3  # files whose samples are kept
_MOST_VALUE = 3e38  # float32 has no larger one
_VORTICES = ("q_criterion", GRADIENT)
_LYING = (2, 0, 1)  # axes of a box that is tallest along z, as drawn: z to the right, y upwards
_STRONG = 0.97  # share of the samples below the value of the first surface around vortices


class Surfaces:
    """Surfaces in the files of fields of a run as they are now."""

    def __init__(self, fields: Fields | None = None) -> None:
        self._fields = fields or Fields()
        self._samples: OrderedDict[Image, Samples] = OrderedDict()

    def surface(self, directory: Path, wish: dict[str, str]) -> dict[str, Any]:
        """A surface. wish: series, step, quantity, value, colour, low, high (the colours as now).

        And bodies ("1": their surface, too).
        Without a value it is one that shows something. Raises UsageError for what there is not, and
        for files that are damaged.
        """
        image = self._fields.wished(directory, wish)
        try:
            return _surface(self._of(image), wish)
        except Error:
            raise
        except Exception as error:  # noqa: BLE001 - arrays of texts, damaged chunks, ...
            raise UsageError(f"{image.path.name}: this surface cannot be drawn.") from error

    def _of(self, image: Image) -> Samples:
        if image not in self._samples:
            self._samples[image] = Samples(image)
        self._samples.move_to_end(image)
        while len(self._samples) > _MOST_KEPT:
            self._samples.popitem(last=False)
        return self._samples[image]


def _surface(samples: Samples, wish: dict[str, str]) -> dict[str, Any]:
    quantity, colour = wish.get("quantity", ""), wish.get("colour", "")
    field, shade = samples.values(quantity), samples.values(colour)
    known, shown = (np.ma.masked_invalid(one.values) for one in (field, shade))
    low, high = colours.own_range(known, signed=False)
    if quantity in _VORTICES and high > 0:
        low = 0.0  # strain rules below
    wished = wish.get("value", "")
    value = number(wished) if wished else _telling(quantity, known, low, high)
    if value is None or abs(value) > _MOST_VALUE:
        raise UsageError("The value of the surface must be a finite number.")
    signed = colour in colours.SIGNED and colours.of_both_signs(shown)
    own = colours.own_range(shown, signed)
    ends = colours.steady_range(own, number(wish.get("low")), number(wish.get("high")))
    mesh, every = _mesh(field.values, value)
    at = at_points(shade.values, mesh.points)
    shades = colours.numbers_of_shades(at, ends, ~np.isfinite(at))
    some = known.compressed()
    return {
        **_box(samples),
        "label": field.label,
        "value": value,
        "range": [finite(low), finite(high)],
        "values": [finite(some.min()), finite(some.max())] if len(some) else None,
        "colour": {"label": shade.label, "range": [finite(v) for v in ends]},
        "colours": colours.bar(signed),
        "every": [a * b for a, b in zip(every, samples.every)][::-1],  # along x, y, z
        "surface": {**_numbers(mesh, samples), "shades": _text(shades, "u1")},
        "bodies": _bodies(samples) if wish.get("bodies") == "1" else None,
    }


def _telling(quantity: str, known: Any, low: float, high: float) -> float:
    """A value whose surface shows something: strong vortices, or half of the range."""
    value = (low + high) / 2
    if quantity in _VORTICES and known.count():
        strong = float(np.quantile(known.compressed(), _STRONG))
        value = strong if strong > 0 else value
    unit = 10.0 ** math.floor(math.log10((high - low) / 200))
    return float(f"{round(value / unit) * unit:.12g}")


def _mesh(values: Array, value: float) -> tuple[Mesh, Triple]:
    """The surface of every n-th value, of few quadrilaterals; n along z, y, x, the least possible."""
    step = 1
    while True:
        z, y, x = thinned(values.shape, step)
        some = values[::z, ::y, ::x]
        if crossings(some, value) <= MOST_QUADS:
            mesh = isosurface(some, value)
            return Mesh(mesh.points * (z, y, x), mesh.quads), (z, y, x)
        step += 1


def _bodies(samples: Samples) -> dict[str, str] | None:
    """The surface of the solid samples; None where there are none."""
    solid = samples.solid
    if not solid.any():
        return None
    # Fluid around the box closes the surfaces of bodies that reach its faces.
    mesh, _ = _mesh(np.pad(solid.astype(np.float32), 1), 0.5)
    return _numbers(Mesh(mesh.points - 1, mesh.quads), samples)


def _numbers(mesh: Mesh, samples: Samples) -> dict[str, str]:
    """Points in 65536 parts of the box, normals in 127 parts, quadrilaterals; axes as drawn."""
    size = np.array(samples.image.spacing)
    across = normals(mesh.points * samples.every * size[::-1], mesh.quads)[:, ::-1]
    order = _order(samples.image)
    return {
        "points": _text(np.rint(samples.places(mesh.points)[:, order] * 65535), "<u2"),
        "normals": _text(np.rint(across[:, order] * 127), "i1"),
        "quads": _text(mesh.quads, "<u4"),
    }


def _order(image: Image) -> list[int]:
    """Axes as they are drawn, the last one upwards: a tunnel along z does not stand upright."""
    x, y, z = np.array(image.spacing) * image.shape[::-1]
    return list(_LYING) if z > 1.3 * max(x, y) else [0, 1, 2]


def _text(values: Array, kind: str) -> str:
    return base64.b64encode(np.ascontiguousarray(values.astype(kind)).tobytes()).decode()


def _box(samples: Samples) -> dict[str, Any]:
    """The box of cells, its axes as they are drawn, and time and step of the file."""
    image = samples.image
    size = np.array(image.spacing) * image.shape[::-1]
    first = np.array(image.header.origin) - np.array(image.spacing) / 2
    if not (np.isfinite(first).all() and np.isfinite(size).all() and (size > 0).all()):
        raise UsageError(f"{image.path.name}: its cells have no finite place.")
    factor, length = handy_length(image.attrs, float(size.max()))
    box = [[float(a * factor), float((a + b) * factor)] for a, b in zip(first, size)]
    order = _order(image)
    return {
        "box": [box[axis] for axis in order],
        "axes": [labelled("xyz"[axis], length) for axis in order],
        "time": finite(image.time),
        "clock": length_and_time_units(image.attrs)[1],
        "step": int(image.attrs.get("step", 0)),
    }
