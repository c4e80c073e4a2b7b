# SPDX-License-Identifier: Apache-2.0
"""The files of fields of a run as they are now, and the quantities that can be drawn of them."""

from __future__ import annotations

import math
import re
import threading
from collections import OrderedDict
from collections.abc import Callable
from pathlib import Path
from typing import Any

import h5py  # type: ignore[import-untyped,unused-ignore]
import numpy as np

from lbm._lbm import UsageError
from lbm.plot.labels import words
from lbm.report_page.pictures import pressure_of_density
from lbm.results import Image
from lbm.results.lazy import Array
from lbm.watch import files

_FILE = re.compile(r"(?P<name>.+)_(?P<step>\d{9,15})\.(hdf|vtkhdf)")
_MOST_IMAGES = 32  # headers that are kept
COMPONENTS = ("velocity_x", "velocity_y", "velocity_z")


class Fields:
    """Series of files, and the headers of the files that were asked for last."""

    def __init__(self) -> None:
        self._images: OrderedDict[tuple[Any, ...], Image] = OrderedDict()
        self._lock = threading.Lock()

    def series(self, directory: Path) -> dict[str, dict[int, str]]:
        """Names of files by the name of their series and their step."""
        found: dict[str, dict[int, str]] = {}
        for name in files.names(directory):
            if parts := _FILE.fullmatch(name):
                found.setdefault(parts["name"], {})[int(parts["step"])] = name
        return found

    def wished(self, directory: Path, wish: dict[str, str]) -> Image:
        """The image of wish["series"] at wish["step"], the newest one without a step.

        Raises UsageError for what there is not.
        """
        steps = self.series(directory).get(wish.get("series", ""))
        if steps is None:
            raise UsageError("There is no such series of fields.")
        chosen = wish.get("step", "")
        if chosen and (not chosen.isdecimal() or int(chosen[:18]) not in steps):
            raise UsageError("There is no file of this step.")
        return self.image(directory / steps[int(chosen) if chosen else max(steps)])

    def image(self, path: Path) -> Image:
        """A file, of which only the header is read. Raises UsageError where it cannot be."""
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


def quantities(image: Image) -> list[str]:
    """Names of the numbers of each cell that the arrays of an image give."""
    found: list[str] = []
    for array in image.arrays:
        width = len(image[array].shape) - 3
        if array == "velocity" and width == 1:
            found += ["speed", *COMPONENTS]
        elif width == 0 and array != "solid":
            found.append(array)
        elif width == 1 and image[array].shape[-1] == 3:
            found.append(f"size:{array}")
    if "density" in image.arrays and "pressure" not in found:
        found.append("pressure")
    return found


def shown(quantity: str) -> str:
    """The name of a quantity for people."""
    start, _, name = quantity.partition(":")
    if start == "size" and name:
        return f"size of {words(name)}"
    axis = re.fullmatch("velocity_([xyz])", quantity)
    return f"velocity along {axis[1]}" if axis else words(quantity)


def values_of(
    quantity: str, image: Image, read: Callable[[str], Array]
) -> tuple[str, Array | None]:
    """The array whose unit a quantity has, and its values; None: the image does not have it.

    read: gives the values of an array of the image, [..., component] for vectors.
    """
    known = image.arrays
    if quantity in ("speed", *COMPONENTS) and "velocity" in known:
        velocity = read("velocity")
        if velocity.shape[-1] != 3:
            return "velocity", None
        if quantity == "speed":
            return "velocity", np.linalg.norm(velocity, axis=-1)
        return "velocity", velocity[..., COMPONENTS.index(quantity)]
    if quantity == "pressure" and quantity not in known and "density" in known:
        return quantity, pressure_of_density(read("density"), image.attrs)
    if quantity.startswith("size:") and quantity[5:] in known:
        return quantity[5:], np.linalg.norm(read(quantity[5:]), axis=-1)
    return quantity, read(quantity) if quantity in known else None


def finite(value: Any) -> float | None:
    """A number for JSON; None for nan and infinities."""
    number = float(value)
    return number if math.isfinite(number) else None


def number(text: str | None) -> float | None:
    """A finite number of a request; None for all else."""
    try:
        return finite(text) if text else None
    except ValueError:
        return None
