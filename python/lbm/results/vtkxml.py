# SPDX-License-Identifier: Apache-2.0
"""VTK's XML files with raw appended data, as lbm writes them: .vti, .vtp, and lists of pieces."""

from __future__ import annotations

import math
import os
import xml.etree.ElementTree as ElementTree
import zlib
from dataclasses import dataclass
from pathlib import Path
from typing import Any, BinaryIO

import numpy as np

from lbm.results.lazy import Array, Box, box_shape
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
MOST_BYTES = 1 << 24  # bytes unpacked at once
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


@dataclass(frozen=True)
class Appended:
    """The values of one array, which follow the header of their file.

    at: first byte of the values. packed: whether zlib has packed them, in blocks.
    """

    path: Path
    at: int
    dtype: np.dtype[Any]
    packed: bool

    def all(self) -> Array:
        """All values, flat."""
        try:
            with self.path.open("rb") as file:
                count = self._checked_bytes(file) // self.dtype.itemsize
                return self._range(file, 0, count)
        except (OSError, ValueError, zlib.error) as error:
            raise damaged(self.path, error) from error

    def read(self, box: Box, shape: tuple[int, ...]) -> Array:
        """A box of the array of this shape. Unpacks only the blocks with planes of the box."""
        try:
            if not self.packed:
                return self._mapped(box, shape)
            with self.path.open("rb") as file:
                if math.prod(shape) * self.dtype.itemsize > self._checked_bytes(file):
                    raise ValueError("it has fewer values than its header says")
                return self._planes(file, box, shape)
        except (OSError, ValueError, zlib.error) as error:
            raise damaged(self.path, error) from error

    def _planes(self, file: BinaryIO, box: Box, shape: tuple[int, ...]) -> Array:
        """The same, a few planes at a time: the planes in between may not fit the memory."""
        plane = int(np.prod(shape[1:]))
        wanted = range(box[0].start, box[0].stop, box[0].step)
        values = np.empty(box_shape(box), self.dtype)
        planes = max(1, MOST_BYTES // max(1, plane * self.dtype.itemsize) // box[0].step)
        for i in range(0, len(wanted), planes):
            some = wanted[i : i + planes]
            whole = self._range(file, some[0] * plane, (some[-1] + 1) * plane)
            whole = whole.reshape(-1, *shape[1:])
            values[i : i + len(some)] = whole[(slice(None, None, box[0].step), *box[1:])]
        return values

    def _mapped(self, box: Box, shape: tuple[int, ...]) -> Array:
        values = np.memmap(self.path, self.dtype, "r", self.at + WORD, shape)
        return np.array(values[box])

    def _words(self, file: BinaryIO, at: int, count: int) -> list[int]:
        return [int(v) for v in np.frombuffer(_read(file, at, WORD * count), "<u8")]

    def _bytes(self, file: BinaryIO) -> int:
        """Bytes of all values, unpacked."""
        if not self.packed:
            return self._words(file, self.at, 1)[0]
        blocks, size, rest = self._words(file, self.at, 3)
        return blocks * size - (size - rest if rest and blocks else 0)

    def _checked_bytes(self, file: BinaryIO) -> int:
        """The same, which may not be more than what the file can have: no memory is taken for it."""
        claimed = self._bytes(file)
        if claimed > _size(file) * (MOST_PACKED if self.packed else 1):
            raise ValueError(f"it is too short for {claimed} bytes of values")
        return claimed

    def _range(self, file: BinaryIO, first: int, last: int) -> Array:
        """Values first ... last - 1."""
        begin, end = first * self.dtype.itemsize, last * self.dtype.itemsize
        if begin >= end:
            return np.empty(0, self.dtype)
        if self.packed:
            data = self._unpacked(file, begin, end)
        else:
            data = _read(file, self.at + WORD + begin, end - begin)
        if len(data) != end - begin:
            raise ValueError("it ends too early")
        return np.frombuffer(data, self.dtype)

    def _unpacked(self, file: BinaryIO, begin: int, end: int) -> bytes:
        blocks, size, _ = self._words(file, self.at, 3)
        if not 0 < size <= 1 << 32 or blocks > 1 << 32 or end > blocks * size:
            raise ValueError("the table of its blocks is wrong")
        packed = self._words(file, self.at + 3 * WORD, blocks)
        first, last = begin // size, (end - 1) // size
        at = self.at + (3 + blocks) * WORD + sum(packed[:first])
        parts: list[bytes] = []
        for n in packed[first : last + 1]:
            parts.append(zlib.decompressobj().decompress(_read(file, at, n), size))
            at += n
        return b"".join(parts)[begin - first * size : end - first * size]


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

    def values(self, element: ElementTree.Element) -> Appended:
        """The values that an element describes."""
        dtype = TYPES.get(element.get("type", ""))
        offset = element.get("offset", "")
        if dtype is None or self.data is None or not offset.isdigit():
            raise damaged(self.path, f"no array that lbm writes: {element.get('Name')}")
        packed = self.root.get("compressor") is not None
        return Appended(self.path, self.data + int(offset), dtype, packed)

    def attrs(self) -> dict[str, Any]:
        """Texts and numbers of the field data, and the time as `time`."""
        fields = self.root.find("./*/FieldData")
        found: dict[str, Any] = {}
        for element in [] if fields is None else fields:
            values = self.values(element).all()
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


def whole_numbers(file: XmlFile, element: ElementTree.Element, name: str) -> list[int]:
    """The whole numbers in an attribute."""
    try:
        return [int(v) for v in element.attrib[name].split()]
    except (KeyError, ValueError) as error:
        raise damaged(file.path, f"{element.tag} has no right {name}") from error


def piece_path(file: XmlFile, piece: ElementTree.Element) -> Path:
    """The file of a piece, in the directory of the file that lists it."""
    source = piece.get("Source", "")
    if not source or Path(source).name != source:
        raise damaged(file.path, f"a piece named {source!r}")
    return file.path.parent / source
