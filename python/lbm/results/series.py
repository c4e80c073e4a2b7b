"""The images or surfaces of one output, by time."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Generic, TypeVar, overload

import numpy as np

from lbm._lbm import UsageError
from lbm.results.index import Entry, entries_of
from lbm.results.lazy import Array, LazyArray

if TYPE_CHECKING:
    import xarray

# Image or Surface.
T = TypeVar("T")


class Series(Sequence[T], Generic[T]):
    """What one output has written, by time: `series[-1]`, `series.at(time=2)`, iteration.

    Steps and times come from the index of the series; no other file is opened for them.

    Attributes:
        name: 'fields', or the name of the output or of the statistics.
        directory: where the files are.
    """

    def __init__(self, directory: Path, name: str) -> None:
        self.directory = directory
        self.name = name
        self._entries: list[Entry] = entries_of(directory, name)

    @property
    def steps(self) -> Array:
        """Steps of the files, [files]."""
        return np.array([entry.step for entry in self._entries], np.int64)

    @property
    def times(self) -> Array:
        """Times of the files, [files], in the unit of the files: L/U, s or steps."""
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
            UsageError: there is none of this step; `time` is before the first or after the last.
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
        opened: Any = entry.open()
        return opened  # type: ignore[no-any-return]

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

    def array(self, name: str) -> LazyArray:
        """An array at all times, [time, z, y, x(, component)]; read when it is indexed."""
        from lbm.results.stack import stacked

        return stacked(self, name)

    def to_xarray(self) -> xarray.Dataset:
        """All images as an xarray.Dataset that reads what is used of it; dims time, z, y, x, ..."""
        from lbm.results.xarrays import series_dataset

        return series_dataset(self)

    def __repr__(self) -> str:
        return f"<lbm series {self.name}: {len(self)} files in {self.directory}>"
