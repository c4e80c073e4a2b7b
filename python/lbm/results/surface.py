# SPDX-License-Identifier: Apache-2.0
"""Isosurfaces: triangles with values on their points, of .vtp files or the pieces of .pvtp."""

from __future__ import annotations

import xml.etree.ElementTree as ElementTree
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from lbm._attributes import ByAttribute
from lbm._lbm import UsageError
from lbm.results.errors import damaged, no_name
from lbm.results.lazy import Array
from lbm.results.meshes import mesh, surface_vtk
from lbm.results.vtkxml import XmlFile, piece_path, read_xml

if TYPE_CHECKING:
    import pyvista  # type: ignore[import-not-found,unused-ignore]


class _Piece:
    """One .vtp file."""

    def __init__(self, path: Path) -> None:
        self.file: XmlFile = read_xml(path)
        self.piece: ElementTree.Element = self.file.find("./PolyData/Piece")
        self.count = int(self.piece.get("NumberOfPoints", "0"))

    def names(self) -> tuple[str, ...]:
        return tuple(e.get("Name", "") for e in self.piece.iterfind("./PointData/*"))

    def values(self, name: str) -> Array:
        """An array on the points, [points] or [points, component]."""
        for element in self.piece.iterfind("./PointData/*"):
            if element.get("Name") == name:
                return self._table(element)
        raise no_name(self.file.path, "array", name, self.names())

    def points(self) -> Array:
        found = self.piece.find("./Points/DataArray")
        return np.empty((0, 3), np.float32) if found is None else self._table(found)

    def triangles(self) -> Array:
        for element in self.piece.iterfind("./Polys/DataArray"):
            if element.get("Name") == "connectivity":
                flat = self.file.values(element)
                if flat.size % 3:
                    raise damaged(self.file.path, "polygons that are not triangles")
                return flat.reshape(-1, 3)
        return np.empty((0, 3), np.int64)

    def _table(self, element: ElementTree.Element) -> Array:
        flat = self.file.values(element)
        components = int(element.get("NumberOfComponents", "1"))
        if flat.size != self.count * components:
            raise damaged(self.file.path, f"{element.get('Name')} has not {self.count} points")
        return flat.reshape(-1, components) if components > 1 else flat


class Surface(ByAttribute[Array]):
    """An isosurface at one time: a .vtp or .pvtp file. Each access reads points or values anew.

    `surface["velocity"]` has the values on the points, [points] or [points, component];
    `surface.velocity` is the same, for names that are no attribute yet. A surface of several
    processes has the points on the border of two slabs twice (docs/output.md).

    Args:
        path: the file.
        time: the time, where the index of the series has it.

    Raises, here or at the first read: MissingFileError, UsageError, as Image does.
    """

    def __init__(self, path: str | Path, time: float | None = None) -> None:
        self.path = Path(path)
        self._time = time
        if self.path.suffix not in (".vtp", ".pvtp"):
            raise UsageError(f"{path}: no surface; surfaces end in .vtp, .pvtp")

    @cached_property
    def _pieces(self) -> list[_Piece]:
        if self.path.suffix == ".vtp":
            return [_Piece(self.path)]
        file = read_xml(self.path)
        pieces = [_Piece(piece_path(file, e)) for e in file.root.findall("./PPolyData/Piece")]
        if not pieces:
            raise damaged(self.path, "it lists no pieces")
        return pieces

    @property
    def arrays(self) -> tuple[str, ...]:
        """Names of the arrays on the points."""
        return self._pieces[0].names()

    @cached_property
    def _attrs(self) -> dict[str, Any]:
        return self._pieces[0].file.attrs()

    @property
    def attrs(self) -> dict[str, Any]:
        """Attributes of the file: time, step, case, units, ..."""
        return dict(self._attrs)

    @property
    def time(self) -> float:
        """Time in the unit of the file: L/U, s or steps."""
        return float(self._attrs["time"]) if self._time is None else self._time

    @property
    def step(self) -> int:
        """Time steps since the start of the run."""
        return int(self._attrs["step"])

    @property
    def points(self) -> Array:
        """Coordinates x, y, z of the points, [points, 3], in the unit of length of the file."""
        return np.concatenate([piece.points() for piece in self._pieces])

    @property
    def triangles(self) -> Array:
        """Indices of the three points of each triangle, [triangles, 3]."""
        starts = np.cumsum([0] + [piece.count for piece in self._pieces])
        return np.concatenate([p.triangles() + start for p, start in zip(self._pieces, starts)])

    def to_pyvista(self) -> pyvista.PolyData:
        """A pyvista.PolyData with all arrays on its points, in the units of the file.

        Its field_data has the attributes of the file and the time.
        Raises: MissingPackageError where PyVista is not installed.
        """
        made: pyvista.PolyData = mesh(self.to_vtk, {**self.attrs, "time": self.time})
        return made

    def to_vtk(self) -> Any:
        """The same as a vtkPolyData, for programs that use VTK without PyVista.

        Raises: MissingPackageError where VTK is not installed.
        """
        values = {name: self[name] for name in self.arrays}
        return surface_vtk(self.points, self.triangles, values)

    def __getitem__(self, name: str) -> Array:
        return np.concatenate([piece.values(name) for piece in self._pieces])

    def _names(self) -> tuple[str, ...]:
        return self.arrays

    def __repr__(self) -> str:
        return f"<lbm surface {self.path}>"
