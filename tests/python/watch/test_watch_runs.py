# SPDX-License-Identifier: Apache-2.0
"""Runs in a folder: their states, how far they are, tables and logs that grow."""

import json
import os
import pathlib
import shutil
import subprocess
import time
import typing

import numpy as np
import pytest
from served import LIVE_CASE, running, serve, wait

from lbm.watch import state as states
from lbm.watch.curves import curves
from lbm.watch.run_log import RunLog
from lbm.watch.tables import Growing, Table, Tables, UnreadableError

pytest.importorskip("matplotlib")
pytest.importorskip("jinja2")

DIVERGES = """\
name: wild
grid: {cells: [16, 16, 16]}
boundaries: {z_max: {type: wall, velocity: [1, 0, 0]}}
fluid: {reynolds: 1e7, lattice_velocity: 0.17}
run: {steps: 100000}
device: {backend: cpu}
"""


def run(program: str, case: str, to: pathlib.Path, *options: str) -> int:
    path = to.parent / f"{to.name}.yaml"
    path.write_text(case)
    command = [program, "run", str(path), "--quiet", "--out", str(to), *options]
    return subprocess.run(command, capture_output=True).returncode


def test_states_of_real_runs(program: str, sample: pathlib.Path, tmp_path: pathlib.Path) -> None:
    """Running, killed, restarted, interrupted, diverged and complete runs show as such."""
    root = tmp_path / "runs"
    root.mkdir()
    shutil.copytree(sample, root / "whole")
    assert run(program, DIVERGES, root / "wild") == 3
    case = LIVE_CASE + "checkpoint: {every_steps: 200}\n"
    with serve(root) as served, running(program, root, "live", case) as process:

        def now(name: str) -> dict[str, typing.Any]:
            time.sleep(1.1)  # the list is kept for a second
            found = served.api("runs")["runs"]
            return dict(next(one for one in found if one["id"] == name))

        live = now("live")
        assert (live["word"], live["running"], live["mark"]) == ("Running", True, "run")
        assert served.api("run", "live")["pid"] == process.pid
        wait(lambda: list((root / "live").glob("checkpoint_*.h5")))
        time.sleep(1.2)
        how = served.api("run", "live")["progress"]
        assert how["step"] >= 100 and how["asked"] == 2000000 and how["mlups"] > 0
        assert how["left"] > 6 and 0 < how["share"] < 0.1
        process.kill()
        process.wait()
        killed = now("live")
        assert (killed["word"], killed["running"], killed["mark"]) == ("Killed", False, "bad")
        assert "continue from its last checkpoint" in killed["sentence"]
        assert killed["restarts"] == 0 and killed["progress"]["left"] is None

        command = [program, "run", str(tmp_path / "live.yaml"), "--quiet", "--restart"]
        again = subprocess.Popen([*command, str(root / "live")], stderr=subprocess.DEVNULL)
        try:
            wait(lambda: served.api("run", "live")["progress"]["restarted_from"])
            shown = served.api("run", "live")
            assert shown["word"] == "Running" and shown["restarts"] == 1
            first = shown["progress"]["restarted_from"]
            assert first >= 200
            wait(lambda: served.api("run", "live")["progress"]["step"] > first)
            again.terminate()
            assert again.wait() == 143
        finally:
            again.kill()
            again.wait()
        ended = now("live")
        assert ended["word"] == "Interrupted" and "SIGTERM" in ended["sentence"]
        assert ended["restarts"] == 1 and ended["progress"]["restarted_from"] >= 200
        wild = now("wild")
        assert (wild["word"], wild["mark"]) == ("Diverged", "bad") and wild["sentence"]
        assert now("whole")["word"] == "Complete"
        assert [one["id"] for one in served.api("runs")["runs"]] == ["live", "whole", "wild"]


def test_a_run_killed_after_a_restart(sample: pathlib.Path, tmp_path: pathlib.Path) -> None:
    """report.json is of the process before: it does not say how the last one ended."""
    copy = pathlib.Path(shutil.copytree(sample, tmp_path / "run"))
    os.utime(copy / "report.json", (time.time() - 500, time.time() - 500))
    with (copy / "run.log").open("a") as file:
        at = time.strftime("%Y-%m-%d %H:%M:%S", time.localtime(time.time() - 100))
        file.write(f"{at} lbm 1.0.0: sample.yaml\n{at} sample: 16 x 12 x 20 cells, fp32, Re 20, ")
        file.write(f"80 steps\n{at} note: out/checkpoint_000000040.h5: the run goes on from here\n")
        file.write(f"{at}  62 %  step 50 of 80  3 MLUPS  1 s left  speed 1 U\n")
    with serve(copy) as served:
        shown = served.api("run")
        assert shown["word"] == "Killed" and shown["restarts"] == 1
        assert shown["progress"]["step"] == 50 and shown["progress"]["asked"] == 80
        assert shown["progress"]["restarted_from"] == 40


def facts(**known: typing.Any) -> states.Facts:
    log = known.pop("log", states.Segment(begun=1000.0))
    usual: dict[str, typing.Any] = {
        "segments": 1, "report": {}, "report_at": 0.0, "report_problem": "", "holder": None,
        "network": False, "written": 0.0, "checkpoints": False, "steps": [],
    }  # fmt: skip
    return states.Facts(log=log, **{**usual, **known})


def test_states_that_are_hard_to_make() -> None:
    def word(**known: typing.Any) -> str:
        return states.state(facts(**known)).word

    me = os.getpid()
    assert word(holder=me) == "Setting up", "the log is of a process before this one"
    started = states.Segment(begun=time.time())
    assert word(holder=me, log=started) == "Running"
    assert word(holder=me, log=started, report={"exit_reason": "completed"}) == "Running"
    assert word(holder=me, log=states.Segment(begun=time.time(), ended="steady")) == "Setting up"
    assert word(network=True, written=time.time() - 20) == "Running", "on another machine"
    assert word(network=True, written=time.time() - 200) == "Killed"
    assert word(written=time.time()) == "Killed"
    for reason, said in (("steady", "Steady"), ("walltime reached", "Walltime"),
                         ("interrupted by SIGINT", "Interrupted"),
                         ("the flow diverged", "Diverged"), ("completed", "Complete"),
                         ("r/fields.hdf: cannot write", "Failed"),
                         ):  # fmt: skip
        assert word(report={"exit_reason": reason}, report_at=2000) == said
        assert word(log=states.Segment(begun=1000, ended=reason)) == said
    assert word(report_problem="report.json cannot be read") == "Unreadable"


def test_time_left_is_that_of_the_speed() -> None:
    log = states.Segment(begun=time.time() - 100, cells=(100, 100, 100), asked=2000)
    log.step, log.at, log.mlups = 500, time.time() - 10, 50
    known = facts(log=log, holder=os.getpid(), steps=[(600, time.time() - 4)])
    how = states.progress(known, states.State("run", "Running", "", True))
    assert how.step == 600 and how.share == 0.3 and how.mlups == 50
    assert how.left == pytest.approx(1400 / 50 - 4, abs=1)
    log.mlups = None
    how = states.progress(known, states.State("run", "Running", "", True))
    assert how.mlups == pytest.approx(600 / 96, rel=0.05), "since the start"


def test_the_log_is_read_as_it_grows(tmp_path: pathlib.Path) -> None:
    path = tmp_path / "run.log"
    log = RunLog(path)
    log.update()
    assert log.segments == 0
    path.write_text(
        "2026-01-01 10:00:00 lbm 1.0.0: a.yaml\n"
        "2026-01-01 10:00:00 a: 4 x 5 x 6 cells, fp16, Re 1e+03, 700 steps\n"
        "2026-01-01 10:00:00 predicted: 18.5 MLUPS\n2026-01-01 10:00:01 warning: hot\n"
        "2026-01-01 10:0"
    )
    log.update()
    assert log.now.cells == (4, 5, 6) and log.now.storage == "fp16" and log.now.asked == 700
    assert log.now.predicted == 18.5 and log.now.warnings == ["hot"] and log.now.step is None
    with path.open("a") as file:
        file.write("0:30   1 %  step 7 of 700  12 MLUPS  1:30 h left  speed 1.27 U\n")
    log.update()
    assert (log.now.step, log.now.mlups, log.now.left) == (7, 12, "1:30 h")
    assert log.now.flow == "speed 1.27 U" and log.now.at == (log.now.begun or 0) + 30
    with path.open("a") as file:
        file.write("2026-01-01 10:01:00 interrupted by SIGINT\n")
        file.write("2026-01-02 10:00:00 lbm 1.0.1: a.yaml\n")
    log.update()
    assert log.segments == 2 and not log.now.ended and not log.now.warnings
    path.write_text("2026-01-03 10:00:00 lbm 2.0.0: b.yaml\n2026-01-03 10:00:00 completed\n")
    log.update()
    assert log.segments == 1 and log.now.ended == "completed", "another file"


HEAD = "# a\n# b\nstep,time,value\n"


def test_a_table_is_read_as_it_grows(
    tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "quantity_a.csv"
    path.write_text(HEAD + "1,0.1,7\n2,0.2,8\n3,0.")
    growing = Growing(path)
    growing.update()
    assert growing.table(Table)["value"].tolist() == [7, 8]
    read = []
    original = np.loadtxt
    monkeypatch.setattr(np, "loadtxt", lambda f, **k: read.append(f.getvalue()) or original(f, **k))
    with path.open("a") as file:
        file.write("3,9\n4,0.4,nan\n")
    growing.update()
    growing.update()
    assert read == ["3,0.3,9\n4,0.4,nan\n"], "only what is new"
    table = growing.table(Table)
    assert table["step"].tolist() == [1, 2, 3, 4] and np.isnan(table["value"][-1])
    assert table.comments == ["a", "b"]
    # A restarted run cuts the table and writes other rows, up to more bytes than before.
    path.write_text(HEAD + "1,0.1,7\n2,0.2,5\n3,0.3,5\n4,0.4,5\n5,0.5,5\n6,0.6,5\n")
    growing.update()
    assert growing.table(Table)["value"].tolist() == [7, 5, 5, 5, 5, 5]
    path.write_text(HEAD)
    growing.update()
    assert growing.table(Table)["value"].tolist() == []


def test_tables_that_are_none(tmp_path: pathlib.Path) -> None:
    tables = Tables()
    for text, why in (("", "no row"), ("# a\n", "no row"), (HEAD + "1,2\n", "damaged"),
                      (HEAD + "a,b,c\n", "damaged"), ("x" * 2_000_000, "too many columns"),
                      (",".join(map(str, range(600))) + "\n", "600 columns")):  # fmt: skip
        path = tmp_path / "monitor.csv"
        path.write_text(text)
        with pytest.raises(UnreadableError, match=why):
            tables.table(path, Table)
    path.write_text(HEAD + "1,0.1,7\n")
    assert tables.table(path, Table)[0]["value"].tolist() == [7], "mended"


def test_curves_have_few_points_and_all_peaks(sample: pathlib.Path, tmp_path: pathlib.Path) -> None:
    times = np.arange(1, 200_001) * 1e-3
    values = np.sin(times)
    values[123_456], values[77] = 9, np.inf
    head = "# s\n# convective times, rho0 U^2\nstep,time,kinetic_energy,speed_max\n"
    with (tmp_path / "monitor.csv").open("w") as file:
        file.write(head)
        rows = zip(range(1, 200_001), times.tolist(), values.tolist())
        file.writelines(f"{i},{t:.6g},{v:.6g},1\n" for i, t, v in rows)
    found = curves(tmp_path, Tables())["monitor"]["charts"]
    assert len(json.dumps(found, allow_nan=False)) < 100_000
    line = found[0]["lines"][0]
    assert len(line["x"]) == len(line["y"]) == 800
    assert max(v for v in line["y"] if v is not None) == 9
    assert found[0]["y"] == "kinetic energy / (ρ₀ U²)" and found[0]["x"] == "time / (L/U)"


def test_a_spectrum_names_its_peak(tmp_path: pathlib.Path) -> None:
    times = np.arange(1, 6001) * 0.02
    wave = 0.5 + np.sin(2 * np.pi * 0.4321 * times)
    head = "# p\n# convective times, rho0 U^2, U; places in cells\n# 1: 4 5 6\n"
    head += "step,time,p_1,ux_1,uy_1,uz_1\n"
    with (tmp_path / "probe_a.csv").open("w") as file:
        file.write(head)
        file.writelines(f"{i},{t:.6g},0,1,{u:.6g},0\n" for i, (t, u) in enumerate(zip(times, wave)))
    history, power = curves(tmp_path, Tables())["probes"]["charts"]
    assert history["y"] == "velocity y / U" and history["lines"][0]["name"] == "(4, 5, 6)"
    assert power["log"] and power["marks"] == [pytest.approx(0.432, abs=0.003)]
    assert "At (4, 5, 6) 0.432 ± " in power["words"] and "U/L stands out" in power["words"]


def test_two_hundred_runs_open_in_two_seconds(sample: pathlib.Path, tmp_path: pathlib.Path) -> None:
    """Time of the processor: the machine of a test may be busy with others."""
    for i in range(200):
        shutil.copytree(sample, tmp_path / f"case{i % 7}" / f"run{i}")
    with serve(tmp_path) as served:
        begin = time.process_time()
        runs = served.api("runs")["runs"]
        assert time.process_time() - begin < 2
        assert len(runs) == 200 and {run["word"] for run in runs} == {"Complete"}
        assert [run["id"] for run in runs][:3] == ["case0/run0", "case0/run7", "case0/run14"]
        time.sleep(1.1)
        begin = time.process_time()
        served.api("runs")
        assert time.process_time() - begin < 0.5, "files that stay are not read again"
