# SPDX-License-Identifier: Apache-2.0
"""A sweep that is stopped goes on: Ctrl-C, kill -9."""

import csv
import os
import pathlib
import signal
import subprocess
import sys

import numpy as np
import pytest

import lbm

# A second or more, so that it can be stopped on its way; a line on stdout as it goes.
LONG_CASE = """\
grid: {cells: [20, 20, 20]}
boundaries: {z_max: {type: wall, velocity: [1, 0, 0]}}
fluid: {reynolds: 50, lattice_velocity: 0.1}
run: {steps: 6000}
device: {backend: cpu, threads: 1}
output: {at_end: false, profiles: false, monitor: 500}
"""
LONG_SWEEP = """\
import sys, lbm
case = lbm.Case.from_text(sys.argv[1])
def told(step, last):
    print(step, flush=True)
print("begin", flush=True)
lbm.sweep(case, {"fluid.reynolds": [40, 50]}, sys.argv[2], progress=told)
"""


@pytest.fixture(scope="module")
def undisturbed(tmp_path_factory: pytest.TempPathFactory) -> lbm.StudyTable:
    out = tmp_path_factory.mktemp("undisturbed")
    return lbm.sweep(lbm.Case.from_text(LONG_CASE), {"fluid.reynolds": [40, 50]}, out)


def stopped(case: str, out: pathlib.Path, how: int, after: int) -> tuple[int, str]:
    """Ends a process with a sweep by a signal, that many steps on. Its exit code and stderr.

    The signal often comes while the progress function of that process runs.
    """
    process = subprocess.Popen(
        [sys.executable, "-c", LONG_SWEEP, case, str(out)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    assert process.stdout is not None
    for line in process.stdout:
        if line.strip().isdigit() and int(line) >= after:
            os.kill(process.pid, how)
            break
    _, errors = process.communicate(timeout=60)
    return process.returncode, errors


def resumed(case: str, out: pathlib.Path) -> lbm.StudyTable:
    return lbm.sweep(lbm.Case.from_text(case), {"fluid.reynolds": [40, 50]}, out)


def test_ctrl_c_saves_and_the_next_call_goes_on(
    undisturbed: lbm.StudyTable, tmp_path: pathlib.Path
) -> None:
    code, errors = stopped(LONG_CASE, tmp_path, signal.SIGINT, 1000)
    assert code == -signal.SIGINT, errors
    assert "KeyboardInterrupt" in errors
    assert len(list(tmp_path.glob("reynolds=40/checkpoint_*.h5"))) == 1
    with (tmp_path / "table.csv").open() as file:
        assert [row["status"] for row in csv.DictReader(file)] == ["interrupted"]
    study = resumed(LONG_CASE, tmp_path)
    assert study["kinetic_energy"].tolist() == undisturbed["kinetic_energy"].tolist()
    assert study.results(0).report.restarted_from_step >= 1000
    assert study.results(1).report.restarted_from_step is None
    assert not list(tmp_path.glob("*/checkpoint_*.h5"))
    ours, theirs = (table.results(0).monitor for table in (study, undisturbed))
    assert dict(ours).keys() == dict(theirs).keys()
    for name in ours:
        np.testing.assert_array_equal(ours[name], theirs[name])


def test_a_killed_sweep_goes_on_from_the_last_checkpoint(
    undisturbed: lbm.StudyTable, tmp_path: pathlib.Path
) -> None:
    saving = LONG_CASE + "checkpoint: {every_steps: 500}\n"
    code, _ = stopped(saving, tmp_path, signal.SIGKILL, 1500)
    assert code == -signal.SIGKILL
    study = resumed(saving, tmp_path)
    assert study["kinetic_energy"].tolist() == undisturbed["kinetic_energy"].tolist()
    began = study.results(0).report.restarted_from_step
    assert began >= 1000 and began % 500 == 0
    assert list(tmp_path.glob("reynolds=40/checkpoint_*.h5"))


def test_a_sweep_killed_before_a_checkpoint_begins_again(
    undisturbed: lbm.StudyTable, tmp_path: pathlib.Path
) -> None:
    code, _ = stopped(LONG_CASE, tmp_path, signal.SIGKILL, 500)
    assert code == -signal.SIGKILL
    study = resumed(LONG_CASE, tmp_path)
    assert study["kinetic_energy"].tolist() == undisturbed["kinetic_energy"].tolist()
    assert (tmp_path / "reynolds=40" / "old-1" / "effective_case.yaml").exists()
