# SPDX-License-Identifier: Apache-2.0
"""A simulation: advance it, read its fields in between."""

from __future__ import annotations

import json
import pathlib
import types
import typing
import warnings

import numpy

from lbm import _lbm
from lbm._arguments import PathLike, path_text, whole
from lbm._lbm import UsageError
from lbm.arrays.fields import FieldReads, InitialArrays, initial_arrays
from lbm.arrays.files import temporary
from lbm.case import Case, as_case
from lbm.progress import Bar, Progress, judged
from lbm.report import Record

Doubles = numpy.ndarray[typing.Any, numpy.dtype[numpy.float64]]

_REPORTS = 20  # of run() by default

_GOES = (
    "{}: a temporary file, which goes with this Python: name a file (lbm.mask(array, 'rock.npy')) "
    "to restart or repeat the run later"
)


class CaseWarning(UserWarning):
    """A case, or a call, is allowed but probably not intended."""


class Forces(typing.NamedTuple):
    """Forces on a body, arrays (3,) of x, y, z, in the units of the case (docs/bodies.md)."""

    force: Doubles
    torque: Doubles
    coefficient: Doubles
    """Force / (rho U^2 A / 2)."""
    torque_coefficient: Doubles
    """Torque / (rho U^2 A L / 2)."""


class PointValues(typing.NamedTuple):
    """Pressure (n,) and velocity (n, 3) at n points, in the units of the case."""

    pressure: Doubles
    """(n,)"""
    velocity: Doubles
    """(n, 3)"""


class Simulation(FieldReads):
    """A case on a device, whose flow is advanced and read step by step.

    case: a Case, or the path of a YAML file. Later changes of the case have no effect.
    out: a directory for the files of `lbm run`; None: no files at all. A directory with earlier
        results is refused; overwrite=True moves them aside.
    restart: the checkpoint from which the run continues, or the directory of a run.
    change: with restart=, the physics of the case may differ from that of the checkpoint
        (docs/checkpoints.md); `out` must be another directory.
    initial: the initial flow as arrays of all cells, in the units of the case, in place of
        `case.initial`: "velocity" (nz, ny, nx, 3), and at most one of "pressure", relative to the
        reference pressure, and "density", (nz, ny, nx); without both the pressure is 0. Arrays of
        float32 or float64 in the order of C are not copied: the simulation holds them until it is
        closed, and reads them until its first step, so leave them unchanged. Others are copied.
    progress: see lbm.progress; the default for all calls of this simulation.

    A simulation holds the memory of its lattice, on the host or the device, until close(), the end
    of a `with` block, or its last reference. Several may exist at a time, each used by one thread.
    Raises UsageError and ResourceError with the messages of `lbm run`.
    """

    def __init__(
        self,
        case: Case | PathLike,
        *,
        out: PathLike | None = None,
        overwrite: bool = False,
        restart: PathLike | None = None,
        change: bool = False,
        initial: InitialArrays | None = None,
        progress: Progress = None,
    ) -> None:
        case = as_case(case)
        self._progress = judged(progress)
        if initial is not None and restart is not None:
            raise UsageError("initial: conflicts with restart, whose checkpoint has the flow")
        if change and restart is None:
            raise UsageError("change: missing: restart, whose physics it changes")
        data = case._data()
        if out is not None and (keys := temporary(case._entries(""))):
            warnings.warn(_GOES.format(", ".join(keys)), CaseWarning, stacklevel=2)
        self._core = _lbm.Simulation(
            data,
            "" if out is None else path_text(out, "out"),
            bool(overwrite),
            "" if restart is None else path_text(restart, "restart"),
            bool(change),
            initial_arrays(initial, data.cells()),
        )
        self._cells = tuple(self._core.cells())
        for text in self._core.warnings():
            warnings.warn(text, CaseWarning, stacklevel=2)

    # Progress.

    @property
    def step(self) -> int:
        """Time steps since the initial state."""
        return self._core.step()

    @property
    def steps(self) -> int:
        """Time steps of the whole case."""
        return self._core.end()

    @property
    def time(self) -> float:
        """Time of `step`: in convective times L/U, in seconds with `units: si`."""
        return self._core.time()

    @property
    def done(self) -> bool:
        """True if the run is over: all steps done, steady, or stopped before its walltime."""
        return self._core.is_over()

    @property
    def cells(self) -> tuple[int, int, int]:
        """Cells of the grid: nx, ny, nz."""
        return typing.cast("tuple[int, int, int]", self._cells)

    @property
    def out(self) -> pathlib.Path | None:
        """The directory of the results; None: the simulation writes no files."""
        directory = self._core.directory()
        return pathlib.Path(directory) if directory else None

    @property
    def report(self) -> Record:
        """The content of report.json so far: speed, memory, schedule, the last monitor sample."""
        return Record(json.loads(self._core.report()))

    # Advancing.

    def advance(self, steps: int | None = None, *, progress: Progress = None) -> Record:
        """Computes `steps` more time steps, by default all that are left.

        The run ends early where the case says so: run.until_steady, run.walltime. Ctrl-C completes
        the sweeps under way and raises KeyboardInterrupt; the simulation can continue from there.
        The results are bit for bit the same wherever a run stops in between.

        Returns: the report so far.
        Raises: UsageError for more steps than the case has left, DivergedError, ResourceError.
        """
        wanted = self.steps - self.step if steps is None else whole(steps, "advance")
        first = self.step
        with Bar(self._choice(progress), first, first + wanted) as bar:
            self._advance(wanted, bar)
        return self.report

    def run(
        self, every: int | None = None, *, progress: Progress = None
    ) -> typing.Iterator[Record]:
        """Computes the rest of the case and yields a report after every `every` steps.

        every: default a twentieth of the steps that are left. A run is slower with fewer steps
            between reports than report.steps_per_visit.
        """
        interval = max(1, -(-(self.steps - self.step) // _REPORTS))
        if every is not None and (interval := whole(every, "every")) < 1:
            raise UsageError(f"every: found {every}, must be at least 1")
        return self._reports(interval, progress)

    def _reports(self, interval: int, progress: Progress) -> typing.Iterator[Record]:
        with Bar(self._choice(progress), self.step, self.steps) as bar:
            while not self.done:
                self._advance(min(interval, self.steps - self.step), bar)
                yield self.report

    def _advance(self, steps: int, bar: Bar) -> None:
        self._core.advance(steps, bar.callback)
        bar.update(self._core.step())

    def _choice(self, progress: Progress) -> Progress:
        return self._progress if progress is None else judged(progress)

    # Reading the flow; fields: see FieldReads.

    @property
    def forces(self) -> dict[str, Forces]:
        """Forces on each body in the last step, by the name of the body; zero before any step."""
        return {name: Forces(*values) for name, values in self._core.forces().items()}

    def probe(self, points: typing.Any) -> PointValues:
        """Pressure and velocity at points, interpolated between cell centres.

        points: (n, 3) or (3,), from the corner of the grid, in cells; in m with `units: si`.

        Returns: PointValues: pressure (n,) and velocity (n, 3), in the units of the case.
        Raises: UsageError for points outside of the grid.
        """
        try:
            places = numpy.ascontiguousarray(points, dtype=float)
        except (TypeError, ValueError):
            raise UsageError(f"probe: found {points!r}, must be [[x, y, z], ...]") from None
        if places.ndim not in (1, 2) or places.shape[-1] != 3:
            raise UsageError(f"probe: found an array {places.shape}, must be (n, 3) or (3,)")
        return PointValues(*self._core.probe(places.reshape(-1, 3)))

    # Saving and closing.

    def checkpoint(self, path: PathLike | None = None) -> pathlib.Path:
        """Saves the whole state, from which restart= continues.

        path: a new file; None: among the checkpoints of the run in `out`.

        Returns: the path of the file.
        Raises: UsageError where the file exists already, ResourceError where it cannot be written.
        """
        return pathlib.Path(self._core.save("" if path is None else path_text(path, "path")))

    @property
    def closed(self) -> bool:
        """True if close() was called."""
        return self._core.is_closed()

    def close(self) -> None:
        """Frees all memory. The report.json of an unfinished run says where it was closed."""
        self._core.close()

    def __enter__(self) -> Simulation:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: types.TracebackType | None,
    ) -> None:
        self.close()

    def __repr__(self) -> str:
        if self.closed:
            return "<lbm.Simulation, closed>"
        nx, ny, nz = self.cells
        return f"<lbm.Simulation of {nx} x {ny} x {nz} cells, step {self.step} of {self.steps}>"
