# SPDX-License-Identifier: Apache-2.0
"""A whole run."""

from __future__ import annotations

import contextlib
import os
import warnings
from collections.abc import Iterator

from lbm._arguments import PathLike
from lbm.arrays.fields import InitialArrays
from lbm.case import Case, as_case
from lbm.errors import Error
from lbm.progress import Progress
from lbm.results import Results
from lbm.simulation import CaseWarning, Simulation


def run(
    case: Case | PathLike,
    out: PathLike | None = None,
    *,
    overwrite: bool = False,
    restart: PathLike | None = None,
    initial: InitialArrays | None = None,
    progress: Progress = None,
) -> Results:
    """Computes a case to its end, as `lbm run` does.

    case: a Case, or the path of a YAML file.
    out: the directory of the results; default: output.directory of the case, else out/NAME. A
        directory with earlier results is refused; overwrite=True moves them aside.
    restart: the checkpoint from which the run continues, or the directory of a run, such as `out`.
    initial: the initial flow as arrays, as for lbm.Simulation: {"velocity": (nz, ny, nx, 3)}.
    progress: see lbm.progress.

    Returns: the results, as lbm.open(out).

    Ctrl-C completes the sweeps under way, saves a checkpoint in `out` (unless
    `checkpoint.on_signal` is false), and raises KeyboardInterrupt; run(case, out, restart=out)
    continues from there. Raises UsageError, DivergedError, ResourceError with the messages of
    `lbm run`.
    """
    case = as_case(case)
    if out is None:
        out = case.output.directory or os.path.join("out", case.name)
    with Simulation(
        case, out=out, overwrite=overwrite, restart=restart, initial=initial, progress=progress
    ) as simulation:
        with _checkpoint_on_interrupt(simulation, case.checkpoint.on_signal):
            if not simulation.done:
                simulation.advance()
    return Results(out)


@contextlib.contextmanager
def _checkpoint_on_interrupt(simulation: Simulation, wanted: bool) -> Iterator[None]:
    try:
        yield
    except KeyboardInterrupt:
        if wanted:
            _try_checkpoint(simulation)
        raise


def _try_checkpoint(simulation: Simulation) -> None:
    """Saves a checkpoint. An error here must not hide the KeyboardInterrupt."""
    try:
        if not simulation.done:
            simulation.checkpoint()
    except Error as error:
        warnings.warn(f"no checkpoint was saved: {error}", CaseWarning, stacklevel=2)
