# SPDX-License-Identifier: Apache-2.0
"""Progress of a run: a bar of tqdm where it is installed, else a line on stderr."""

from __future__ import annotations

import importlib
import sys
import time
import types
import typing

from lbm._lbm import UsageError

Callback = typing.Callable[[int, int], None]
"""progress(step, last): a function that is called a few times a second during a run."""

Progress = typing.Union[bool, None, Callback]
"""True: show progress; False: do not; None: show it in a terminal or notebook; or a function."""

_REDRAW_SECONDS = 0.2


def somebody_watches() -> bool:
    """True if Python runs in a notebook, or stderr is a terminal."""
    return "ipykernel" in sys.modules or sys.stderr.isatty()


def judged(progress: object) -> Progress:
    """The value itself. Raises UsageError where it is no Progress."""
    if progress is None or isinstance(progress, bool) or callable(progress):
        return progress
    raise UsageError(
        f"progress: found {progress!r}, must be True, False, None or a function(step, last)"
    )


class _Line:
    """One line on stderr that is overwritten."""

    def __init__(self, first: int, last: int) -> None:
        self._first, self._last = first, last
        self._begin = self._drawn = time.monotonic()

    def update(self, step: int) -> None:
        now = time.monotonic()
        if now - self._drawn < _REDRAW_SECONDS:
            return
        self._drawn = now
        done = max(step - self._first, 1)
        left = (now - self._begin) * (self._last - step) / done
        sys.stderr.write(f"\rstep {step} of {self._last}, {left:.0f} s left   ")
        sys.stderr.flush()

    def close(self) -> None:
        if self._drawn != self._begin:
            sys.stderr.write("\n")


class _Tqdm:
    """A bar of tqdm."""

    def __init__(self, module: types.ModuleType, first: int, last: int) -> None:
        self._bar = module.tqdm(total=last, initial=first, unit="step", delay=1)

    def update(self, step: int) -> None:
        self._bar.update(step - self._bar.n)

    def close(self) -> None:
        self._bar.close()


class Bar:
    """A context manager that shows the steps from first to last while it is open.

    A simulation calls `callback` with the step that it has reached, which may lie between whole
    steps. `callback` is None where nothing is shown.
    """

    def __init__(self, progress: Progress, first: int, last: int) -> None:
        self._last = last
        self._function: Callback | None = None
        self._shown: _Line | _Tqdm | None = None
        if callable(progress):
            self._function = progress
        elif progress or (progress is None and somebody_watches()):
            self._shown = self._make(first, last)
        told = self._function is not None or self._shown is not None
        self.callback: typing.Callable[[float], None] | None = self.update if told else None

    @staticmethod
    def _make(first: int, last: int) -> _Line | _Tqdm:
        try:
            bars = importlib.import_module("tqdm.auto")
        except ImportError:
            return _Line(first, last)
        return _Tqdm(bars, first, last)

    def update(self, step: float) -> None:
        """Shows that the run has reached a step."""
        if self._function is not None:
            self._function(int(step), self._last)
        if self._shown is not None:
            self._shown.update(int(step))

    def __enter__(self) -> Bar:
        return self

    def __exit__(self, *_: object) -> None:
        if self._shown is not None:
            self._shown.close()
