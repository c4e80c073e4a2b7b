# SPDX-License-Identifier: Apache-2.0
"""The directory of a run."""

from __future__ import annotations

import json
import textwrap
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, Generic, TypeVar

from lbm._arguments import PathLike, path_text
from lbm._lbm import Error, UsageError
from lbm.case import Case
from lbm.report import Record
from lbm.results.errors import damaged, missing, need, no_name
from lbm.results.image import Image
from lbm.results.index import series_names
from lbm.results.lazy import Array
from lbm.results.pictures import FILE as PICTURE
from lbm.results.pictures import Pictures, pictures_of
from lbm.results.series import Series
from lbm.results.table import ForceTable, ProbeTable, Table

if TYPE_CHECKING:
    import pyvista  # type: ignore[import-not-found,unused-ignore]

T = TypeVar("T")
RESULT_ENDINGS = (
    ".hdf", ".vtkhdf", ".csv", ".series", ".vtp", ".pvtp", ".pvd", ".picture"
)


class Named(Mapping[str, T], Generic[T]):
    """Results by name: `named["ball"]` opens one of them."""

    def __init__(self, where: Path, what: str, names: list[str], make: Callable[[str], T]) -> None:
        self._where, self._what, self._names, self._make = where, what, names, make

    def __getitem__(self, name: str) -> T:
        if name not in self._names:
            raise no_name(self._where, self._what, name, self._names)
        return self._make(name)

    def __iter__(self) -> Iterator[str]:
        return iter(self._names)

    def __len__(self) -> int:
        return len(self._names)

    def __repr__(self) -> str:
        return f"<{self._what} {self._names} in {self._where}>"


def is_result(name: str) -> bool:
    """True if a file of this name, in the directory of a run, was written by lbm."""
    checkpoint = name.startswith("checkpoint_") and name.endswith(".h5")
    known = name in ("report.json", "effective_case.yaml")
    picture = PICTURE.fullmatch(name) is not None
    return checkpoint or known or picture or name.endswith(RESULT_ENDINGS)


class Results:
    """The files that a run has written (docs/output.md); lbm.open(path) makes this object.

    `results["mid"]` is the series of an output. Each access reads the files as they are now, so a
    run may still be going on.

    Attributes:
        path: the directory.
    """

    def __init__(self, path: PathLike) -> None:
        self.path = Path(path_text(path, "path"))
        if not self.path.exists():
            raise missing(self.path, "give the directory of a run")
        if not self.path.is_dir():
            raise UsageError(
                f"{path}: is a file, must be the directory of a run; "
                "one image: lbm.results.Image(path), one table: lbm.results.Table(path)"
            )
        if not self.files:
            raise UsageError(f"{path}: no results of lbm in it; give the directory of a run")

    @property
    def files(self) -> list[Path]:
        """All complete files of the run."""
        return sorted(p for p in self.path.iterdir() if is_result(p.name) and p.is_file())

    @property
    def report(self) -> Record:
        """report.json, docs/cli.md: `results.report.mlups`, `results.report["bodies"]`."""
        path = self.path / "report.json"
        try:
            content = json.loads(path.read_text(encoding="utf-8"))
        except FileNotFoundError as error:
            raise missing(path, "the run has not ended") from error
        except (OSError, ValueError, RecursionError) as error:
            raise damaged(path, error) from error
        if not isinstance(content, dict):
            raise damaged(path, "no JSON object")
        return Record(content)

    @property
    def case(self) -> Case:
        """The case that was run, with all defaults: an lbm.Case."""
        path = self.path / "effective_case.yaml"
        if not path.exists():
            raise missing(path, "restore it or run again")
        return Case.from_yaml(path)

    @property
    def series(self) -> Named[Series[Any]]:
        """Series of images or surfaces by name: 'fields', names of outputs and of statistics."""
        names = series_names(self.path)
        return Named(self.path, "series", names, self._series)

    def __getitem__(self, name: str) -> Series[Any]:
        return self.series[name]

    def __contains__(self, name: object) -> bool:
        return name in self.series

    def __iter__(self) -> Iterator[str]:
        return iter(self.series)

    @property
    def fields(self) -> Series[Image]:
        """The series 'fields': density and velocity of all cells, as `output` of the case says."""
        return self.series["fields"]

    @property
    def steps(self) -> Array:
        """Time steps of `fields`, [files]."""
        return self.fields.steps

    @property
    def times(self) -> Array:
        """Times of `fields`, [files], in L/U."""
        return self.fields.times

    @property
    def forces(self) -> Named[ForceTable]:
        """Force and torque by the name of the body."""
        return self._tables("forces_", "forces of a body", ForceTable)

    @property
    def probes(self) -> Named[ProbeTable]:
        """Pressure and velocity by the name of the probe."""
        return self._tables("probe_", "probe", ProbeTable)

    @property
    def quantities(self) -> Named[Table]:
        """Values over time by the name of the quantity: columns `step`, `time`, `value`."""
        return self._tables("quantity_", "quantity", Table)

    @property
    def phases(self) -> Named[Table]:
        """Values over the angle of a body by the name of the quantity: columns `angle` (degrees),
        `samples`, `mean`, `rms`."""
        return self._tables("phase_", "phase table of a quantity", Table)

    @property
    def profiles(self) -> Named[Table]:
        """Profiles along the centre lines: 'x', 'y', 'z'."""
        return self._tables("profile_", "profile", Table)

    @property
    def pictures(self) -> Named[Pictures]:
        """Pictures that the run has made, by their name in `pictures` of the case."""
        found = pictures_of(self.path, [p.name for p in self.path.iterdir() if p.is_file()])
        return Named(self.path, "pictures", list(found), found.__getitem__)

    @property
    def monitor(self) -> Table:
        """Mass, energy, momentum and extremes by step.

        Raises: MissingFileError where the case has no `output.monitor`.
        """
        path = self.path / "monitor.csv"
        if not path.exists():
            raise missing(path, "the case has no output.monitor")
        return Table(path)

    @property
    def checkpoints(self) -> list[Path]:
        """Checkpoints in the order of steps."""
        found = self.path.glob("checkpoint_*.h5")
        return sorted(found, key=lambda p: (len(p.name), p.name))

    def to_pyvista(self, time: float | None = None) -> pyvista.MultiBlock:
        """A pyvista.MultiBlock of all series, by name, each at its last time; reads all values.

        time: or the file of each series whose time is nearest; series without that time in their
            range are left out. In L/U, in s with `units: si`.

        Large fields need memory: `results["mid"][-1].to_pyvista()` reads one image alone.
        Raises: MissingPackageError where PyVista is not installed; UsageError where there is no
        image or surface at that time.
        """
        found = {name: _at(series, time) for name, series in self.series.items()}
        there = {name: one for name, one in found.items() if one is not None}
        if not there:
            raise UsageError(f"{self.path}: no image or surface at time {time}; there are: {self}")
        blocks: pyvista.MultiBlock = need("pyvista", "pyvista", "to_pyvista").MultiBlock()
        for name, one in there.items():
            blocks[name] = one.to_pyvista()
        return blocks

    def _series(self, name: str) -> Series[Any]:
        return Series(self.path, name)

    def _tables(self, start: str, what: str, kind: Callable[[Path], T]) -> Named[T]:
        files = sorted(self.path.glob(f"{start}*.csv"))
        names = [path.name[len(start) : -len(".csv")] for path in files]
        return Named(self.path, what, names, lambda name: kind(self.path / f"{start}{name}.csv"))

    def __repr__(self) -> str:
        lines = (f"{what:12}{', '.join(names)}" for what, names in self._contents().items())
        shown = "\n".join("  " + textwrap.shorten(line, 98, placeholder=" ...") for line in lines)
        return f"<lbm results {self.path}: {self._state()}>\n{shown}"

    def _contents(self) -> dict[str, list[str]]:
        """Names of what there is, by kind."""
        found = {
            "series": list(self.series),
            "forces": list(self.forces),
            "probes": list(self.probes),
            "quantities": list(self.quantities),
            "phases": list(self.phases),
            "profiles": list(self.profiles),
            "pictures": list(self.pictures),
            "monitor": ["monitor"] if (self.path / "monitor.csv").exists() else [],
            "checkpoints": [path.name for path in self.checkpoints],
        }
        return {what: names for what, names in found.items() if names}

    def _state(self) -> str:
        try:
            report = self.report
            return f"{report['exit_reason']}, {report['steps']} steps"
        except (Error, KeyError):
            return "no report.json: the run has not ended"


def _at(series: Series[Any], time: float | None) -> Any:
    """The last file, or that of the nearest time; None: there is none."""
    if not len(series):
        return None
    if time is None:
        return series[-1]
    times = series.times
    return series.at(time=time) if times.min() <= time <= times.max() else None


def open(path: PathLike) -> Results:  # noqa: A001 - lbm.open, as others have theirs
    """The results of a run, read on use.

    Args:
        path: the directory of the run.

    Raises:
        MissingFileError: the directory does not exist (also a FileNotFoundError).
        UsageError: the path is a file, or the directory has no results.
    """
    return Results(path)
