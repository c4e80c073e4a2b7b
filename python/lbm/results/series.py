# SPDX-License-Identifier: Apache-2.0
"""The images or surfaces of one output, by time."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, Generic, TypeVar, overload

import numpy as np

from lbm._lbm import UsageError
from lbm.results.errors import damaged
from lbm.results.image import Image
from lbm.results.index import Entry, files_without_index, find_index, read_index
from lbm.results.lazy import Array, Box, LazyArray
from lbm.results.surface import Surface

if TYPE_CHECKING:
    import xarray

T = TypeVar("T")  # Image or Surface


def _opened(path: Path, time: float | None = None) -> Any:
    """The image or the surface in a file."""
    return (Surface if path.suffix in (".vtp", ".pvtp") else Image)(path, time)


def _entries(directory: Path, name: str) -> list[Entry]:
    """The files of a series by time. Without an index the files are opened for their times."""
    if index := find_index(directory, name):
        return read_index(index)
    files = files_without_index(directory, name)
    return [Entry(path, _opened(path).time, step) for step, path in files]


class Series(Sequence[T], Generic[T]):
    """The images or surfaces of one output: `series[-1]`, `series.at(time=2)`, iteration by time.

    Steps and times come from the index of the series; no other file is opened for them.

    Attributes:
        name: 'fields', or the name of the output or of the statistics.
        directory: the directory of the files.
    """

    def __init__(self, directory: Path, name: str) -> None:
        self.directory = directory
        self.name = name
        self._entries: list[Entry] = _entries(directory, name)

    @property
    def steps(self) -> Array:
        """Steps of the files, [files]."""
        return np.array([entry.step for entry in self._entries], np.int64)

    @property
    def times(self) -> Array:
        """Times of the files, [files], in their unit: L/U, s or steps."""
        return np.array([entry.time for entry in self._entries], np.float64)

    @property
    def paths(self) -> list[Path]:
        """The files."""
        return [entry.path for entry in self._entries]

    def __len__(self) -> int:
        return len(self._entries)

    @overload
    def __getitem__(self, index: int) -> T: ...
    @overload
    def __getitem__(self, index: slice) -> list[T]: ...
    def __getitem__(self, index: int | slice) -> T | list[T]:
        if isinstance(index, slice):
            return [self._open(entry) for entry in self._entries[index]]
        try:
            return self._open(self._entries[index])
        except IndexError:
            raise IndexError(f"{self.name}: there are {len(self)} files, found {index}") from None

    def __iter__(self) -> Iterator[T]:
        return (self._open(entry) for entry in self._entries)

    def at(self, *, step: int | None = None, time: float | None = None) -> T:
        """The file of exactly this step, or the one whose time is nearest to `time`.

        Raises:
            UsageError: no file has this step; `time` is before the first or after the last file.
        """
        if (step is None) == (time is None):
            raise UsageError("at: must have step= or time=, one of them")
        if step is not None:
            found = [entry for entry in self._entries if entry.step == step]
            if not found:
                raise UsageError(f"{self.name}: no file of step {step}; there are {self._list()}")
            return self._open(found[0])
        return self._open(self._entries[self._nearest(float(time or 0))])

    def _open(self, entry: Entry) -> T:
        opened: T = _opened(entry.path, entry.time)
        return opened

    def _nearest(self, time: float) -> int:
        times = self.times
        slack = 1e-9 * max(abs(time), 1e-300)
        if not len(times) or not times.min() - slack <= time <= times.max() + slack:
            span = f"{times.min():g} ... {times.max():g}" if len(times) else "none"
            raise UsageError(f"{self.name}: found time {time:g}, must be in those there: {span}")
        return int(np.argmin(np.abs(times - time)))

    def _list(self) -> str:
        steps = [str(s) for s in self.steps]
        few = len(steps) < 12
        return ", ".join(steps) if few else f"{len(steps)}, {steps[0]} ... {steps[-1]}"

    def _images(self) -> list[Image]:
        """All images. Raises UsageError for surfaces, and for an empty series."""
        files: Sequence[object] = self
        images = [image for image in files if isinstance(image, Image)]
        if not images or len(images) < len(self):
            raise UsageError(f"{self.name}: its files must be images, and one at least")
        return images

    def array(self, name: str) -> LazyArray:
        """An array at all times, [time, z, y, x(, component)]; an index reads what it picks."""
        return _stacked(self._images(), name)

    def to_xarray(self) -> xarray.Dataset:
        """An xarray.Dataset of all images with dims time, z, y, x, ...; values are read on use.

        Raises: MissingPackageError where xarray is not installed; UsageError for surfaces.
        """
        from lbm.results.xarrays import series_dataset

        images = self._images()
        arrays = [_stacked(images, name) for name in images[0].arrays]
        return series_dataset(images[0].header, arrays, self.times, self.steps)

    def __repr__(self) -> str:
        times = f", time {self.times[0]:.6g} to {self.times[-1]:.6g}" if len(self) else ""
        return f"<lbm series {self.name}: {len(self)} files in {self.directory}{times}>"


def _stacked(images: Sequence[Image], name: str) -> LazyArray:
    """An array at all times. Opens the first file now, the others when they are read."""
    first = images[0][name]
    shape = (len(images), *first.shape)
    return LazyArray(name, shape, first.dtype, partial(_read, images, name), first.unit)


def _read(images: Sequence[Image], name: str, box: Box) -> Array:
    first = images[0][name]
    parts = []
    for image in images[box[0]]:
        if image[name].shape != first.shape:
            why = f"{name} has the shape {image[name].shape}, at other times {first.shape}"
            raise damaged(image.path, why)
        parts.append(image[name][box[1:]])
    return np.array(parts, first.dtype).reshape(len(parts), *first.part(box[1:]).shape)
