"""Images and surfaces as meshes of PyVista, which is an optional package."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from lbm.results.errors import need
from lbm.results.header import ImageHeader
from lbm.results.lazy import Array

if TYPE_CHECKING:
    import pyvista  # type: ignore[import-not-found,unused-ignore]


def _pyvista() -> Any:
    return need("pyvista", "pyvista", "to_pyvista")


def _add_attrs(mesh: Any, attrs: Mapping[str, Any]) -> None:
    for name, value in attrs.items():
        mesh.field_data[name] = np.atleast_1d(value)


def image_mesh(header: ImageHeader, time: float) -> pyvista.ImageData:
    """A grid whose points are the cell centres, with the values on its points."""
    mesh: pyvista.ImageData = _pyvista().ImageData(
        dimensions=header.counts, spacing=header.spacing, origin=header.origin
    )
    for name, array in header.arrays.items():
        # x varies fastest in both, so the axes z, y, x become one.
        mesh.point_data[name] = np.asarray(array).reshape(-1, *array.shape[3:])
    _add_attrs(mesh, {**header.attrs, "time": time})
    return mesh


def surface_mesh(
    points: Array, triangles: Array, values: Mapping[str, Array], attrs: Mapping[str, Any]
) -> pyvista.PolyData:
    """Triangles with values on their points."""
    corners = np.full((len(triangles), 1), 3, triangles.dtype)
    faces = np.hstack([corners, triangles]).ravel()
    mesh: pyvista.PolyData = _pyvista().PolyData(points, faces)
    for name, array in values.items():
        if len(points):  # PyVista has no empty arrays
            mesh.point_data[name] = array
    _add_attrs(mesh, attrs)
    return mesh
