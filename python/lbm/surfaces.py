# SPDX-License-Identifier: Apache-2.0
"""Surfaces in files that `lbm` does not read (PLY and others), written as STL files.

`python -m lbm.surfaces FROM TO.stl` does the same as `convert`.
"""

import argparse
import os
import pathlib
import sys
from typing import Any

import numpy as np
import numpy.typing as npt

from lbm.errors import Error, MissingFileError, UsageError

__all__ = ["convert"]


def convert(source: str | os.PathLike[str], to: str | os.PathLike[str]) -> int:
    """Writes a surface as an STL file that `shape: surface` reads; returns its number of triangles.

    `source` is a file of any format of trimesh: PLY, OBJ, OFF, glTF, 3MF, ... Polygons become
    triangles. Objects of the file become solids of a text STL file; so does a surface whose
    coordinates single precision does not hold. Needs trimesh.

    Raises UsageError where the source is no surface. An older file `to` is replaced at the end;
    after an error it is as it was.
    """
    path, target = pathlib.Path(source), pathlib.Path(to)
    if target.suffix != ".stl":
        raise UsageError(f"{target}: must end in .stl")
    parts = _parts(path)
    triangles = sum(len(part) for _, part in parts)
    if triangles == 0:
        raise UsageError(f"{path}: holds no triangles: export the body as a surface")
    if not all(bool(np.isfinite(part).all()) for _, part in parts):
        raise UsageError(f"{path}: has coordinates that are not finite: export it again")
    partial = target.with_name(target.name + ".partial")
    try:
        partial.write_bytes(_binary(parts[0][1]) if _fits_binary(parts) else _text(parts))
        partial.replace(target)
    finally:
        partial.unlink(missing_ok=True)
    return triangles


def _parts(path: pathlib.Path) -> list[tuple[str, npt.NDArray[np.float64]]]:
    """Name and corners [triangle, corner, axis] of each object."""
    if not path.is_file():
        raise MissingFileError(f"{path}: there is no such file")
    try:
        import trimesh  # type: ignore[import-not-found,import-untyped,unused-ignore]
    except ImportError:
        raise UsageError(f"{path}: pip install trimesh to read it") from None
    try:
        scene: Any = trimesh.load_scene(os.fspath(path), process=False)
        return [
            (str(name), trimesh.transform_points(mesh.triangles.reshape(-1, 3), transform).reshape(-1, 3, 3))
            for transform, name in (scene.graph[node] for node in scene.graph.nodes_geometry)
            if hasattr(mesh := scene.geometry[name], "faces")
        ]
    except Exception as error:  # of whatever kind: trimesh has none of its own
        raise UsageError(f"{path}: cannot be read: {' '.join(str(error).split())}") from None


def _fits_binary(parts: list[tuple[str, npt.NDArray[np.float64]]]) -> bool:
    return len(parts) == 1 and bool((parts[0][1] == parts[0][1].astype(np.float32)).all())


def _binary(corners: npt.NDArray[np.float64]) -> bytes:
    record = np.dtype([("normal", "<f4", 3), ("corners", "<f4", (3, 3)), ("nothing", "<u2")])
    records = np.zeros(len(corners), record)
    records["corners"] = corners
    return bytes(80) + len(corners).to_bytes(4, "little") + records.tobytes()


def _text(parts: list[tuple[str, npt.NDArray[np.float64]]]) -> bytes:
    lines = []
    for name, corners in parts:
        lines.append(f"solid {' '.join(name.split())}")
        for triangle in corners.tolist():
            lines += ["facet normal 0 0 0", "outer loop"]
            lines += [f"vertex {x!r} {y!r} {z!r}" for x, y, z in triangle]
            lines += ["endloop", "endfacet"]
        lines.append("endsolid")
    return ("\n".join(lines) + "\n").encode()


def _main() -> None:
    parser = argparse.ArgumentParser(prog="python -m lbm.surfaces", description=__doc__)
    parser.add_argument("source", metavar="FROM", help="PLY, OBJ, OFF, glTF, 3MF, ...")
    parser.add_argument("to", metavar="TO.stl")
    given = parser.parse_args()
    try:
        print(f"{given.to}: {convert(given.source, given.to)} triangles")
    except (Error, OSError) as error:
        sys.exit(str(error))


if __name__ == "__main__":
    _main()
