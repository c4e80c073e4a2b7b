# SPDX-License-Identifier: Apache-2.0
"""The examples, each at a small size, as a user runs them."""

import csv
import os
import pathlib
import re
import subprocess
import sys

import pytest

import lbm

EXAMPLES = pathlib.Path(__file__).resolve().parents[2] / "python" / "examples"

# The CPU also beside a GPU: these sizes are far too small for one. One thread: two that wait for
# each other crawl where the machine is busy.
ENVIRONMENT = {"MPLBACKEND": "Agg", "OMP_NUM_THREADS": "1", "CUDA_VISIBLE_DEVICES": ""}


def run_example(name: str, out: pathlib.Path, *options: str) -> str:
    """Run an example, which must succeed. Return its output."""
    done = subprocess.run(
        [sys.executable, str(EXAMPLES / name), "--out", str(out), *options],
        capture_output=True,
        text=True,
        env={**os.environ, **ENVIRONMENT},
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def assert_picture(path: pathlib.Path) -> None:
    """A PNG of a size that shows something."""
    content = path.read_bytes()
    assert content[:8] == b"\x89PNG\r\n\x1a\n"
    assert int.from_bytes(content[16:20], "big") > 300
    assert len(content) > 5000


def test_first_look(tmp_path: pathlib.Path) -> None:
    text = run_example("first_look.py", tmp_path, "--size", "16")
    steps = [int(step) for step in re.findall(r"^step (\d+):", text, re.MULTILINE)]
    assert steps[-1] == 1600 and len(steps) == 5  # 10 widths / 0.1 cells a step
    # The cells below the lid follow it, none is faster.
    assert 0.4 < float(re.findall(r"middle ([\d.]+)", text)[0]) < 1
    assert_picture(tmp_path / "first_look.png")


def test_cavity_against_ghia(tmp_path: pathlib.Path) -> None:
    options = ("--size", "48", "--reynolds", "100", "400")
    text = run_example("cavity_against_ghia.py", tmp_path, *options)
    rows = [[float(word) for word in line.split()] for line in text.splitlines()[1:]]
    assert [row[0] for row in rows] == [100, 400]
    for (_, _, u, w), bound in zip(rows, (0.01, 0.018)):
        assert 0 < u < bound and 0 < w < bound
    assert_picture(tmp_path / "cavity_against_ghia.png")
    with (tmp_path / "table.csv").open() as file:
        written = [float(row["u_deviation"]) for row in csv.DictReader(file)]
    assert written == pytest.approx([row[2] for row in rows], abs=6e-5)


def test_the_tables_of_ghia_are_those_of_the_verification(root: pathlib.Path) -> None:
    for table in (EXAMPLES / "data").glob("*.csv"):
        assert table.read_text() == (root / "tests/verification/data" / table.name).read_text()


def test_sphere_drag_curve(tmp_path: pathlib.Path) -> None:
    options = ("--size", "6", "--width", "5", "--length", "8", "--reynolds", "20", "60")
    text = run_example("sphere_drag_curve.py", tmp_path, *options)
    rows = [line.split() for line in text.splitlines()[1:]]
    drags = {float(row[0]): float(row[1]) for row in rows}
    # Clift, Grace and Weber (1978); in a tunnel of which 3 % are blocked the drag is larger.
    assert 1 < drags[20] / 2.735 < 1.15
    assert 1 < drags[60] / 1.423 < 1.15
    assert_picture(tmp_path / "sphere_drag_curve.png")
    assert lbm.open(tmp_path / "reynolds=20").forces["sphere"].cz[-1] > 0


def test_vortices(tmp_path: pathlib.Path) -> None:
    pytest.importorskip("skimage")
    options = ("--size", "24", "--time", "2", "--reynolds", "100")
    text = run_example("vortices.py", tmp_path, *options)
    rows = [[float(word) for word in line.split()] for line in text.splitlines()[1:-1]]
    assert rows[-1][0] == pytest.approx(2, abs=0.01)
    # U^2/8 at the beginning, with a mean square vorticity of 3/4 (U/L)^2: dE/dt = -3 / (4 Re), and
    # more as soon as vortices are stretched. So few cells lose 2 % at once.
    assert rows[0][1] == pytest.approx(0.125 - 0.75 / 100 * rows[0][0], rel=0.03)
    assert 0.1 < rows[-1][1] < 0.125 - 0.75 / 100 * 2
    assert_picture(tmp_path / "vortices.png")


def test_beyond_gpu_memory(tmp_path: pathlib.Path) -> None:
    options = ("--memory", "3 MB", "--size", "32", "--steps", "30", "--times", "0.5", "2", "4")
    text = run_example("beyond_gpu_memory.py", tmp_path, *options)
    rows = [line.split() for line in text.splitlines()[1:]]
    schemes = [(float(row[1]), " ".join(row[2:-3])) for row in rows]
    assert [scheme for times, scheme in schemes if times > 1] == ["wavefront"] * 2
    assert "in_core" in [scheme for times, scheme in schemes if times < 1]
    assert max(times for times, _ in schemes) == pytest.approx(4, rel=0.1)
    assert all(float(row[-2]) > 0 for row in rows)
    assert_picture(tmp_path / "beyond_gpu_memory.png")



def test_from_arrays(tmp_path: pathlib.Path) -> None:
    text = run_example("from_arrays.py", tmp_path, "--size", "24")
    rows = [[float(word) for word in line.split()] for line in text.splitlines()[1:]]
    assert rows[-1][0] == pytest.approx(1, abs=0.001)
    for time, energy, exact, error in rows:
        assert energy == pytest.approx(exact, rel=2e-3), time
        assert error < 1e-3, time
    assert (tmp_path / "from_arrays.npz").exists()


def test_image_to_permeability(tmp_path: pathlib.Path) -> None:
    text = run_example("image_to_permeability.py", tmp_path, "--size", "20")
    assert "permeability [darcy]" in text and text.count("steady after") == 3
    backward = float(re.findall(r"backward flow in ([\d.]+) %", text)[0])
    assert 0 < backward < 20
    assert_picture(tmp_path / "image_to_permeability.png")
    with (tmp_path / "runs" / "permeability.csv").open() as file:
        rows = list(csv.DictReader(file))
    assert f"{float(rows[0]['k_x_darcy']):.5g}" in text
    # The second call only draws, here of an image of a file with other labels.
    run_example("image_to_permeability.py", tmp_path, "--size", "20")
    with pytest.raises(AssertionError, match="must have both"):
        image = ("--image", str(tmp_path / "grains.npy"), "--fluid", "7")
        run_example("image_to_permeability.py", tmp_path / "other", *image)


def test_representative_volume(tmp_path: pathlib.Path) -> None:
    options = ("--size", "32", "--radius", "4", "--edges", "8", "16", "--numbers", "2", "2")
    text = run_example("representative_volume.py", tmp_path, *options)
    rows = [[float(word) for word in line.replace("+-", "").split()] for line in text.splitlines()[1:]]
    assert [row[:2] for row in rows] == [[8, 2], [16, 2]]
    for row in rows:
        assert 0.2 < row[2] < 0.8 and row[4] >= 0 and row[6] > 0
    assert_picture(tmp_path / "representative_volume.png")
