# SPDX-License-Identifier: Apache-2.0
"""Images and surfaces as objects of VTK, and as meshes of PyVista; both packages are optional."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from lbm.results.errors import need
from lbm.results.header import ImageHeader
from lbm.results.lazy import Array


def mesh(make: Callable[[], Any], attrs: Mapping[str, Any]) -> Any:
    """The object of VTK that `make` returns, as a mesh of PyVista with the attributes as field data."""
    pyvista: Any = need("pyvista", "pyvista", "to_pyvista")
    made = pyvista.wrap(make())
    for name, value in attrs.items():
        made.field_data[name] = np.atleast_1d(value)
    return made


def _vtk(module: str) -> Any:
    return need(f"vtkmodules.{module}", "vtk", "to_vtk")


def _convert(array: Array) -> Any:
    """An array that VTK then holds."""
    return _vtk("util.numpy_support").numpy_to_vtk(np.ascontiguousarray(array), deep=True)


def _with_values(data: Any, values: Mapping[str, Array]) -> Any:
    for name, array in values.items():
        added = _convert(array)
        added.SetName(name)
        data.GetPointData().AddArray(added)
    return data


def image_vtk(header: ImageHeader) -> Any:
    """A vtkImageData whose points are the cell centres."""
    data = _vtk("vtkCommonDataModel").vtkImageData()
    data.SetDimensions(header.counts)
    data.SetSpacing(header.spacing)
    data.SetOrigin(header.origin)
    # [points] or [points, components]: x varies fastest, as in the meshes.
    values = {n: np.asarray(a).reshape(-1, *a.shape[3:]) for n, a in header.arrays.items()}
    return _with_values(data, values)


def surface_vtk(points: Array, triangles: Array, values: Mapping[str, Array]) -> Any:
    """A vtkPolyData of triangles."""
    model, places = _vtk("vtkCommonDataModel"), _vtk("vtkCommonCore").vtkPoints()
    data, cells = model.vtkPolyData(), model.vtkCellArray()
    places.SetData(_convert(points))
    data.SetPoints(places)
    corners = triangles.astype(np.int64).ravel()
    cells.SetData(_convert(np.arange(0, corners.size + 1, 3, dtype=np.int64)), _convert(corners))
    data.SetPolys(cells)
    return _with_values(data, values)
