# SPDX-License-Identifier: Apache-2.0
"""Runs in a folder: their states, how far they are, logs and tables, files that are damaged."""

import json
import os
import pathlib
import random
import shutil
import subprocess
import time
import typing

import numpy as np
import pytest
from served import LIVE_CASE, Served, numbers, running, wait

import lbm

DIVERGES = """\
name: wild
grid: {cells: [16, 16, 16]}
boundaries: {z_max: {type: wall, velocity: [1, 0, 0]}}
fluid: {reynolds: 1e7, lattice_velocity: 0.17}
run: {steps: 100000}
device: {backend: cpu}
"""
EVIL = '<script>alert("x")</script><img src=x onerror=alert(1)> {{ 7 * 7 }} ../../etc/passwd'


def test_states_of_real_runs(program: str, sample: pathlib.Path, root: pathlib.Path) -> None:
    """Running, killed, restarted, interrupted, diverged and complete runs show as such."""
    shutil.copytree(sample, root / "whole")
    (root.parent / "wild.yaml").write_text(DIVERGES)
    wild = [program, "run", str(root.parent / "wild.yaml"), "--quiet", "--out", str(root / "wild")]
    assert subprocess.run(wild, capture_output=True).returncode == 3
    served = Served(root)

    def now(name: str) -> dict[str, typing.Any]:
        return dict(next(one for one in served.api("runs")["runs"] if one["id"] == name))

    case = LIVE_CASE + "checkpoint: {every_steps: 200}\n"
    with running(program, root, "live", case) as process:
        live = now("live")
        assert (live["word"], live["running"], live["mark"]) == ("Running", True, "run")
        assert served.api("run", "live")["pid"] == process.pid
        wait(lambda: list((root / "live").glob("checkpoint_*.h5")))
        live = now("live")
        assert live["step"] >= 200 and live["asked"] == 2000000 and 0 < live["share"] < 0.1
        process.kill()
        process.wait()
        killed = now("live")
        assert (killed["word"], killed["running"], killed["mark"]) == ("Killed", False, "bad")
        assert "continue from its last checkpoint" in killed["sentence"]
        assert killed["restarts"] == 0 and killed["left"] is None and killed["age"] is None
    command = [program, "run", str(root.parent / "live.yaml"), "--quiet", "--restart"]
    again = subprocess.Popen([*command, str(root / "live")], stderr=subprocess.DEVNULL)
    try:
        wait(lambda: served.api("run", "live")["restarted_from"])
        shown = served.api("run", "live")
        assert shown["word"] == "Running" and shown["restarts"] == 1
        first = shown["restarted_from"]
        assert first >= 200
        wait(lambda: served.api("run", "live")["step"] > first)
        again.terminate()
        assert again.wait() == 143
    finally:
        again.kill()
        again.wait()
    ended = now("live")
    assert ended["word"] == "Interrupted" and "SIGTERM" in ended["sentence"]
    assert ended["restarts"] == 1 and ended["restarted_from"] >= 200
    assert (now("wild")["word"], now("wild")["mark"]) == ("Diverged", "bad")
    assert now("whole")["word"] == "Complete"
    assert [one["id"] for one in served.api("runs")["runs"]] == ["live", "whole", "wild"]


def stamp(ago: float) -> str:
    return time.strftime("%Y-%m-%d %H:%M:%S", time.localtime(time.time() - ago))


def test_a_run_killed_after_a_restart(run: pathlib.Path) -> None:
    """report.json is of the process before: it does not say how the last one ended."""
    os.utime(run / "report.json", (time.time() - 500, time.time() - 500))
    at = stamp(100)
    with (run / "run.log").open("a") as file:
        file.write(f"{at} lbm 1.0.0: sample.yaml\n{at} sample: 16 x 12 x 20 cells, fp32, Re 20, ")
        file.write(f"80 steps\n{at} note: out/checkpoint_000000040.h5: the run goes on from here\n")
        file.write(f"{at}  62 %  step 50 of 80  3 MLUPS  1 s left  speed 1 U\n")
    shown = Served(run).api("run")
    assert shown["word"] == "Killed" and shown["restarts"] == 1
    assert (shown["step"], shown["asked"], shown["restarted_from"]) == (50, 80, 40)


@pytest.mark.parametrize(
    ("reason", "word"),
    [("steady", "Steady"), ("walltime reached", "Walltime"), ("completed", "Complete"),
     ("interrupted by SIGINT", "Interrupted"), ("the flow diverged", "Diverged"),
     ("r/fields.hdf: cannot write", "Failed")],
)  # fmt: skip
def test_ends(root: pathlib.Path, reason: str, word: str) -> None:
    (root / "report.json").write_text(json.dumps({"exit_reason": reason}))
    assert Served(root).api("run")["word"] == word
    (root / "report.json").unlink()
    known = reason in ("steady", "completed") or reason.startswith(("walltime", "interrupted"))
    end = reason if known else f"lbm: {reason}"
    (root / "run.log").write_text(f"{stamp(9)} lbm 1.0.0: a.yaml\n{stamp(9)} {end}\n")
    assert Served(root).api("run")["word"] == word


def test_the_time_left_is_that_of_the_speed(
    root: pathlib.Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The run is on another machine: its lock is not seen here."""
    monkeypatch.setattr("lbm.watch.state.on_network", lambda _: True)
    (root / "run.log").write_text(
        f"{stamp(60)} lbm 1.0.0: a.yaml\n{stamp(60)} a: 100 x 100 x 100 cells, fp16, Re 1e+03, "
        f"2000 steps\n{stamp(60)} predicted: 80.5 MLUPS\n{stamp(60)} warning: hot\n"
        f"{stamp(10)}  25 %  step 500 of 2000  50 MLUPS  30 s left  speed 1.27 U\n{stamp(10)} note"
    )
    shown = Served(root).api("run")
    assert shown["word"] == "Running" and "another machine" in shown["sentence"]
    assert (shown["step"], shown["share"], shown["mlups"]) == (500, 0.25, 50)
    assert shown["left"] == pytest.approx(1500 / 50 - 10, abs=2) and shown["predicted"] == 80.5
    assert shown["flow"] == "speed 1.27 U" and shown["warnings"] == ["hot"]
    assert shown["cells"] == [100, 100, 100] and shown["reynolds"] == "1e+03"
    os.utime(root / "run.log", (time.time() - 200, time.time() - 200))
    assert Served(root).api("run")["word"] == "Killed"


def test_curves_have_few_points_and_all_peaks(root: pathlib.Path) -> None:
    times = np.arange(1, 200_001) * 1e-3
    values = np.sin(times)
    values[123_456], values[77] = 9, np.inf
    (root / "run.log").touch()
    with (root / "monitor.csv").open("w") as file:
        file.write("# s\n# convective times, rho0 U^2\nstep,time,kinetic_energy,speed_max\n")
        rows = zip(range(1, 200_001), times.tolist(), values.tolist())
        file.writelines(f"{i},{t:.6g},{v:.6g},1\n" for i, t, v in rows)
        file.write("200001,2")  # a row that is being written
    chart = Served(root).api("curves")["monitor"]["charts"][0]
    assert len(json.dumps(chart)) < 30_000
    y = numbers(chart["data"][0]["y"])
    assert len(y) == 800 and y.max() == 9
    assert chart["layout"]["yaxis"]["title"]["text"] == "kinetic energy / (ρ₀ U²)"
    assert chart["layout"]["xaxis"]["title"]["text"] == "time / (L/U)"


def test_a_spectrum_names_its_peak(root: pathlib.Path) -> None:
    times = np.arange(1, 6001) * 0.02
    wave = 0.5 + np.sin(2 * np.pi * 0.4321 * times)
    (root / "run.log").touch()
    with (root / "probe_a.csv").open("w") as file:
        file.write("# p\n# convective times, rho0 U^2, U; places in cells\n# 1: 4 5 6\n")
        file.write("step,time,p_1,ux_1,uy_1,uz_1\n")
        file.writelines(f"{i},{t:.6g},0,1,{u:.6g},0\n" for i, (t, u) in enumerate(zip(times, wave)))
    history, power = Served(root).api("curves")["probe"]["charts"]
    assert history["layout"]["yaxis"]["title"]["text"] == "velocity y / U"
    assert "(4, 5, 6)" in history["words"] and power["layout"]["xaxis"]["type"] == "log"
    assert "At (4, 5, 6) the frequency 0.432 ± " in power["words"] and "U/L stands out" in power["words"]
    with (root / "probe_a.csv").open("a") as file:
        file.write("6001,120.02,0,1,7.5,0\n")
    history = Served(root).api("curves")["probe"]["charts"][0]
    assert numbers(history["data"][0]["y"]).max() == 7.5, "it is read as it grows"


def test_tables_that_are_none(root: pathlib.Path) -> None:
    (root / "run.log").touch()
    served, head = Served(root), "# a\nstep,time,kinetic_energy\n"
    for text in ("", "# a\n", head, head + "1,2\n", head + "a,b,c\n", "x" * 100_000):
        (root / "monitor.csv").write_text(text)
        found = served.api("curves")["monitor"]
        assert not found["charts"] and "monitor.csv is not shown: " in found["notes"][0]
    (root / "monitor.csv").write_text(head + "1,0.1,7\n")
    assert served.api("curves")["monitor"]["charts"], "mended"


def test_two_hundred_runs_open_in_two_seconds(sample: pathlib.Path, root: pathlib.Path) -> None:
    """Time of the processor: the machine of a test may be busy with others."""
    for i in range(200):
        shutil.copytree(sample, root / f"case{i % 7}" / f"run{i}")
    served = Served(root)
    begin = time.process_time()
    runs = served.api("runs")["runs"]
    assert time.process_time() - begin < 2
    assert len(runs) == 200 and {run["word"] for run in runs} == {"Complete"}
    assert [run["id"] for run in runs][:3] == ["case0/run0", "case0/run7", "case0/run14"]
    with pytest.raises(lbm.UsageError, match="must be a directory"):
        Served(root / "none")


def test_values_that_no_run_writes(run: pathlib.Path) -> None:
    report = json.loads((run / "report.json").read_text())
    values = ["x", "", [], {}, None, True, -1, float("nan"), [[]], {"a": []}, [1, 2, 3], [{}],
              [{"value": {}, "name": []}], ["<b>"], 1e308, "x" * 100_000]  # fmt: skip
    draw, served = random.Random(5), Served(run)
    for key in report:
        (run / "report.json").write_text(json.dumps({**report, key: draw.choice(values)}))
        assert served.ask("run").status_code in (200, 422) and served.api("runs")["runs"]
    for text in ("", "[", "[1]", "null", "[" * 100_000, '{"a": NaN', "\xff\x00"):
        (run / "report.json").write_text(text)
        assert served.api("run")["word"] in ("Unreadable", "Complete"), text
    for name in ("monitor.csv", "forces_ball.csv", "probe_behind.csv", "quantity_drag.csv"):
        lines = (run / name).read_text().splitlines()
        for at, value in ((-3, "nan"), (-2, "inf"), (-1, "-inf")):
            lines[at] = ",".join([*lines[at].split(",")[:2], *[value] * (lines[at].count(",") - 1)])
        (run / name).write_text("\n".join(lines) + "\n")
    for kind, panel in served.api("curves").items():
        assert panel["charts"], f"the curves stay: {kind}"


def test_texts_of_files_stay_texts(run: pathlib.Path) -> None:
    report = json.loads((run / "report.json").read_text())
    (run / "report.json").write_text(json.dumps({**report, "warnings": [EVIL]}))
    (run / "run.log").write_text(f"{stamp(9)} lbm 1.0: {EVIL}\n{stamp(9)} warning: {EVIL}\n")
    name = EVIL.replace("/", "_")
    moved = run.rename(run.parent / name)
    (moved / "forces_ball.csv").rename(moved / f"forces_{name}.csv")
    served = Served(run.parent)
    for page in (served.api("runs")["html"], served.api("run", name)["html"]):
        assert "&lt;script&gt;" in page and "<script" not in page and "<img" not in page
    page = served.api("report", name)["html"]
    assert "&lt;script&gt;" in page and "<script" not in page and "<img src=x" not in page


LINKS = ["run.log", "report.json", "effective_case.yaml", "monitor.csv", "forces_ball.csv",
         "probe_behind.csv", "quantity_drag.csv", "fields_000000040.hdf"]  # fmt: skip


@pytest.mark.parametrize("name", LINKS)
def test_links_are_not_followed_and_pipes_keep_nobody_waiting(
    run: pathlib.Path, tmp_path: pathlib.Path, name: str
) -> None:
    secret = tmp_path / "secret"
    shutil.copy(run / name, secret)
    if not name.endswith(".hdf"):
        secret.write_text(secret.read_text() + f"{stamp(9)} warning: secret\n# secret\n987654321,987654321\n")
    (run / name).unlink()
    (run / name).symlink_to(secret)
    served = Served(run.parent)
    text = served.all_of()
    assert "secret" not in text.replace("_secret", "") and "987654321" not in text
    assert "link" in served.refused("report", "run")
    (run / name).unlink()
    os.mkfifo(run / name)
    served.all_of()
    served.refused("report", "run")
    (run.parent / "linked").symlink_to(run)
    (run.parent / "loop").symlink_to(run.parent)
    assert [one["id"] for one in served.api("runs")["runs"]] == ["run"]
    assert served.ask("run", "linked").status_code == 404
