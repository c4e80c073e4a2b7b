# SPDX-License-Identifier: Apache-2.0
"""`lbm scale CASE`: measures how the speed of a case grows with processes."""

from __future__ import annotations

import argparse
import json
import os
import shlex
import signal
import subprocess
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from lbm.__main__ import program
from lbm._arguments import fail
from lbm._files import write_atomically
from lbm._lbm import __version__
from lbm.case import Case
from lbm.errors import Error, ResourceError, UsageError

Row = dict[str, Any]

# A study measures computing: no output files.
_NO_FILES = ["output={at_end: false, profiles: false}"] + [
    f"{key}=null" for key in "outputs pictures statistics probes checkpoint expect".split()
]
_FROM_REPORT = (
    "device cell_count scheme exchange steps_per_visit planes_per_visit mlups predicted_mlups "
    "seconds setup_seconds device_bytes host_bytes"
).split()
_RANK = "OMPI_COMM_WORLD_SIZE", "PMI_SIZE", "SLURM_STEP_NUM_TASKS"


def points(processes: Sequence[int], planes: Sequence[int], kinds: Sequence[str]) -> Iterator[Row]:
    """The runs of a study in their order. planes: of each process (weak) or in all (strong)."""
    for kind in kinds:
        for n in sorted(set(planes)):
            for p in sorted(set(processes)):
                nz = n * p if kind == "weak" else n
                yield {"scaling": kind, "processes": p, "planes": n, "nz": nz}


def add_efficiency(rows: Sequence[Row]) -> None:
    """The last row's speed per process over that of the first row with these planes."""
    row = rows[-1]
    study = [r for r in rows if "mlups" in r and _study(r) == _study(row)]
    if not study or "mlups" not in row:
        return
    for key, speed in (("efficiency", "mlups"), ("predicted_efficiency", "predicted_mlups")):
        first, own = study[0][speed], row[speed]
        per_process = first and own and own / row["processes"] / (first / study[0]["processes"])
        row[key] = per_process or None


def _study(row: Row) -> tuple[str, int]:
    return row["scaling"], row["planes"]


def _usual_processes(case: Case) -> list[int]:
    info = json.loads(subprocess.check_output([_program(), "info", "--json"]))
    gpus = sum(device["backend"] == "cuda" for device in info["devices"])
    devices = info["cores"] if case.device.backend == "cpu" or gpus == 0 else gpus
    return [1, 2, *(2**i for i in range(2, 32) if 2**i <= devices)]


def _program() -> str:
    found = program()
    if found is None:
        raise UsageError("lbm scale: found no program lbm: put it on PATH, or set LBM_PROGRAM")
    return found


def _run(given: argparse.Namespace, cells: Sequence[int], row: Row) -> None:
    """Adds the numbers of the run's report to the row, or the reason why there are none."""
    p = row["processes"]
    base = Path(given.out) / f"{row['scaling']}_{row['planes']}_planes_{p}_processes"
    command = shlex.split(given.launcher.format(n=p)) if p > 1 else []
    command += [_program(), "run", given.case]
    sets = [] if given.with_results else _NO_FILES
    sets = [*sets, *given.set, *([f"run={{steps: {given.steps}}}"] if given.steps else [])]
    for text in [*sets, f"grid.cells=[{cells[0]}, {cells[1]}, {row['nz']}]"]:
        command += ["--set", text]
    command += ["--predict", "--quiet", "--json", "--overwrite", "--out", str(base)]
    out, log = Path(f"{base}.json"), Path(f"{base}.log")
    try:
        with out.open("wb") as stdout, log.open("wb") as stderr:
            with subprocess.Popen(command, stdout=stdout, stderr=stderr) as run:
                try:
                    code = run.wait()
                except SystemExit:  # by a signal
                    run.terminate()
                    raise
        if code == 0:
            report = json.loads(out.read_text(encoding="utf-8"))
            row.update((key, report[key]) for key in _FROM_REPORT)
        else:
            row["failure"] = f"exit code {code}: {_error_in(log)}"
    except (OSError, ValueError, KeyError) as error:
        row["failure"] = f"{out}: {error}"


def _error_in(log: Path) -> str:
    """The error line of lbm; if there is none, the first line of the launcher."""
    lines = log.read_text(encoding="utf-8", errors="replace").splitlines()
    own = [line[5:] for line in lines if line.startswith("lbm: ")]
    others = [s for s in lines if s.strip(" -=*\t") and not s.startswith("warning: ")]
    return (own or others or [""])[0]


def _head(row: Row, cells: Sequence[int]) -> str:
    of = "for each process" if row["scaling"] == "weak" else "in all"
    return (
        f"\n{row['scaling']} scaling, {cells[0]} x {cells[1]} x {row['planes']} cells {of}\n"
        "processes      cells    scheme    k   B exchange     MLUPS     share     model     share"
    )


def _line(row: Row) -> str:
    if "failure" in row:
        return f"{row['processes']:>9} {row['failure']}"
    model = "" if row["predicted_mlups"] is None else f"{row['predicted_mlups']:.0f}"
    shares = [row.get(key) for key in ("efficiency", "predicted_efficiency")]
    measured, predicted = ("" if s is None else f"{100 * s:.1f} %" for s in shares)
    return (
        f"{row['processes']:>9} {row['cell_count']:>10.4g} {row['scheme']:>9} "
        f"{row['steps_per_visit']:>4} {row['planes_per_visit']:>3} {row['exchange'] or '':>8} "
        f"{row['mlups']:>9.0f} {measured:>9} {model:>9} {predicted:>9}"
    )


def _check(given: argparse.Namespace) -> None:
    if any(int(os.environ.get(name, 1)) > 1 for name in _RANK):
        raise UsageError("lbm scale: found several processes, must be one: see --launcher")
    for option, least in (("processes", 1), ("planes", 2), ("steps", 1)):
        numbers = getattr(given, option)
        for number in numbers if isinstance(numbers, list) else [numbers or least]:
            if number < least:
                raise UsageError(f"--{option}: found {number}, must be at least {least}")
    if given.out == "":
        raise UsageError("--out: found an empty name, must be that of a directory")
    try:
        same = given.launcher.format(n=2) == given.launcher.format(n=3)
    except (KeyError, ValueError, IndexError):
        raise UsageError("--launcher: braces other than {n}, the number of processes") from None
    if same:
        raise UsageError("--launcher: has no {n}, which stands for the number of processes")


def study(given: argparse.Namespace) -> None:
    """Runs the study and writes DIR/scale.json after each run."""
    _check(given)
    case = Case.from_yaml(given.case, set=given.set)
    case.check()
    cells = case.grid.cells
    assert cells
    given.out = given.out or f"out/{case.name}_scaling"
    file = Path(given.out) / "scale.json"
    if file.exists() and not given.overwrite:
        raise UsageError(f"{file}: exists: add --overwrite to replace it, or choose another --out")
    file.parent.mkdir(parents=True, exist_ok=True)
    kinds = [kind for kind in ("weak", "strong") if getattr(given, kind)] or ["weak", "strong"]
    log = sys.stderr if given.json else sys.stdout
    rows: list[Row] = []
    for row in points(given.processes or _usual_processes(case), given.planes or cells[2:], kinds):
        if not rows or _study(rows[-1]) != _study(row):
            print(_head(row, cells), file=log, flush=True)
        _run(given, cells, row)
        rows.append(row)
        add_efficiency(rows)
        print(_line(row), file=log, flush=True)
        text = json.dumps({"case_file": given.case, "version": __version__, "runs": rows}, indent=2)
        write_atomically(file, text + "\n")
    if given.json:
        print(text)
    if all("failure" in row for row in rows):
        raise ResourceError(f"no run came to its end: {rows[0]['failure']}")


def _numbers(text: str) -> list[int]:
    return [int(part) for part in text.split(",")]


def main(arguments: Sequence[str]) -> int:
    """Runs the command; returns its exit code. An error is one line on stderr."""
    parser = argparse.ArgumentParser(prog="lbm scale", description=__doc__)
    add = parser.add_argument
    add("case", metavar="CASE", help="case file (YAML)")
    add("--set", metavar="KEY=VALUE", action="append", default=[], help="set a key of the case")
    add("--processes", metavar="N,...", type=_numbers, default=[],
        help="default: 1, 2, 4 ... up to the GPUs or cores of this host")  # fmt: skip
    add("--planes", metavar="N,...", type=_numbers, default=[],
        help="planes along z: of each process (weak), in all (strong); default: the case's")  # fmt: skip
    add("--weak", action="store_true", help="only weak scaling: the grid grows with the processes")
    add("--strong", action="store_true", help="only strong scaling: the grid stays")
    add("--launcher", metavar="COMMAND", default="mpirun --bind-to none -n {n}",
        help="starts several processes (default: %(default)s)")  # fmt: skip
    add("--steps", metavar="N", type=int, help="of each run (default: the case's)")
    add("--out", metavar="DIR", help="for the results (default: out/NAME_scaling)")
    add("--with-results", action="store_true", help="let the runs write their files, too")
    add("--overwrite", action="store_true", help="replace a study that is already there")
    add("--json", action="store_true", help="print one JSON object instead of the table")
    for number in (signal.SIGHUP, signal.SIGINT, signal.SIGTERM):
        signal.signal(number, lambda received, _: sys.exit(128 + received))
    try:
        study(parser.parse_args(arguments))
    except Error as error:
        return fail(error)
    return 0
