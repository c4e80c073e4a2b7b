# SPDX-License-Identifier: Apache-2.0
"""Planes through the flow, isosurfaces, and pictures of the run: figures of plotly.js."""

from __future__ import annotations

import base64
import math
from pathlib import Path
from typing import Any

import numpy as np
import scipy.ndimage  # type: ignore[import-untyped,unused-ignore]
import skimage.measure  # type: ignore[import-untyped,unused-ignore]

from lbm._lbm import UsageError
from lbm.plot import derived
from lbm.plot.derived import COMPONENTS, GRADIENT, is_large, samples, telling_index
from lbm.report_page.page import number
from lbm.results import Image
from lbm.results.header import length_and_time_units
from lbm.results.lazy import Array
from lbm.results.pictures import PNG, pictures_of
from lbm.watch import fields, files
from lbm.watch.fields import quantities

MOST_TRIANGLES = 200_000  # 5 MB of an answer
_MOST_PIXELS = 800  # cells of a plane along an axis
_MOST_PICTURE = 32 << 20  # bytes
_BODY = "#9aa1a8"
_EYE = {"x": 0.8, "y": -1.65, "z": 0.75}
Wish = dict[str, str]
Answer = dict[str, Any]


def _choice(name: str, label: str, value: object, options: Any, kind: str = "select") -> Answer:
    """A control of a panel. kind: "select" or "range"; options: (value, text) of each choice."""
    known = [[str(one), str(text)] for one, text in options]
    return {"name": name, "label": label, "kind": kind, "value": str(value), "options": known}


def _at_time(steps: list[int], wish: Wish) -> tuple[int, Answer]:
    """The step that is wished for, the newest without a wish, and the slider of time."""
    step = wish.get("step") or str(steps[-1])
    if step not in map(str, steps):
        raise UsageError("There is no file of this step.")
    newest = ("", f"newest: step {steps[-1]:,}")
    options = [*((one, f"step {one:,}") for one in steps[-500:-1]), newest]
    return int(step), _choice("step", "Time", wish.get("step", ""), options, "range")


def _opened(directory: Path, wish: Wish, in_space: bool) -> tuple[Image, list[Answer]]:
    """The image that is wished for, and the controls that choose it. Raises UsageError."""
    known = fields.series(directory)

    def rank(name: str) -> int:
        try:
            newest = known[name][max(known[name])]
            image = fields.open_image(newest, files.stamp(newest))
        except UsageError:
            return -1
        return (min(image.shape) > 2) + ("q_criterion" in image.arrays) if in_space else 0

    name = wish.get("series") or max(known, key=rank, default="")
    if name not in known:
        raise UsageError("There is no such series of .hdf files: output.every_steps writes fields.")
    step, time = _at_time(list(known[name]), wish)
    output = _choice("series", "Output", name, [(n, n) for n in known])
    return fields.open_image(known[name][step], files.stamp(known[name][step])), [output, time]


def _scale(quantity: str, values: Array, label: str, ends: str) -> Answer:
    """The colours of a trace, with round ends; few extreme values do not count."""
    some = values[np.isfinite(values)]
    low, high = (float(v) for v in np.quantile(some, [0.002, 0.998])) if len(some) else (0.0, 1.0)
    signed = quantity in (*COMPONENTS, "vorticity") and low < -0.05 * high and high > -0.05 * low
    if signed:  # the colour of 0 is in the middle
        low, high = -max(-low, high), max(-low, high)
    elif 0 <= low < 0.5 * high:
        low = 0.0
    wide = high - low
    unit = 10.0 ** math.floor(math.log10(wide)) / 5 if 1e-300 < wide < 1e300 else 1.0
    low, high = math.floor(low / unit) * unit, math.ceil(high / unit) * unit
    return {
        f"{ends}min": low, f"{ends}max": high if high > low else low + unit,
        "colorscale": "RdBu" if signed else "Viridis",
        "colorbar": {"title": {"text": label, "side": "right"}},
    }  # fmt: skip


def packed(values: Array, kind: str = "<f4") -> Answer:
    """Numbers as plotly.js reads them."""
    plain = np.ascontiguousarray(values, kind)
    found = {"dtype": kind[1:], "bdata": base64.b64encode(plain.tobytes()).decode()}
    return found if plain.ndim == 1 else {**found, "shape": ",".join(map(str, plain.shape))}


def _told(image: Image, values: Array, every: int, solid: Array) -> Answer:
    """The text below a figure, and the range of its values."""
    some = values[np.isfinite(values)]
    ends = [float(some.min()), float(some.max())] if len(some) else None
    words = f"t = {image.time:.4g} {length_and_time_units(image.attrs)[1]}, step {image.step:,}."
    words += f" Values: {number(ends[0])} to {number(ends[1])}." if ends else ""
    words += f" Of {every} cells along each axis one is read." if every > 1 else ""
    words += " Grey: solid bodies." if solid.any() else ""
    return {"words": words, "values": ends}


def plane(directory: Path, wish: Wish) -> Answer:
    """A plane of cells. wish: series, step, quantity, axis, index: its number along the axis.

    Without an index it is a plane that shows something. Raises UsageError for what there is not.
    """
    image, (output, time) = _opened(directory, wish, in_space=False)
    counts, spacing = dict(zip("zyx", image.shape)), dict(zip("xyz", image.spacing))
    every = ["y", "z"] if is_large(image) else ["y", "x", "z"]
    axes = [a for a in "zyx" if counts[a] == 1][:1] or every
    axis = wish.get("axis") or axes[0]
    known = quantities(image, in_space=False)
    quantity = wish.get("quantity") or next(iter(known), "")
    asked = wish.get("index", "")
    wrong = asked and not (asked.isdecimal() and int(asked[:9]) < counts.get(axis, 0))
    if axis not in axes or quantity not in known or wrong:
        raise UsageError("The fields do not have such a plane.")
    index = int(asked) if asked else telling_index(image, axis)
    up, across = (a for a in "zyx" if a != axis)  # as the rows and columns of the array
    stride = -(-max(counts[up], counts[across]) // _MOST_PIXELS)
    part = image.box(stride=stride, **{axis: index})  # type: ignore[arg-type]
    solid = derived.solid(part, image)
    values = np.where(solid, np.nan, derived.values(part, quantity, axis))
    values = values.squeeze("zyx".index(axis))
    if counts[up] * spacing[up] > 1.2 * counts[across] * spacing[across]:
        values, up, across = values.T, across, up  # the longer axis lies flat
    length = length_and_time_units(image.attrs)[0]
    places = [f"{axis} = {at:.4g} {length}" for at in image.centres(axis)]
    trace = {
        "type": "heatmap", "z": packed(values), **_scale(quantity, values, known[quantity], "z"),
        "x0": part.centres(across)[0], "dx": spacing[across] * stride,
        "y0": part.centres(up)[0], "dy": spacing[up] * stride,
    }  # fmt: skip
    fit = {"constrain": "domain"}
    return {
        **_told(image, values, stride, solid),
        "controls": [
            _choice("quantity", "Quantity", quantity, known.items()),
            _choice("axis", "Across", axis, [(a, a) for a in axes]),
            output,
            _choice("index", "Position", index, enumerate(places), "range"),
            time,
        ],
        "data": [trace],
        "layout": {
            "plot_bgcolor": _BODY,
            "xaxis": {"title": {"text": f"{across} / {length}"}, **fit},
            "yaxis": {"title": {"text": f"{up} / {length}"}, **fit, "scaleanchor": "x"},
        },
    }


def surface(directory: Path, wish: Wish) -> Answer:
    """An isosurface. wish: series, step, quantity, value, colour, bodies ("0": none).

    Without a value it is one that shows something. Raises UsageError for what there is not.
    """
    image, (output, time) = _opened(directory, wish, in_space=True)
    known = quantities(image, in_space=True)
    quantity = wish.get("quantity") or next((q for q in ("q_criterion", *known) if q in known), "")
    colour = wish.get("colour") or ("pressure" if "pressure" in known else quantity)
    part, every = samples(image)
    if min(part.shape) < 3 or quantity not in known or colour not in known:
        raise UsageError("A surface needs a quantity on three layers of cells along each axis.")
    solid = derived.solid(part, image)
    field, shade = (_into_bodies(derived.values(part, q), solid) for q in (quantity, colour))
    some = field[np.isfinite(field) & ~solid]
    value, levels = _value(wish.get("value", ""), some, quantity in ("q_criterion", GRADIENT))
    extent = dict(zip("xyz", np.array(image.spacing) * image.shape[::-1]))
    # A tunnel along z lies down: the last axis points upwards.
    order = "zxy" if extent["z"] > 1.3 * max(extent["x"], extent["y"]) else "xyz"
    data = []
    points, triangles = _mesh(field, value)
    if len(triangles):
        at = np.nan_to_num(scipy.ndimage.map_coordinates(shade, points.T, order=1))
        data = [{**_trace(part, points, triangles, order), "intensity": packed(at),
                 **_scale(colour, shade, known[colour], "c")}]  # fmt: skip
    if solid.any() and wish.get("bodies") != "0":
        points, triangles = _mesh(np.pad(solid.astype(np.float32), 1), 0.5)
        data.append({**_trace(part, points - 1, triangles, order), "color": _BODY})
    length = length_and_time_units(image.attrs)[0]
    axes = {
        f"{on}axis": {"title": {"text": f"{axis} / {length}"}, "showspikes": False,
                      "range": [image.centres(axis)[0], image.centres(axis)[-1]]}
        for on, axis in zip("xyz", order)
    }  # fmt: skip
    return {
        **_told(image, some, every, solid),
        "value": value,
        "controls": [
            _choice("quantity", "Surface of", quantity, known.items()),
            _choice("colour", "Coloured by", colour, known.items()),
            output,
            _choice("bodies", "Bodies", wish.get("bodies", 1), [(1, "shown"), (0, "hidden")]),
            _choice("value", "Value", value, [(v, f"{v:.4g}") for v in levels], "range"),
            time,
        ],
        "data": data,
        "layout": {"scene": {"aspectmode": "data", "camera": {"eye": _EYE}, **axes}},
    }


def _value(wish: str, some: Array, vortices: bool) -> tuple[float, list[float]]:
    """The value of the surface, and those to choose: half of the range, strong vortices of Q."""
    low, high = (float(v) for v in np.quantile(some, [0.002, 0.998])) if len(some) else (0.0, 1.0)
    low = 0.0 if vortices and high > 0 else low
    strong = float(np.quantile(some, 0.97)) if vortices and len(some) else 0.0
    high = min(high, 10 * strong) if strong > 0 else high
    try:
        value = float(wish) if wish else strong if strong > 0 else (low + high) / 2
    except ValueError:
        value = math.nan
    if not abs(value) < 1e30:
        raise UsageError("The value of the surface must be a finite number.")
    value = float(f"{value:.6g}")
    return value, sorted({*(float(f"{v:.6g}") for v in np.linspace(low, high, 101)), value})


def _into_bodies(values: Array, solid: Array) -> Array:
    """Values with those in bodies replaced by the mean of the fluid among the 26 neighbours.

    So a surface ends in the body and not before it. nan where no neighbour is fluid.
    """
    fluid = ~solid & np.isfinite(values)
    sums, weights = (
        scipy.ndimage.uniform_filter(one.astype(float), 3, mode="constant")
        for one in (np.where(fluid, values, 0.0), fluid)
    )
    around = np.divide(sums, weights, out=np.full(values.shape, np.nan), where=weights > 0.01)
    return np.where(solid, around, values)


def _mesh(values: Array, value: float) -> tuple[Array, Array]:
    """Points in cells, [n, (z, y, x)], and triangles; of every n-th value if there are too many."""
    cubes: Any = skimage.measure.marching_cubes
    known = np.isfinite(values)
    plain = np.where(known, values, value - 1).astype(np.float32)  # as marching_cubes has them
    for n in range(1, max(values.shape)):
        some, there = plain[::n, ::n, ::n], known[::n, ::n, ::n]
        if min(some.shape) < 2 or not some.min() < value < some.max():
            break
        points, triangles, _, _ = cubes(some, value)
        if len(triangles) <= MOST_TRIANGLES:
            whole = [there[tuple(ends(points).astype(int).T)] for ends in (np.floor, np.ceil)]
            return points * n, triangles[(whole[0] & whole[1])[triangles].all(axis=1)]
    return np.zeros((0, 3)), np.zeros((0, 3), int)


def _trace(part: Image, points: Array, triangles: Array, order: str) -> Answer:
    """A mesh of plotly.js, in the unit of length of the file."""
    trace: Answer = {"type": "mesh3d", "hoverinfo": "skip"}
    for on, axis in zip("xyz", order):
        at = part.centres(axis)
        trace[on] = packed(np.interp(points[:, "zyx".index(axis)], np.arange(len(at)), at))
    return trace | {k: packed(triangles[:, n], "<i4") for n, k in enumerate("ijk")}


def picture(directory: Path, wish: Wish) -> Answer:
    """A picture that the run has made. wish: picture, its name; step. Raises UsageError."""
    known = pictures_of(directory, files.names(directory))
    name = wish.get("picture") or next(iter(known), "")
    if name not in known:
        raise UsageError("There are no such pictures: pictures.NAME of the case asks for them.")
    step, time = _at_time(known[name].steps, wish)
    path = known[name].files[known[name].steps.index(step)]
    data = files.data(path, _MOST_PICTURE)
    if not data.startswith(PNG):
        raise UsageError(f"{path.name} is no picture of a run.")
    names = _choice("picture", "Picture", name, [(n, n) for n in list(known)[:24]])
    png = "data:image/png;base64," + base64.b64encode(data).decode()
    return {"words": f"{name}, step {step:,}", "controls": [names, time], "png": png}
