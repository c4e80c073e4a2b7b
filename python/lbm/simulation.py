"""A flow that is computed: run it on, look at it in between."""

from __future__ import annotations

import json
import pathlib
import types
import typing
import warnings

import numpy

from lbm import _lbm
from lbm._arguments import PathLike, path_text, whole, word
from lbm._lbm import UsageError
from lbm.box import Box, bounds
from lbm.case import Case, as_case
from lbm.progress import Bar, Progress, judged
from lbm.record import Record

Floats = numpy.ndarray[typing.Any, numpy.dtype[numpy.float32]]
Doubles = numpy.ndarray[typing.Any, numpy.dtype[numpy.float64]]

_REPORTS = 20  # of run(), where nobody says how many


class CaseWarning(UserWarning):
    """What is allowed, but seldom meant: of a case, or of how a simulation is made."""


class Forces(typing.NamedTuple):
    """Forces on a body, (3,) each: x, y, z. In the units of the case; see docs/bodies.md."""

    force: Doubles
    torque: Doubles
    coefficient: Doubles
    """Over rho U^2 A / 2."""
    torque_coefficient: Doubles
    """Over rho U^2 A L / 2."""


class PointValues(typing.NamedTuple):
    """Values at n places, in the units of the case, as the CSV files of probes have them."""

    pressure: Doubles
    """(n,)"""
    velocity: Doubles
    """(n, 3)"""


class Simulation:
    """A case on a device, advanced as far as it was told to.

    case: a Case, or the path of a YAML file. Later changes of it have no effect.
    out: a directory for the files of `lbm run`; None: no files at all. Earlier results there are
        refused, with overwrite=True moved aside.
    restart: a checkpoint, or the directory of a run, to go on from.
    progress: see lbm.progress; of all calls that say nothing else.

    Takes the memory of the lattice, on the host or the device, until close(), the end of a `with`
    block, or the last reference to it goes. Several may live at a time, one thread each. Raises
    UsageError, ResourceError with the messages of `lbm run`.
    """

    def __init__(
        self,
        case: Case | PathLike,
        *,
        out: PathLike | None = None,
        overwrite: bool = False,
        restart: PathLike | None = None,
        progress: Progress = None,
    ) -> None:
        case = as_case(case)
        self._progress = judged(progress)
        self._core = _lbm.Simulation(
            case._data(),
            "" if out is None else path_text(out, "out"),
            bool(overwrite),
            "" if restart is None else path_text(restart, "restart"),
        )
        self._cells = tuple(self._core.cells())
        for text in self._core.warnings():
            warnings.warn(text, CaseWarning, stacklevel=2)

    # How far it is.

    @property
    def step(self) -> int:
        """Steps since the initial state."""
        return self._core.step()

    @property
    def steps(self) -> int:
        """Of the whole case."""
        return self._core.end()

    @property
    def time(self) -> float:
        """Of `step`: convective times, seconds with `units: si`."""
        return self._core.time()

    @property
    def done(self) -> bool:
        """At the end of the case, steady, or stopped before the walltime of the case."""
        return self._core.is_over()

    @property
    def cells(self) -> tuple[int, int, int]:
        """nx, ny, nz."""
        return typing.cast("tuple[int, int, int]", self._cells)

    @property
    def out(self) -> pathlib.Path | None:
        """The directory of the results; None: there is none."""
        directory = self._core.directory()
        return pathlib.Path(directory) if directory else None

    @property
    def report(self) -> Record:
        """What report.json says, so far: speed, memory, schedule, the last look at the flow."""
        return Record(json.loads(self._core.report()))

    # Running it.

    def advance(self, steps: int | None = None, *, progress: Progress = None) -> Record:
        """Computes `steps` more, or all that are left, and gives the report.

        Ends early where the case says so: run.until_steady, run.walltime. Ctrl-C completes the
        sweeps under way and raises KeyboardInterrupt; the simulation can go on from there. Results
        do not depend on where it stops in between, bit for bit.

        Raises UsageError for more steps than the case has left, DivergedError, ResourceError.
        """
        wanted = self.steps - self.step if steps is None else whole(steps, "advance")
        first = self.step
        with Bar(self._choice(progress), first, first + wanted) as bar:
            self._advance(wanted, bar)
        return self.report

    def run(self, every: int | None = None, *, progress: Progress = None) -> typing.Iterator[Record]:
        """Computes the rest of the case, and gives a report every so many steps.

        every: default a twentieth of the steps that are left. Fewer steps between reports than
        report.steps_per_visit make a run slower.
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

    # Looking at it.

    def field(
        self, name: str, box: Box = None, stride: int = 1, *, units: str | None = None
    ) -> Floats:
        """A field at this step: (nz, ny, nx) of the box, with components as a last axis.

        name: density, pressure, velocity (3), vorticity (3), q_criterion, strain_rate (6: xx, yy,
            zz, xy, yz, xz), wall_shear_stress (3), solid.
        box: cells along x, y, z (lbm.box.Box): None or for each axis None, a cell, (begin, end)
            without the end, or a slice. An axis of one cell stays.
        stride: every so many cells along each axis.
        units: "reference" (U, L, ...), "lattice" or "physical"; default as the files of a named
            output: physical with `units: si`, else reference.

        Only what is asked for is computed and copied. The values are those of an output file.
        """
        begin, end = bounds(box, self._cells)
        in_units = "" if units is None else word(units, "units")
        return self._core.read(
            word(name, "name"), begin, end, whole(stride, "stride"), in_units
        )

    def velocity(self, box: Box = None, stride: int = 1, *, units: str | None = None) -> Floats:
        """(nz, ny, nx, 3) of the box; see field()."""
        return self.field("velocity", box, stride, units=units)

    def density(self, box: Box = None, stride: int = 1, *, units: str | None = None) -> Floats:
        """(nz, ny, nx) of the box; see field()."""
        return self.field("density", box, stride, units=units)

    def pressure(self, box: Box = None, stride: int = 1, *, units: str | None = None) -> Floats:
        """Relative to the reference pressure, (nz, ny, nx) of the box; see field()."""
        return self.field("pressure", box, stride, units=units)

    def planes(
        self, name: str, box: Box = None, stride: int = 1, *, units: str | None = None
    ) -> typing.Iterator[Floats]:
        """The planes of field() one by one, (ny, nx) with components: for grids larger than memory."""
        (x0, y0, z0), (x1, y1, z1) = bounds(box, self._cells)
        for z in range(z0, z1, max(1, whole(stride, "stride"))):
            yield self.field(name, ((x0, x1), (y0, y1), (z, z + 1)), stride, units=units)[0]

    @property
    def forces(self) -> dict[str, Forces]:
        """On each body at the last step; zero before the first one."""
        return {name: Forces(*values) for name, values in self._core.forces().items()}

    def probe(self, points: typing.Any) -> PointValues:
        """Pressure and velocity at places, interpolated between cell centres.

        points: (n, 3) or (3,), from the corner of the box, in cells; in m with `units: si`.
        """
        try:
            places = numpy.ascontiguousarray(points, dtype=float)
        except (TypeError, ValueError):
            raise UsageError(f"probe: found {points!r}, must be [[x, y, z], ...]") from None
        if places.ndim not in (1, 2) or places.shape[-1] != 3:
            raise UsageError(f"probe: found an array {places.shape}, must be (n, 3) or (3,)")
        return PointValues(*self._core.probe(places.reshape(-1, 3)))

    # Keeping it.

    def checkpoint(self, path: PathLike | None = None) -> pathlib.Path:
        """Saves the whole state, to go on with restart=, and gives the file.

        path: a file that is not there yet; None: among the checkpoints of the run in `out`.
        """
        return pathlib.Path(self._core.save("" if path is None else path_text(path, "path")))

    @property
    def closed(self) -> bool:
        """Whether close() was called."""
        return self._core.is_closed()

    def close(self) -> None:
        """Frees all memory. Of a run that is not done, report.json says so."""
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
