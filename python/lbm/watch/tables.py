# SPDX-License-Identifier: Apache-2.0
"""Tables of a run as they grow: only new rows are read, and memory has a limit."""

from __future__ import annotations

import csv
import io
import os
import threading
from collections import OrderedDict
from pathlib import Path
from typing import BinaryIO, TypeVar

import numpy as np

from lbm.results import ProbeTable, Table
from lbm.results.lazy import Array
from lbm.watch.files import open_regular

_MOST_HEAD = 1 << 20  # bytes before the first row
_MOST_COLUMNS = 500
_MOST_TEXT = 128 << 20  # bytes of rows that are read at once
_MOST_VALUES = 96 << 20  # bytes of the rows of one table that are kept: the last ones
_MOST_ALL = 512 << 20  # bytes of all tables
_GUARD = 64  # bytes before the place where reading goes on: they change where a run was restarted

NO_ROW = "it has no row yet; a run writes many rows at once"

T = TypeVar("T", bound=Table)


class UnreadableError(Exception):
    """Why a table cannot be shown: a part of a sentence."""


def _why(error: Exception) -> UnreadableError:
    return error if isinstance(error, UnreadableError) else UnreadableError("a row is damaged")


class Growing:
    """A CSV file that a run appends to.

    Attributes:
        cut: whether the first rows are left out, since there are too many.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self._reset()

    def _reset(self) -> None:
        self._inode, self._offset, self._guard = -1, 0, b""
        self._comments: list[str] = []
        self._names: list[str] = []
        self._rows: Array = np.empty((0, 0))
        self.cut = False

    @property
    def nbytes(self) -> int:
        """Memory of the rows."""
        return int(self._rows.nbytes)

    def update(self) -> None:
        """Reads what is new. Raises UnreadableError, OSError."""
        with open_regular(self.path) as file:
            size = file.seek(0, os.SEEK_END)
            inode = os.fstat(file.fileno()).st_ino
            if inode != self._inode or size < self._offset or not self._continues(file):
                self._reset()
            try:
                if self._inode != inode:
                    self._read_head(file)
                self._read_rows(file, size)
            except (UnreadableError, ValueError) as error:
                self._reset()
                raise _why(error) from error
            self._inode = inode

    def _continues(self, file: BinaryIO) -> bool:
        file.seek(self._offset - len(self._guard))
        return file.read(len(self._guard)) == self._guard

    def _read_head(self, file: BinaryIO) -> None:
        file.seek(0)
        start = file.read(_MOST_HEAD)
        at = 0
        while start[at : at + 1] == b"#" and (end := start.find(b"\n", at)) >= 0:
            self._comments.append(start[at + 1 : end].decode(errors="replace").strip())
            at = end + 1
        end = start.find(b"\n", at)
        if end < 0:
            long = len(start) == _MOST_HEAD
            raise UnreadableError("it has too many columns" if long else NO_ROW)
        self._names = next(csv.reader([start[at:end].decode(errors="replace")]), [])
        if not 0 < len(self._names) <= _MOST_COLUMNS:
            raise UnreadableError(f"it has {len(self._names)} columns, too many for a page")
        self._rows = np.empty((0, len(self._names)))
        self._offset, self._guard = end + 1, start[: end + 1][-_GUARD:]

    def _read_rows(self, file: BinaryIO, size: int) -> None:
        if size - self._offset > _MOST_TEXT:  # the end of a very long table
            self._offset = size - _MOST_TEXT
            file.seek(self._offset)
            self._offset += file.read(_MOST_HEAD).find(b"\n") + 1
            self._rows, self.cut = self._rows[:0], True
        file.seek(self._offset)
        text = file.read(_MOST_TEXT)
        text = text[: text.rfind(b"\n") + 1]
        if not text:
            return
        if not text.strip():
            raise ValueError("empty lines")
        rows = np.loadtxt(io.StringIO(text.decode(errors="replace")), delimiter=",", ndmin=2)
        if rows.shape[1] != len(self._names):
            raise ValueError("a row of another length")
        most = max(_MOST_VALUES // (8 * len(self._names)), 1000)
        self.cut = self.cut or len(self._rows) + len(rows) > most
        self._rows = np.concatenate([self._rows, rows])[-most:]
        self._offset += len(text)
        self._guard = (self._guard + text)[-_GUARD:]

    def table(self, kind: type[T]) -> T:
        """The rows that were read, as a table of lbm.results."""
        table = kind(self.path)
        table.__dict__["_content"] = (self._comments, self._names, self._rows)
        return table


class Tables:
    """All tables that were looked at, up to a limit of memory."""

    def __init__(self) -> None:
        self._known: OrderedDict[Path, Growing] = OrderedDict()
        self._lock = threading.Lock()

    def table(self, path: Path, kind: type[T]) -> tuple[T, bool]:
        """A table as of now, and whether its first rows are left out. Raises UnreadableError."""
        with self._lock:
            growing = self._known.setdefault(path, Growing(path))
            self._known.move_to_end(path)
            try:
                growing.update()
            except OSError as error:
                del self._known[path]
                raise UnreadableError(str(error.strerror or error).lower()) from error
            table = growing.table(kind)
            while len(self._known) > 1 and sum(g.nbytes for g in self._known.values()) > _MOST_ALL:
                self._known.popitem(last=False)
        return table, growing.cut


__all__ = ["NO_ROW", "ProbeTable", "Table", "Tables", "UnreadableError"]
