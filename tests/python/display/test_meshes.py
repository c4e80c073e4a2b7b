# SPDX-License-Identifier: Apache-2.0
"""Meshes of PyVista and VTK: of images, surfaces, whole results and a running simulation."""

import pathlib
import sys
import typing

import numpy as np
import pytest
from conftest import SMALL_CASE

import lbm


def test_a_simulation_has_the_mesh_of_its_files(tmp_path: pathlib.Path) -> None:
    pyvista = pytest.importorskip("pyvista")
    with lbm.Simulation(lbm.Case.from_text(SMALL_CASE), out=tmp_path / "out") as simulation:
        simulation.advance()
        mesh = simulation.to_pyvista()
        part = simulation.to_pyvista("pressure", x=slice(2, 9), y=4)
    expected = lbm.open(tmp_path / "out").fields[-1].to_pyvista()
    assert isinstance(mesh, pyvista.ImageData) and mesh.dimensions == (16, 12, 20)
    np.testing.assert_allclose(mesh.points, expected.points, rtol=1e-6)
    for name in ("velocity", "density"):
        np.testing.assert_array_equal(mesh.point_data[name], expected.point_data[name])
    assert mesh.field_data["time"] == expected.field_data["time"]
    assert part.dimensions == (7, 1, 20) and part.point_data.keys() == ["pressure"]


def test_results_are_blocks_by_name(sample: pathlib.Path) -> None:
    pyvista = pytest.importorskip("pyvista")
    results = lbm.open(sample)
    blocks = results.to_pyvista()
    assert isinstance(blocks, pyvista.MultiBlock) and blocks.keys() == list(results.series)
    assert blocks["mid"].dimensions == (16, 1, 20) and blocks["mid"].field_data["step"] == 40
    early = results.to_pyvista(time=results["mid"].times[0])
    assert early["mid"].field_data["step"] == 10 and "across" not in early.keys()
    with pytest.raises(lbm.UsageError, match="no image or surface at time 1000.0; there are"):
        results.to_pyvista(time=1000.0)


def test_a_picture_without_a_window(sample: pathlib.Path, tmp_path: pathlib.Path) -> None:
    pyvista = pytest.importorskip("pyvista")
    image = lbm.open(sample)["mid"][-1]
    mesh = image.to_pyvista()
    mesh.point_data["speed"] = np.linalg.norm(mesh.point_data["velocity"], axis=1)
    plotter = pyvista.Plotter(off_screen=True, window_size=(200, 200))
    plotter.add_mesh(mesh, scalars="speed", cmap="gray", show_scalar_bar=False, lighting=False)
    plotter.view_xz()
    plotter.background_color = "blue"
    shown = plotter.screenshot(tmp_path / "mid.png", return_img=True)
    plotter.close()
    drawn = shown[(shown[..., 0] == shown[..., 1]) & (shown[..., 1] == shown[..., 2])]
    assert len(drawn) > 5000 and np.ptp(drawn[:, 0].astype(int)) > 200, "cells of many speeds"
    lid = shown[np.argwhere(np.ptp(shown, axis=-1) == 0)[0][0] + 3]
    assert lid.max() > 200, "the lid moves, and z points upwards"


def test_images_and_surfaces_for_vtk(sample_vtk: pathlib.Path) -> None:
    pytest.importorskip("vtkmodules")
    from vtkmodules.util.numpy_support import vtk_to_numpy

    results = lbm.open(sample_vtk)
    image, surface = results.fields[-1], results["surface"][-1]
    data = image.to_vtk()
    assert data.GetDimensions() == (16, 12, 20)
    at = data.FindPoint(image.x[5], image.y[3], image.z[17])
    velocity = vtk_to_numpy(data.GetPointData().GetArray("velocity"))
    np.testing.assert_array_equal(velocity[at], image.velocity[17, 3, 5])
    mesh = surface.to_vtk()
    assert mesh.GetNumberOfPoints() == len(surface.points)
    assert mesh.GetNumberOfPolys() == len(surface.triangles) > 0
    np.testing.assert_array_equal(vtk_to_numpy(mesh.GetPoints().GetData()), surface.points)
    corners = vtk_to_numpy(mesh.GetPolys().GetConnectivityArray()).reshape(-1, 3)
    np.testing.assert_array_equal(corners, surface.triangles)
    speed = vtk_to_numpy(mesh.GetPointData().GetArray("velocity"))
    np.testing.assert_array_equal(speed, surface["velocity"])
    assert results["empty"][-1].to_vtk().GetNumberOfPoints() == 0


def test_missing_packages_are_named(sample: pathlib.Path, monkeypatch: pytest.MonkeyPatch) -> None:
    results = lbm.open(sample)
    simulation = lbm.Simulation(lbm.Case.from_text(SMALL_CASE))
    for module in ("pyvista", "vtkmodules.util.numpy_support"):
        monkeypatch.setitem(sys.modules, module, typing.cast(typing.Any, None))
    for wrong, said in (
        (results.to_pyvista, "to_pyvista needs pyvista: pip install pyvista"),
        (simulation.to_pyvista, "to_pyvista needs pyvista: pip install pyvista"),
        (results["mid"][-1].to_vtk, "to_vtk needs vtk: pip install vtk"),
    ):
        with pytest.raises(ImportError, match=f"^{said}$") as error:
            wrong()
        assert isinstance(error.value, lbm.Error)
