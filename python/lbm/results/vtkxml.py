# SPDX-License-Identifier: Apache-2.0
"""VTK's XML files with raw appended data, as lbm writes them: .vtp, and lists of pieces."""

from __future__ import annotations

import os
import xml.etree.ElementTree as ElementTree
import zlib
from dataclasses import dataclass
from pathlib import Path
from typing import Any, BinaryIO

import numpy as np

from lbm.results.lazy import Array
from lbm.results.errors import damaged, missing

TYPES: dict[str, np.dtype[Any]] = {
    "Float32": np.dtype("<f4"),
    "Float64": np.dtype("<f8"),
    "Int32": np.dtype("<i4"),
    "Int64": np.dtype("<i8"),
    "UInt8": np.dtype("u1"),
    "String": np.dtype("u1"),
}
MOST_HEADER_BYTES = 1 << 24  # headers of lbm have a few thousand
MOST_PACKED = 1100  # zlib packs by at most 1032
WORD = 8  # bytes of a UInt64


def _size(file: BinaryIO) -> int:
    return os.fstat(file.fileno()).st_size


def _read(file: BinaryIO, at: int, count: int) -> bytes:
    """So many bytes from there on; takes memory only for what the file has."""
    if at + count > _size(file):
        raise ValueError("it ends too early")
    file.seek(at)
    return file.read(count)


def _words(file: BinaryIO, at: int, count: int) -> list[int]:
    return [int(v) for v in np.frombuffer(_read(file, at, WORD * count), "<u8")]


def _raw(file: BinaryIO, at: int) -> bytes:
    claimed = _words(file, at, 1)[0]
    if claimed > _size(file):
        raise ValueError(f"it is too short for {claimed} bytes of values")
    return _read(file, at + WORD, claimed)


def _unpacked(file: BinaryIO, at: int) -> bytes:
    """The values that zlib has packed in blocks. Takes no memory for what the file cannot hold."""
    blocks, size, rest = _words(file, at, 3)
    claimed = blocks * size - (size - rest if rest and blocks else 0)
    if claimed > _size(file) * MOST_PACKED:
        raise ValueError(f"it is too short for {claimed} bytes of values")
    packed = _words(file, at + 3 * WORD, blocks)
    at += (3 + blocks) * WORD
    parts: list[bytes] = []
    for n in packed:
        parts.append(zlib.decompressobj().decompress(_read(file, at, n), size))
        at += n
    data = b"".join(parts)
    if len(data) != claimed:
        raise ValueError("it ends too early")
    return data


@dataclass(frozen=True)
class XmlFile:
    """The header of a file. data: first byte of the appended data; None: the file has none."""

    path: Path
    root: ElementTree.Element
    data: int | None

    def find(self, where: str) -> ElementTree.Element:
        """The first element at this place."""
        found = self.root.find(where)
        if found is None:
            raise damaged(self.path, f"it has no {where}")
        return found

    def values(self, element: ElementTree.Element) -> Array:
        """The values that an element describes, flat."""
        dtype = TYPES.get(element.get("type", ""))
        offset = element.get("offset", "")
        if dtype is None or self.data is None or not offset.isdigit():
            raise damaged(self.path, f"no array that lbm writes: {element.get('Name')}")
        unpack = _raw if self.root.get("compressor") is None else _unpacked
        try:
            with self.path.open("rb") as file:
                return np.frombuffer(unpack(file, self.data + int(offset)), dtype)
        except (OSError, ValueError, zlib.error) as error:
            raise damaged(self.path, error) from error

    def attrs(self) -> dict[str, Any]:
        """Texts and numbers of the field data, and the time as `time`."""
        fields = self.root.find("./*/FieldData")
        found: dict[str, Any] = {}
        for element in [] if fields is None else fields:
            values = self.values(element)
            name = element.get("Name", "")
            if element.get("type") == "String":
                text = values.tobytes().split(b"\0")[0]
                found[name] = text.decode(errors="replace")
            elif values.size == 1:
                found["time" if name == "TimeValue" else name] = values[0].item()
        return found


def _header(file: BinaryIO) -> tuple[bytes, int | None]:
    """The text before the appended data, and the first byte of the data."""
    text = b""
    while len(text) < MOST_HEADER_BYTES:
        more = file.read(1 << 16)
        text += more
        at = text.find(b"<AppendedData")
        start = text.find(b"_", at) if at >= 0 else -1
        if start >= 0:
            return text[:at] + b"</VTKFile>", start + 1
        if not more:
            return text, None
    raise ValueError("its header does not end")


def read_xml(path: Path) -> XmlFile:
    """The header of a file. Raises UsageError for a damaged, MissingFileError for a missing one."""
    try:
        with path.open("rb") as file:
            text, data = _header(file)
        return XmlFile(path, ElementTree.fromstring(text), data)
    except FileNotFoundError as error:
        raise missing(path, "restore it or run again") from error
    except (OSError, ValueError, ElementTree.ParseError) as error:
        raise damaged(path, error) from error


def piece_path(file: XmlFile, piece: ElementTree.Element) -> Path:
    """The file of a piece, in the directory of the file that lists it."""
    source = piece.get("Source", "")
    if not source or Path(source).name != source:
        raise damaged(file.path, f"a piece named {source!r}")
    return file.path.parent / source
