# SPDX-License-Identifier: Apache-2.0
"""Isosurfaces: places, areas, sides, and values that are not there."""

import numpy as np
import pytest

from lbm.results.lazy import Array
from lbm.watch.isosurface import Mesh, at_points, crossings, isosurface, normals

CENTRE = np.array([12.3, 11.6, 13.1])  # k, j, i


def distance(shape: tuple[int, int, int] = (26, 25, 27)) -> Array:
    """Distances from a point between the values."""
    places = np.stack(np.meshgrid(*map(np.arange, shape), indexing="ij"), axis=-1)
    return np.asarray(np.linalg.norm(places - CENTRE, axis=-1), np.float32)


def halves(mesh: Mesh, spacing: object = 1.0) -> tuple[Array, Array, Array]:
    """The corners of two triangles for each quadrilateral, each [2 m, 3]."""
    a, b, c, d = ((mesh.points * np.asarray(spacing))[mesh.quads[:, i]] for i in range(4))
    return np.concatenate([a, a]), np.concatenate([b, c]), np.concatenate([c, d])


def area(mesh: Mesh, spacing: object = 1.0) -> float:
    a, b, c = halves(mesh, spacing)
    return float(np.linalg.norm(np.cross(b - a, c - a), axis=-1).sum() / 2)


@pytest.mark.parametrize("radius, error", [(3.0, 0.08), (6.0, 0.02), (10.0, 0.008)])
def test_a_sphere_has_the_area_of_a_sphere(radius: float, error: float) -> None:
    mesh = isosurface(-distance(), -radius)
    assert area(mesh) == pytest.approx(4 * np.pi * radius**2, rel=error)
    a, b, c = (one - CENTRE for one in halves(mesh))
    volume = np.einsum("ij,ij->", a, np.cross(b, c)) / 6
    assert volume == pytest.approx(4 / 3 * np.pi * radius**3, rel=2 * error), "towards lower values"
    away = np.linalg.norm(mesh.points - CENTRE, axis=-1)
    assert abs(away - radius).max() < 0.4 / radius
    radial = (mesh.points - CENTRE) / away[:, None]
    assert (normals(mesh.points, mesh.quads) * radial).sum(axis=-1).min() > 0.98
    edges = np.sort(np.stack([mesh.quads, np.roll(mesh.quads, 1, axis=1)], axis=-1).reshape(-1, 2))
    _, times = np.unique(edges, axis=0, return_counts=True)
    assert (times == 2).all(), "closed"
    assert crossings(-distance(), -radius) == len(mesh.quads)


def test_a_sphere_of_flat_cells(radius: float = 8.0) -> None:
    """Cells of 1 x 2 x 0.5: a sphere in space is an ellipsoid in cells."""
    size = np.array([1.0, 2.0, 0.5])
    places = np.stack(np.meshgrid(*map(np.arange, (24, 14, 44)), indexing="ij"), axis=-1) * size
    mesh = isosurface(np.linalg.norm(places - [11.3, 12.6, 10.4], axis=-1), radius)
    assert area(mesh, size) == pytest.approx(4 * np.pi * radius**2, rel=0.02)


def test_a_plane_is_met_exactly() -> None:
    k, j, i = np.meshgrid(np.arange(9.0), np.arange(8.0), np.arange(7.0), indexing="ij")
    mesh = isosurface(2 * k + 3 * j - i, 17.4)
    assert len(mesh.quads) > 40
    assert mesh.points @ [2, 3, -1] == pytest.approx(17.4, abs=1e-9)
    assert (normals(mesh.points, mesh.quads) @ [2, 3, -1] == pytest.approx(-np.sqrt(14))), "down"


def test_values_that_are_not_finite_have_no_surface_around() -> None:
    values = -distance()
    values[:, :, 13:15] = np.nan  # a slit through the sphere
    values[2, 2, 2], values[3, 3, 3] = np.inf, -np.inf
    mesh = isosurface(values, -8)
    whole = isosurface(-distance(), -8)
    across = mesh.points[:, 2]
    assert np.isfinite(mesh.points).all() and not ((across > 12) & (across < 15)).any()
    gone = whole.points[:, 2]
    assert len(mesh.points) == (~((gone > 12) & (gone < 15))).sum(), "the rest is as before"
    assert len(mesh.quads) < len(whole.quads)
    assert crossings(values, -8) < crossings(-distance(), -8)
    values[:, :, :13] = np.nan
    values[:, :, 15:] = 0
    assert crossings(values, -8) == 0, "an edge with one value is not crossed"
    for nothing in (np.full((5, 5, 5), np.nan), np.zeros((5, 5, 5)), np.zeros((1, 5, 5))):
        empty = isosurface(nothing, 0.5)
        assert empty.points.shape == (0, 3) and empty.quads.shape == (0, 4)
        assert normals(empty.points, empty.quads).shape == (0, 3)
    assert at_points(np.zeros((5, 5, 5)), np.zeros((0, 3))).shape == (0,)


def test_values_at_points() -> None:
    k, j, i = np.meshgrid(np.arange(5.0), np.arange(6.0), np.arange(7.0), indexing="ij")
    values = 2 * k + 3 * j - i
    points = np.random.default_rng(3).uniform(0, [4, 5, 6], (200, 3))
    assert at_points(values, points) == pytest.approx(points @ [2, 3, -1], abs=1e-6)
    values[2, 2, 2] = np.nan
    assert np.isfinite(at_points(values, points)).all(), "the others around count"
    assert at_points(values, np.array([[2.0, 2.0, 2.25]])) == pytest.approx([7], abs=1e-6)
    assert np.isnan(at_points(np.full((5, 5, 5), np.inf), points)).all()
