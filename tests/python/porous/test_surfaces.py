# SPDX-License-Identifier: Apache-2.0
"""lbm.surfaces.convert: surfaces in files that the program does not read."""

import pathlib
import struct
import subprocess
import sys

import pytest

import lbm
from lbm import surfaces

CORNERS = [(x, y, z) for z in (4, 12) for y in (4, 12) for x in (4, 12)]
SIDES = [(0, 2, 3, 1), (4, 5, 7, 6), (0, 1, 5, 4), (2, 6, 7, 3), (0, 4, 6, 2), (1, 3, 7, 5)]


def ply(kind: str, shift: float = 0) -> bytes:
    """A cube of six squares."""
    header = f"ply\nformat {kind} 1.0\nelement vertex 8\n" + "".join(f"property double {a}\n" for a in "xyz")
    header += "element face 6\nproperty list uchar int vertex_indices\nend_header\n"
    corners = [(x + shift, y, z) for x, y, z in CORNERS]
    if kind == "ascii":
        lines = [" ".join(map(repr, p)) for p in corners] + ["4 " + " ".join(map(str, s)) for s in SIDES]
        return (header + "\n".join(lines) + "\n").encode()
    order = "<" if kind == "binary_little_endian" else ">"
    data = b"".join(struct.pack(order + "3d", *p) for p in corners)
    return header.encode() + data + b"".join(struct.pack(order + "B4i", 4, *s) for s in SIDES)


def volume(path: pathlib.Path) -> float:
    """Volume of the body that the program makes of the file."""
    case = lbm.Case(
        grid=lbm.Grid(cells=[16, 16, 16]),
        boundaries={f"{a}_{end}": "periodic" for a in "xyz" for end in ("min", "max")},
        fluid=lbm.Fluid(tau=0.8, length=10, lattice_velocity=0.05),
        run=lbm.Run(steps=1),
    )
    case.bodies["cube"] = lbm.Body(shape="surface", file=str(path))
    return float(case.check()["surfaces"][0]["volume"])


@pytest.mark.parametrize("kind", ["ascii", "binary_little_endian", "binary_big_endian"])
@pytest.mark.parametrize("shift", [0, 0.1])
def test_ply_becomes_stl(tmp_path: pathlib.Path, kind: str, shift: float) -> None:
    pytest.importorskip("trimesh")
    path = tmp_path / "cube.ply"
    path.write_bytes(ply(kind, shift))
    with pytest.raises(lbm.UsageError, match=r"cube.ply: is a PLY file.*python -m lbm.surfaces"):
        volume(path)
    assert surfaces.convert(path, tmp_path / "cube.stl") == 12
    is_text = (tmp_path / "cube.stl").read_bytes().startswith(b"solid")
    assert is_text == (shift != 0), "text where single precision does not hold the coordinates"
    assert volume(tmp_path / "cube.stl") == pytest.approx(8**3)


def test_the_command(tmp_path: pathlib.Path) -> None:
    pytest.importorskip("trimesh")
    (tmp_path / "a.ply").write_bytes(ply("ascii"))
    (tmp_path / "cut.ply").write_bytes(ply("binary_big_endian")[:-20])
    (tmp_path / "wrong.ply").write_bytes(ply("ascii").replace(b"4 0 2 3 1", b"4 0 2 99 1"))
    command = [sys.executable, "-m", "lbm.surfaces"]
    done = subprocess.run([*command, str(tmp_path / "a.ply"), str(tmp_path / "b.stl")], capture_output=True, text=True)
    assert done.returncode == 0 and done.stdout.strip().endswith("b.stl: 12 triangles")
    for source, to in (("none.ply", "c.stl"), ("cut.ply", "c.stl"), ("wrong.ply", "c.stl"), ("a.ply", "c.obj")):
        failed = subprocess.run(
            [*command, str(tmp_path / source), str(tmp_path / to)], capture_output=True, text=True
        )
        assert failed.returncode == 1 and failed.stderr.count("\n") == 1, failed.stderr
        assert not (tmp_path / to).exists() and not list(tmp_path.glob("*.partial"))
