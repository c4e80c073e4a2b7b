# SPDX-License-Identifier: Apache-2.0
"""Writes a script that opens results in ParaView."""

from __future__ import annotations

import pathlib
import pprint
from typing import Any

import numpy as np
import numpy.typing as npt

from lbm._arguments import PathLike, path_text
from lbm._files import refuse_existing, write_atomically
from lbm._lbm import UsageError
from lbm.plot.labels import labelled, words
from lbm.results import Image, Results, Series, Surface
from lbm.results.header import field_unit
from lbm.results.index import find_index

_NAME = "open_in_paraview.py"  # not paraview.py, which would hide the module of that name
_MARK = "SCENE: dict[str, Any] = {}\n"
_FIRST = ("velocity", "mean_velocity", "pressure", "density")  # fields in the order of interest


def paraview_script(
    results: Results | PathLike,
    path: PathLike | None = None,
    *,
    series: str | None = None,
    overwrite: bool = False,
) -> pathlib.Path:
    """Writes a script that shows the results of a run in ParaView, with the camera set.

    results: the directory of a run, or lbm.open() of it.
    path: the script; default: open_in_paraview.py in that directory.
    series: the images to show; default: `fields` where there is one, else the largest images.
    overwrite: whether an older script may be replaced.

    The script shows the last time: a plane through the middle, across the shortest axis, or a flat
    image as it is, coloured by the speed with its unit; bodies in grey where the images have the
    field `solid`; and all isosurfaces of the run. The camera looks at the whole picture, the
    longest axis from left to right. The play button goes through all times.

    Open it by File > Load State, by `paraview --script=PATH`, or draw without a window by `pvbatch
    PATH picture.png` (docs/paraview.md). The script needs ParaView 5.11 or later, and no lbm.

    Returns: the path of the script. Raises UsageError where the run has neither images nor
    surfaces, where it has no such series, and where the script exists.
    """
    found = results if isinstance(results, Results) else Results(results)
    script = found.path / _NAME if path is None else pathlib.Path(path_text(path, "path"))
    refuse_existing(script, overwrite)
    write_atomically(script, _text(_scene(found, series), script), UsageError)
    return script


def _text(scene: dict[str, Any], script: pathlib.Path) -> str:
    """The script: scene.py with what is known of the results."""
    text = (pathlib.Path(__file__).parent / "scene.py").read_text(encoding="utf-8")
    known = pprint.pformat(scene, width=96, sort_dicts=False)
    text = text.replace("FILE", script.name).replace(
        "  # type: ignore[import-not-found,unused-ignore]", ""
    )
    return text.replace(_MARK, f"SCENE: dict[str, Any] = {known}\n")


def _scene(results: Results, series: str | None) -> dict[str, Any]:
    ends = {name: one[-1] for name, one in results.series.items() if len(one)}
    images = {name: one for name, one in ends.items() if isinstance(one, Image)}
    surfaces = {n: s for n, s in ends.items() if isinstance(s, Surface) and len(s.points)}
    if series is not None and series not in images:
        names = ", ".join(images) or "none"
        raise UsageError(f"series: found {series!r}, must be images of the run: {names}")
    if not images and not surfaces:
        raise UsageError(f"{results.path}: has neither images nor surfaces for ParaView")
    largest = max(images, key=lambda name: np.prod(images[name].shape), default="")
    name = series or ("fields" if "fields" in images else largest)
    image = images.get(name)
    corners = [_corners(image)] if image else []
    bounds = np.concatenate([*corners, *(one.points for one in surfaces.values())])
    bounds = np.array([bounds.min(axis=0), bounds.max(axis=0)])
    normal = _normal(image) if image else None
    part = None
    if image is not None:
        part = _part(results[name], image) | {
            "solid": "solid" in image.arrays,
            "normal": normal,
            "middle": _corners(image).mean(axis=0).tolist(),
        }
    return {
        "folder": str(results.path.absolute()),
        "image": part,
        "surfaces": [_part(results[n], one) for n, one in surfaces.items()],
        "camera": _camera(bounds, deep=bool(surfaces) or bool(part and part["solid"] and normal)),
    }


def _camera(bounds: npt.NDArray[np.float64], deep: bool) -> dict[str, Any]:
    """Direction of the camera from its focus, its up, its zoom: the longest axis runs to the right.

    bounds: least and largest coordinates, [2, 3]. deep: it stands aside and above, for surfaces.
    """
    sizes = bounds[1] - bounds[0]
    order = sorted(range(3), key=lambda axis: (-sizes[axis], axis))
    along, up, _ = (np.eye(3)[axis] for axis in order)
    position = np.cross(along, up) + (0.45 * up - 0.35 * along if deep else 0)
    return {"position": position.tolist(), "up": up.tolist(), "zoom": 1.0 if deep else 1.2}


def _part(series: Series[Any], last: Image | Surface) -> dict[str, Any]:
    """The files of a series, and the field that colours it."""
    index = find_index(series.directory, series.name)
    files = [index] if index else series.paths
    field = next((name for name in (*_FIRST, *last.arrays) if name in last.arrays), "")
    vector = bool(field) and last[field].ndim == (2 if isinstance(last, Surface) else 4)
    label = "speed" if field == "velocity" else words(field)
    return {
        "name": series.name,
        "files": [path.name for path in files],
        "times": series.times.tolist(),
        "field": field,
        "component": ("Magnitude",) if vector else (),
        "label": labelled(label, field_unit(field, last.attrs)),
    }


def _normal(image: Image) -> list[float] | None:
    """Across the plane that is shown: the shortest axis, of equal ones y before x before z.

    None: the image is flat and is shown as it is.
    """
    counts = image.header.counts
    if min(counts) == 1:
        return None
    across = min((1, 0, 2), key=lambda axis: counts[axis])
    return [float(axis == across) for axis in range(3)]


def _corners(image: Image) -> npt.NDArray[np.float64]:
    """The centres of the first and the last cell, [2, 3]."""
    return np.array([[image.centres(axis)[i] for axis in "xyz"] for i in (0, -1)], np.float64)
