# SPDX-License-Identifier: Apache-2.0
"""Progress of a run: a bar of tqdm, or a function of the user."""

from __future__ import annotations

import importlib
import sys
import typing

from lbm._lbm import UsageError

Callback = typing.Callable[[int, int], None]
"""progress(step, last): a function that is called a few times a second during a run."""

Progress = typing.Union[bool, None, Callback]
"""True: show progress; False: do not; None: show it in a terminal or notebook; or a function."""


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


class Bar:
    """A context manager that shows the steps from first to last while it is open.

    A simulation calls `callback` with the step that it has reached, which may lie between whole
    steps. `callback` is None where nothing is shown.
    """

    def __init__(self, progress: Progress, first: int, last: int) -> None:
        self._last = last
        self._function = progress if callable(progress) else None
        self._bar: typing.Any = None
        if progress is True or (progress is None and somebody_watches()):
            bars = importlib.import_module("tqdm.auto")
            self._bar = bars.tqdm(total=last, initial=first, unit="step", delay=1)
        told = self._function is not None or self._bar is not None
        self.callback: typing.Callable[[float], None] | None = self.update if told else None

    def update(self, step: float) -> None:
        """Shows that the run has reached a step."""
        if self._function is not None:
            self._function(int(step), self._last)
        if self._bar is not None:
            self._bar.update(int(step) - self._bar.n)

    def __enter__(self) -> Bar:
        return self

    def __exit__(self, *_: object) -> None:
        if self._bar is not None:
            self._bar.close()
