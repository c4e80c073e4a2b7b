# SPDX-License-Identifier: Apache-2.0
"""Answers as plain data: what the page asks for, without HTTP."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from lbm._lbm import Error
from lbm.report_page.drawing import style
from lbm.watch import control
from lbm.watch.about import about, whole_page
from lbm.watch.access import Access
from lbm.watch.curves import curves
from lbm.watch.fields import Fields
from lbm.watch.pictures import picture, pictures
from lbm.watch.process import Locks
from lbm.watch.runs import Run, Runs
from lbm.watch.slices import Slices
from lbm.watch.surfaces import Surfaces
from lbm.watch.tables import Tables

Answer = dict[str, Any]
_LIST_SECONDS = 1.0  # for which the list of runs is kept: several pages may ask


class NotFoundError(Exception):
    """There is no such page or run."""


class Site:
    """One watched directory.

    Attributes:
        access: who may read and change. allow_control: whether runs may be stopped and saved.
    """

    def __init__(self, root: Path, allow_control: bool = False) -> None:
        self.runs = Runs(root)
        self.access = Access()
        self.allow_control = allow_control
        fields = Fields()
        self._slices, self._surfaces, self._tables = Slices(fields), Surfaces(fields), Tables()
        self._heavy = threading.Lock()  # one picture, surface or table at a time: memory has a limit
        self._listing = threading.Lock()
        self._list: tuple[float, Answer] = (0.0, {})
        self._reads: dict[str, Callable[[Run, Mapping[str, str]], Answer]] = {
            "run": lambda run, _: run.status(Locks()),
            "curves": self._curves,
            "series": lambda run, _: {"series": self._slices.series(run.path)},
            "slice": self._slice,
            "surface": self._surface,
            "pictures": lambda run, _: {"pictures": pictures(run.path)},
            "picture": lambda run, wish: picture(run.path, dict(wish)),
            "about": self._about,
            "ticket": lambda run, _: {"ticket": self.access.ticket(run.id)},
        }

    def read(self, name: str, wish: Mapping[str, str]) -> Answer:
        """An answer that changes nothing. Raises NotFoundError, lbm.Error."""
        if name == "runs":
            return self.overview()
        if name not in self._reads:
            raise NotFoundError("There is no such page.")
        return self._reads[name](self._run(wish), wish)

    def change(self, name: str, wish: Mapping[str, str]) -> Answer:
        """Stops or saves a run. Raises NotFoundError, RefusedError."""
        if name not in control.STOP:
            raise NotFoundError("There is no such page.")
        if not self.allow_control:
            raise control.RefusedError("The page was started without --allow-control.")
        return {"done": control.send(self._run(wish).path, name)}

    def report(self, ticket: str) -> str:
        """The report of a run as a page of HTML. Raises NotFoundError, lbm.Error."""
        name = self.access.redeem(ticket)
        if name is None:
            raise NotFoundError("This address was for one use: open the report from the page.")
        run = self._run({"run": name})
        with self._heavy:
            return whole_page(run.path)

    def overview(self) -> Answer:
        """All runs, a line each."""
        with self._listing:
            if time.monotonic() - self._list[0] > _LIST_SECONDS:
                locks = Locks()
                runs = [run.brief(locks) for run in self.runs.find()]
                answer = {"root": str(self.runs.root), "runs": runs, "control": self.allow_control}
                self._list = (time.monotonic(), answer)
            return {**self._list[1], "now": time.time()}

    def _run(self, wish: Mapping[str, str]) -> Run:
        found = self.runs.run(wish.get("run", ""))
        if found is None:
            raise NotFoundError("There is no such run.")
        return found

    def _curves(self, run: Run, _: Mapping[str, str]) -> Answer:
        with self._heavy:
            return curves(run.path, self._tables)

    def _slice(self, run: Run, wish: Mapping[str, str]) -> Answer:
        with self._heavy:
            return self._slices.slice(run.path, dict(wish))

    def _surface(self, run: Run, wish: Mapping[str, str]) -> Answer:
        with self._heavy:
            return self._surfaces.surface(run.path, dict(wish))

    def _about(self, run: Run, _: Mapping[str, str]) -> Answer:
        with self._heavy, style():
            return about(run.path)


__all__ = ["Error", "NotFoundError", "Site"]
