"""The index of a series: which file has which time, without a look into the files."""

from __future__ import annotations

import json
import math
import re
import xml.etree.ElementTree as ElementTree
from dataclasses import dataclass
from pathlib import Path

from lbm.results.image import Image
from lbm.results.surface import Surface
from lbm.results.trouble import damaged, missing

INDEX_ENDINGS = (".hdf.series", ".pvd")
# NAME_000000200.vtkhdf, not the pieces NAME_000000200_p0000.vti.
FILE = re.compile(r"(?P<name>.+)_(?P<step>\d{9,})\.(vtkhdf|p?vti|p?vtp)")


@dataclass(frozen=True)
class Entry:
    """A file of a series. step: as its name says."""

    path: Path
    time: float
    step: int

    def open(self) -> Image | Surface:
        """The image or the surface of the file."""
        if self.path.suffix in (".vtp", ".pvtp"):
            return Surface(self.path, self.time)
        return Image(self.path, self.time)


def _entry(index: Path, name: object, time: object) -> Entry:
    parts = FILE.fullmatch(name) if isinstance(name, str) and Path(name).name == name else None
    try:
        when = float(time)  # type: ignore[arg-type]
    except (TypeError, ValueError):
        when = math.nan
    if parts is None or not math.isfinite(when):
        raise damaged(index, f"an entry {name!r} of time {time!r}")
    return Entry(index.parent / str(name), when, int(parts["step"]))


def _json_entries(path: Path, text: str) -> list[Entry]:
    return [_entry(path, file["name"], file["time"]) for file in json.loads(text)["files"]]


def _xml_entries(path: Path, text: str) -> list[Entry]:
    sets = ElementTree.fromstring(text).findall("./Collection/DataSet")
    return [_entry(path, e.get("file"), e.get("timestep")) for e in sets]


def read_index(path: Path) -> list[Entry]:
    """Entries of an index, in the order of time. Throws UsageError for a damaged one."""
    try:
        text = path.read_text(encoding="utf-8")
        return (_xml_entries if path.suffix == ".pvd" else _json_entries)(path, text)
    except FileNotFoundError as error:
        raise missing(path, "restore it or run again") from error
    except (OSError, UnicodeDecodeError, ElementTree.ParseError) as error:
        raise damaged(path, error) from error
    except (json.JSONDecodeError, KeyError, TypeError) as error:
        raise damaged(path, f"no index of files: {error}") from error


def _scanned(directory: Path, name: str) -> list[Entry]:
    """Entries of a series without an index: of its files, which are opened for their times."""
    entries = []
    for path in directory.iterdir():
        parts = FILE.fullmatch(path.name)
        if parts and parts["name"] == name:
            opened = Entry(path, math.nan, int(parts["step"]))
            time = (Surface if path.suffix in (".vtp", ".pvtp") else Image)(path).time
            entries.append(Entry(opened.path, time, opened.step))
    return sorted(entries, key=lambda entry: entry.step)


def series_names(directory: Path) -> list[str]:
    """Names of the series in a directory, by their indices and their files."""
    names = set()
    for path in directory.iterdir():
        parts = FILE.fullmatch(path.name)
        if parts:
            names.add(parts["name"])
        for ending in INDEX_ENDINGS:
            if path.name.endswith(ending):
                names.add(path.name.removesuffix(ending))
    return sorted(names)


def entries_of(directory: Path, name: str) -> list[Entry]:
    """The files of a series by time: as its index says, else what there is."""
    for ending in INDEX_ENDINGS:
        index = directory / (name + ending)
        if index.exists():
            return read_index(index)
    return _scanned(directory, name)
