# SPDX-License-Identifier: Apache-2.0
"""run.log, read as it grows: when a run began, how far it is, what it warned of, how it ended."""

from __future__ import annotations

import os
import re
import time
from collections import deque
from dataclasses import dataclass, field
from pathlib import Path

from lbm.watch.files import open_regular

_MOST_BYTES = 32 << 20  # of a log that are read at once; of a longer one the end
_MOST_WARNINGS = 100
_TAIL = 60
_LINE = re.compile(r"(\d{4}-\d\d-\d\d \d\d:\d\d:\d\d) (.*)")
_START = re.compile(r"lbm (\d\S*): (.+)")
_SHAPE = re.compile(
    r"(\S+): (\d{1,9}) x (\d{1,9}) x (\d{1,9}) cells, (\w+), Re (\S+)(?: \(target \S+\))?, "
    r"(\d{1,18}) steps"
)
_PROGRESS = re.compile(
    r" *\d+ %  step (\d{1,18}) of (\d{1,18})(?:  (\d{1,12}) MLUPS  (.+?) left)?(?:  (.*))?"
)
_SUMMARY = re.compile(r"(\d{1,18}) of (\d{1,18}) steps in .*?: (\d{1,12}) MLUPS")
_FROM = re.compile(r"note: .*checkpoint_(\d{1,18})\.h5: the run goes on from here")
_PREDICTED = re.compile(r"predicted: (\d[\d.e+]{0,20}) MLUPS")
_END = re.compile(r"completed|steady|walltime reached|interrupted by SIG\w+")


@dataclass
class Segment:
    """The facts in a log about one process of the run; a restart begins a new segment.

    begun, at: seconds since 1970, of the first line and of the last line of progress. step: the
    last known one. caution: what stands beside forces. ended: why the process ended, empty where
    the log does not say.
    """

    begun: float | None = None
    name: str = ""
    cells: tuple[int, int, int] | None = None
    storage: str = ""
    reynolds: str = ""
    caution: str = ""
    device: str = ""
    asked: int | None = None
    first_step: int = 0
    step: int | None = None
    at: float | None = None
    mlups: int | None = None
    left: str = ""
    flow: str = ""
    predicted: float | None = None
    ended: str = ""
    warnings: list[str] = field(default_factory=list)


class RunLog:
    """run.log of a run; `update` reads what is new.

    Attributes:
        segments: number of processes that wrote it. now: the last one. tail: its last lines.
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        self._reset()

    def _reset(self) -> None:
        self._inode, self._offset, self._rest = -1, 0, b""
        self.segments = 0
        self.now = Segment()
        self.tail: deque[str] = deque(maxlen=_TAIL)

    def update(self) -> None:
        """Reads new lines; all of them where the file was replaced or cut."""
        try:
            with open_regular(self._path) as file:
                size = file.seek(0, 2)
                inode = os.fstat(file.fileno()).st_ino
                if inode != self._inode or size < self._offset:
                    self._reset()
                    self._inode = inode
                self._offset = max(self._offset, size - _MOST_BYTES)
                file.seek(self._offset)
                new = self._rest + file.read(_MOST_BYTES)
                self._offset = file.tell()
        except OSError:
            self._reset()
            return
        lines = new.split(b"\n")
        self._rest = lines.pop()[-65536:]
        for line in lines:
            self._add(line[:65536].decode(errors="replace"))

    def _add(self, line: str) -> None:
        parts = _LINE.fullmatch(line)
        self.tail.append(line[:2000])
        if parts is None:
            return
        date, text = parts[1], parts[2]
        if _START.fullmatch(text):
            self.segments += 1
            self.now = Segment(begun=_seconds(date))
            return
        self._read(date, text)

    def _read(self, date: str, text: str) -> None:
        now = self.now
        if found := _PROGRESS.fullmatch(text):
            now.step, now.asked, now.at = int(found[1]), int(found[2]), _seconds(date)
            now.mlups = int(found[3]) if found[3] else now.mlups
            now.left, now.flow = found[4] or "", (found[5] or "")[:300]
        elif found := _SHAPE.fullmatch(text):
            now.name, now.storage, now.reynolds = found[1][:100], found[5], found[6][:30]
            now.cells = (int(found[2]), int(found[3]), int(found[4]))
            now.asked = int(found[7])
        elif found := _FROM.fullmatch(text):
            now.first_step = int(found[1])
        elif found := _SUMMARY.match(text):
            now.step, now.asked, now.mlups = int(found[1]), int(found[2]), int(found[3])
            now.at = _seconds(date)
        elif found := _PREDICTED.fullmatch(text):
            now.predicted = float(found[1]) if re.fullmatch(r"[\d.]+(e\+\d+)?", found[1]) else None
        elif text.startswith("device: "):
            now.device = text[8:208]
        elif text.startswith("caution: "):
            now.caution = text[9:509]
        elif text.startswith("warning: ") and len(now.warnings) < _MOST_WARNINGS:
            now.warnings.append(text[9:1009])
        elif _END.fullmatch(text):
            now.ended = text
        elif text.startswith("lbm: "):
            now.ended = text[5:1005]


def _seconds(text: str) -> float | None:
    """Local time as seconds since 1970; None for a date that there is not."""
    try:
        return time.mktime(time.strptime(text, "%Y-%m-%d %H:%M:%S"))
    except (ValueError, OverflowError):
        return None
