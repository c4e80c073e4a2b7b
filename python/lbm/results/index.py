# SPDX-License-Identifier: Apache-2.0
"""The index of a series: the time of each file, without opening the files."""

from __future__ import annotations

import json
import math
import re
import xml.etree.ElementTree as ElementTree
from dataclasses import dataclass
from pathlib import Path

from lbm.results.errors import damaged, missing

INDEX_ENDINGS = (".hdf.series", ".pvd")
# NAME_000000200.hdf, not the pieces NAME_000000200_p0000.vtp.
FILE = re.compile(r"(?P<name>.+)_(?P<step>\d{9,})\.(hdf|vtkhdf|p?vtp)")


@dataclass(frozen=True)
class Entry:
    """A file of a series. step: from the name of the file."""

    path: Path
    time: float
    step: int


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
    """Entries of an index in the order of time. Raises UsageError for a damaged index."""
    try:
        text = path.read_text(encoding="utf-8")
        return (_xml_entries if path.suffix == ".pvd" else _json_entries)(path, text)
    except FileNotFoundError as error:
        raise missing(path, "restore it or run again") from error
    except (OSError, UnicodeDecodeError, ElementTree.ParseError) as error:
        raise damaged(path, error) from error
    except (json.JSONDecodeError, KeyError, TypeError, RecursionError) as error:
        raise damaged(path, f"no index of files: {error}") from error


def find_index(directory: Path, name: str) -> Path | None:
    """The index file of a series; None: the series has none."""
    paths = [directory / (name + ending) for ending in INDEX_ENDINGS]
    return next((path for path in paths if path.exists()), None)


def files_without_index(directory: Path, name: str) -> list[tuple[int, Path]]:
    """(step, file) of a series in the order of steps, from the names of the files."""
    parts = [(path, FILE.fullmatch(path.name)) for path in directory.iterdir()]
    return sorted((int(m["step"]), path) for path, m in parts if m and m["name"] == name)


def series_names(directory: Path) -> list[str]:
    """Names of the series in a directory, from index files and from names of files."""
    names = set()
    for path in directory.iterdir():
        parts = FILE.fullmatch(path.name)
        if parts:
            names.add(parts["name"])
        for ending in INDEX_ENDINGS:
            if path.name.endswith(ending):
                names.add(path.name.removesuffix(ending))
    return sorted(names)
