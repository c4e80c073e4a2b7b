# SPDX-License-Identifier: Apache-2.0
"""Files of fields as they are now, and the numbers that they give."""

from __future__ import annotations

import html
from functools import lru_cache
from pathlib import Path

import numpy as np

from lbm._lbm import UsageError
from lbm.plot.derived import COMPONENTS, GRADIENT
from lbm.plot.labels import labelled, words
from lbm.results import Image
from lbm.results.header import field_unit
from lbm.results.index import FILE
from lbm.watch import files


def series(directory: Path) -> dict[str, dict[int, Path]]:
    """Files by the name of their series, `fields` first, and their step in order."""
    found: dict[str, dict[int, Path]] = {}
    for name in files.names(directory):
        if (parts := FILE.fullmatch(name)) and name.endswith("hdf"):
            found.setdefault(parts["name"], {})[int(parts["step"])] = directory / name
    order = sorted(found, key=lambda name: (name != "fields", name))
    return {name: dict(sorted(found[name].items())) for name in order[:24]}


@lru_cache(64)
def open_image(path: Path, stamp: files.Stamp | None) -> Image:
    """A file, of which only the header is read. Raises UsageError where it cannot be."""
    if stamp is None:
        raise UsageError(f"{path.name}: is a link, or no file")
    try:
        image = Image(path)
        places = np.array([*image.spacing, *image.header.origin, image.time, image.step], float)
        if not np.isfinite(places).all() or min(image.spacing) <= 0:
            raise ValueError("its cells have no finite place or time")
    except Exception as error:  # noqa: BLE001 - of a file that is damaged
        why = (str(error).splitlines() or [type(error).__name__])[0]
        raise UsageError(f"{path.name}: cannot be read: {why}") from error
    return image


def quantities(image: Image, in_space: bool) -> dict[str, str]:
    """Numbers that the arrays give, and their labels. in_space: for a surface, not a plane."""
    found: dict[str, tuple[str, str]] = {}  # label, array whose unit it has
    for array in image.arrays:
        shape, kind = image[array].shape[3:], image[array].dtype.kind
        if array == "velocity" and shape == (3,):
            found["speed"] = ("speed", array)
            found |= {c: (f"velocity along {c[-1]}", array) for c in COMPONENTS}
            if in_space and "q_criterion" not in image.arrays:
                found[GRADIENT] = ("Q criterion of the samples", "q_criterion")
            elif not in_space and "vorticity" not in image.arrays:
                found["vorticity"] = ("vorticity", "vorticity")
        elif shape == (3,):
            found[f"size:{array}"] = (f"size of {words(array)}", array)
        elif shape == () and array != "solid" and kind in "biuf":
            found[array] = (words(array), array)
    if "density" in image.arrays:
        found["pressure"] = ("pressure", "pressure")
    order = sorted(found, key=lambda name: name not in ("speed", "q_criterion"))
    units = {name: field_unit(found[name][1], image.attrs) for name in order}
    return {name: html.escape(labelled(found[name][0], units[name])) for name in order}
