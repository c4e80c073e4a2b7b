# SPDX-License-Identifier: Apache-2.0
"""Images and surfaces as meshes of PyVista and of VTK, which are optional packages."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from lbm.results.errors import need
from lbm.results.header import ImageHeader
from lbm.results.lazy import Array

if TYPE_CHECKING:
    import pyvista  # type: ignore[import-not-found,unused-ignore]


def _wrapped(data: Any, attrs: Mapping[str, Any]) -> Any:
    """An object of VTK as a mesh of PyVista, with the attributes as field data."""
    mesh = need("pyvista", "pyvista", "to_pyvista").wrap(data)
    for name, value in attrs.items():
        mesh.field_data[name] = np.atleast_1d(value)
    return mesh


def image_mesh(header: ImageHeader, time: float) -> pyvista.ImageData:
    """A grid whose points are the cell centres, with the values on its points."""
    need("pyvista", "pyvista", "to_pyvista")
    mesh: pyvista.ImageData = _wrapped(image_vtk(header), {**header.attrs, "time": time})
    return mesh


def surface_mesh(
    points: Array, triangles: Array, values: Mapping[str, Array], attrs: Mapping[str, Any]
) -> pyvista.PolyData:
    """Triangles with values on their points."""
    need("pyvista", "pyvista", "to_pyvista")
    mesh: pyvista.PolyData = _wrapped(surface_vtk(points, triangles, values), attrs)
    return mesh


def meshes(named: Mapping[str, Any]) -> pyvista.MultiBlock:
    """Images and surfaces under their names."""
    blocks: pyvista.MultiBlock = need("pyvista", "pyvista", "to_pyvista").MultiBlock()
    for name, one in named.items():
        blocks[name] = one.to_pyvista()
    return blocks


def _vtk() -> tuple[Any, Any]:
    """The classes of data, and the conversion of arrays, which VTK then holds."""
    support = need("vtkmodules.util.numpy_support", "vtk", "to_vtk")
    return need("vtkmodules.vtkCommonDataModel", "vtk", "to_vtk"), support.numpy_to_vtk


def _add_vtk_values(data: Any, convert: Any, values: Mapping[str, Array]) -> None:
    for name, array in values.items():
        added = convert(array, deep=True)
        added.SetName(name)
        data.GetPointData().AddArray(added)


def image_vtk(header: ImageHeader) -> Any:
    """A vtkImageData whose points are the cell centres."""
    module, convert = _vtk()
    data = module.vtkImageData()
    data.SetDimensions(header.counts)
    data.SetSpacing(header.spacing)
    data.SetOrigin(header.origin)
    # [points] or [points, components]: x varies fastest, as in the meshes.
    values = {n: np.asarray(a).reshape(-1, *a.shape[3:]) for n, a in header.arrays.items()}
    _add_vtk_values(data, convert, values)
    return data


def surface_vtk(points: Array, triangles: Array, values: Mapping[str, Array]) -> Any:
    """A vtkPolyData of triangles."""
    module, convert = _vtk()
    core = need("vtkmodules.vtkCommonCore", "vtk", "to_vtk")
    data, places, cells = module.vtkPolyData(), core.vtkPoints(), module.vtkCellArray()
    places.SetData(convert(np.ascontiguousarray(points), deep=True))
    data.SetPoints(places)
    corners = np.ascontiguousarray(triangles, np.int64).ravel()
    starts = np.arange(0, corners.size + 1, 3, dtype=np.int64)
    cells.SetData(convert(starts, deep=True), convert(corners, deep=True))
    data.SetPolys(cells)
    _add_vtk_values(data, convert, values)
    return data
