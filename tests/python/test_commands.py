# SPDX-License-Identifier: Apache-2.0
"""`lbm scale` and `lbm film`: commands of Python that the program starts."""

import json
import os
import pathlib
import shutil
import subprocess
import sys
import typing

import pytest

from lbm.studies.scale import add_efficiency, points

CASES = pathlib.Path(__file__).resolve().parents[2] / "cases"
PNG = (  # 2 x 2 pixels
    "89504e470d0a1a0a0000000d4948445200000002000000020802000000fdd49a730000001149444154789c63"
    "f8cfc0004460e23f03001df003fda03309890000000049454e44ae426082"
)
needs_mpirun = pytest.mark.skipif(not shutil.which("mpirun"), reason="no mpirun")
needs_ffmpeg = pytest.mark.skipif(not shutil.which("ffmpeg"), reason="no ffmpeg")


def lbm(*arguments: typing.Any) -> "subprocess.CompletedProcess[str]":
    """Runs the program, which may start several processes as root."""
    environment = {
        **os.environ,
        "OMPI_ALLOW_RUN_AS_ROOT": "1",
        "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1",
    }
    command = [sys.executable, "-m", "lbm", *map(str, arguments)]
    return subprocess.run(command, capture_output=True, text=True, env=environment, check=False)


def refused(part: str, *arguments: typing.Any, code: int = 2) -> None:
    outcome = lbm(*arguments)
    assert outcome.returncode == code, outcome.stderr
    last = outcome.stderr.splitlines()[-1]
    assert last.startswith("lbm: ") and part in last


def test_points_are_ordered_and_efficiency_is_of_the_same_planes() -> None:
    found = [tuple(p.values()) for p in points([4, 1, 4], [30], ["weak", "strong"])]
    assert found == [("weak", 1, 30, 30), ("weak", 4, 30, 120), ("strong", 1, 30, 30), ("strong", 4, 30, 30)]  # fmt: skip
    rows: list[dict[str, typing.Any]] = []
    for kind, processes, mlups, model in (
        ("weak", 2, 100, 80),
        ("weak", 8, 300, 240),
        ("strong", 8, 320, None),
    ):
        rows.append({"scaling": kind, "processes": processes, "planes": 10, "mlups": mlups, "predicted_mlups": model})  # fmt: skip
        add_efficiency(rows)
    assert [row["efficiency"] for row in rows] == [1, 0.75, 1]
    assert [row["predicted_efficiency"] for row in rows] == [1, 0.75, None]


def scale(out: pathlib.Path, *more: typing.Any) -> list[typing.Any]:
    sets = ["--set", "grid.cells=[20, 12, 16]", "--set", "device.backend=cpu"]
    launcher = "timeout 60 mpirun --oversubscribe --bind-to none -n {n}"
    case = CASES / "lid_driven_cavity.yaml"
    return ["scale", case, *sets, "--launcher", launcher, "--steps", 12, "--out", out, *more]


@needs_mpirun
def test_a_study_measures_and_names_runs_that_fail(tmp_path: pathlib.Path) -> None:
    outcome = lbm(*scale(tmp_path / "s", "--processes", "1,2,9", "--strong"))
    assert outcome.returncode == 0, outcome.stderr
    assert "strong scaling, 20 x 12 x 16 cells in all" in outcome.stdout
    assert "found 16 planes along z for 9 processes" in outcome.stdout
    written = (tmp_path / "s/scale.json").read_text()
    one, two, nine = json.loads(written)["runs"]
    assert one["cell_count"] == 20 * 12 * 16 and one["predicted_mlups"] > 0
    assert two["exchange"] == "host"
    assert two["efficiency"] == pytest.approx(two["mlups"] / one["mlups"] / 2)
    assert "mlups" not in nine and "exit code 2" in nine["failure"]
    refused("scale.json: exists", *scale(tmp_path / "s"))
    assert (tmp_path / "s/scale.json").read_text() == written
    study = scale(tmp_path / "t", "--processes", 9, "--strong")
    refused("no run came to its end: exit code 2", *study, code=4)


def test_a_study_refuses_what_it_cannot_do(tmp_path: pathlib.Path) -> None:
    refused("--processes: found 0", *scale(tmp_path, "--processes", 0))
    refused("--planes: found 1", *scale(tmp_path, "--planes", 1))
    refused("--steps: found -1", *scale(tmp_path, "--steps", -1))
    refused("has no {n}", *scale(tmp_path, "--launcher", "mpirun"))
    refused("other than {n}", *scale(tmp_path, "--launcher", "mpirun {x}"))
    refused("--out: found an empty name", *scale(pathlib.Path("")), "--out", "")
    refused("none.yaml", "scale", tmp_path / "none.yaml")
    assert not list(tmp_path.iterdir())


@needs_ffmpeg
def test_a_film_of_each_name(tmp_path: pathlib.Path) -> None:
    for name in ("wake_000000100.png", "wake_000000200.png", "top_000000100.png"):
        (tmp_path / name).write_bytes(bytes.fromhex(PNG))
    outcome = lbm("film", tmp_path, "--rate", 5)
    assert outcome.returncode == 0, outcome.stderr
    assert f"{tmp_path}/wake.mp4: 2 pictures, 0.4 s" in outcome.stdout
    assert b"ftyp" in (tmp_path / "top.mp4").read_bytes()[:16]
    refused("is there already", "film", tmp_path)
    assert lbm("film", tmp_path, "--overwrite", "--picture", "top").returncode == 0
    (tmp_path / "bad_000000100.png").write_bytes(b"no picture")
    refused("ffmpeg failed", "film", tmp_path, "--picture", "bad", code=4)
    assert not list(tmp_path.glob("bad.mp4*"))


def test_a_film_needs_pictures(tmp_path: pathlib.Path) -> None:
    refused("found no pictures of a run", "film", tmp_path)
    refused("cannot be read", "film", tmp_path / "none")
    (tmp_path / "top_000000100.png").write_bytes(bytes.fromhex(PNG))
    refused("must be one of top", "film", tmp_path, "--picture", "wake")
