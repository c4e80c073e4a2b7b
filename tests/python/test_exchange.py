# SPDX-License-Identifier: Apache-2.0
"""Results for other packages: the engine of xarray, fields of a simulation, meshes of PyVista."""

import pathlib
import sys
import typing

import numpy as np
import pytest
from conftest import SMALL_CASE

import lbm

xarray = pytest.importorskip("xarray")


def test_xarray_knows_the_engine(sample: pathlib.Path) -> None:
    image = lbm.open(sample).fields[-1]
    dataset = xarray.open_dataset(image.path, engine="lbm")
    assert dataset.identical(image.to_xarray())
    assert xarray.open_dataset(str(image.path)).identical(dataset), "known by its name"
    with xarray.open_dataset(image.path, engine="lbm", drop_variables="density") as less:
        assert list(less.data_vars) == ["velocity"]
    assert dataset.velocity.attrs["units"] == "U"


def test_the_engine_opens_series(sample: pathlib.Path) -> None:
    dataset = xarray.open_dataset(sample / "mid.hdf.series", engine="lbm")
    assert dataset.sizes["time"] == 4
    assert dataset.identical(lbm.open(sample)["mid"].to_xarray())


def test_the_engine_reads_on_use(sample: pathlib.Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from lbm.results import vtkhdf

    boxes = []
    read = vtkhdf._Stored.read

    def watched(self: vtkhdf._Stored, box: tuple[slice, ...]) -> np.ndarray:
        boxes.append((self.name, box))
        return read(self, box)

    image = lbm.open(sample).fields[-1]
    expected = image["density"][3, 4]
    monkeypatch.setattr(vtkhdf._Stored, "read", watched)
    dataset = xarray.open_dataset(image.path, engine="lbm")
    assert boxes == []
    np.testing.assert_array_equal(dataset.density[3, 4], expected)
    assert boxes == [("density", (slice(3, 4, 1), slice(4, 5, 1), slice(0, 16, 1)))]


def test_the_engine_refuses_other_files(sample: pathlib.Path, tmp_path: pathlib.Path) -> None:
    (tmp_path / "a.hdf").write_bytes(b"no such format")
    for path, message in (
        (tmp_path / "a.hdf", "damaged"),
        (tmp_path / "none.hdf", "no such file"),
        (sample / "report.json", "no image"),
    ):
        with pytest.raises(lbm.UsageError, match=message):
            xarray.open_dataset(path, engine="lbm")


@pytest.mark.parametrize("units", [None, "reference", "lattice", "physical"])
def test_fields_of_a_simulation_are_those_of_its_files(
    tmp_path: pathlib.Path, units: str | None
) -> None:
    case = lbm.Case.from_text(
        SMALL_CASE.replace("reynolds: 20,", "viscosity: 1e-3, velocity: 2, length: 0.005,")
        .replace("fluid:", "units: si\nfluid:")
        .replace("cells: [16, 12, 20]", "cells: [16, 12, 20], spacing: 6.25e-4")
        .replace("velocity: [1, 0, 0]", "velocity: [2, 0, 0]")
    )
    names = ["velocity", "pressure", "vorticity", "strain_rate", "q_criterion", "density"]
    output: dict[str, typing.Any] = {"fields": names}
    if units:
        output["units"] = units
    case.outputs = {"all": lbm.FieldOutput(**output)}
    with lbm.Simulation(case, out=tmp_path / "out") as simulation:
        simulation.advance()
        whole = simulation.to_xarray(*names, units=units)
        part = simulation.to_xarray("pressure", y=slice(2, 8), z=-1, stride=2, units=units)
        assert list(simulation.to_xarray().data_vars) == ["density", "velocity"]
    expected = lbm.open(tmp_path / "out")["all"][-1].to_xarray()
    assert set(whole.variables) == set(expected.variables)
    for name, variable in expected.variables.items():
        assert whole[name].dims == variable.dims
        assert whole[name].attrs == variable.attrs, name
        if variable.dtype.kind == "f":
            np.testing.assert_allclose(whole[name], variable, rtol=1e-12)
    for name in ("step", "reynolds", "reference_length_cells", "case"):
        assert whole.attrs[name] == expected.attrs[name]
    assert whole.attrs["time"] == pytest.approx(expected.attrs["time"])
    xarray.testing.assert_allclose(part.pressure, whole.pressure[-1:, 2:8:2, ::2])


def test_an_image_for_pyvista(sample: pathlib.Path) -> None:
    pyvista = pytest.importorskip("pyvista")
    image = lbm.open(sample).fields[-1]
    mesh = image.to_pyvista()
    assert isinstance(mesh, pyvista.ImageData) and mesh.dimensions == (16, 12, 20)
    assert mesh.field_data["step"][0] == 40 and mesh.field_data["case"][0] == "sample"
    at = mesh.find_closest_point((image.x[5], image.y[3], image.z[17]))
    np.testing.assert_allclose(mesh.points[at], (image.x[5], image.y[3], image.z[17]), rtol=1e-6)
    np.testing.assert_array_equal(mesh.point_data["velocity"][at], image["velocity"][17, 3, 5])
    assert mesh.point_data["density"][at] == image["density"][17, 3, 5]
    assert image.box(y=3).to_pyvista().dimensions == (16, 1, 20)


def test_a_surface_for_pyvista(sample_vtk: pathlib.Path) -> None:
    pyvista = pytest.importorskip("pyvista")
    results = lbm.open(sample_vtk)
    surface = results["surface"][-1]
    mesh = surface.to_pyvista()
    assert isinstance(mesh, pyvista.PolyData)
    np.testing.assert_array_equal(mesh.points, surface.points)
    np.testing.assert_array_equal(mesh.regular_faces, surface.triangles)
    np.testing.assert_array_equal(mesh.point_data["velocity"], surface["velocity"])
    assert results["empty"][-1].to_pyvista().n_points == 0


def test_without_pyvista_it_says_what_to_install(
    sample_vtk: pathlib.Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "pyvista", None)
    results = lbm.open(sample_vtk)
    for wrong in (results.fields[-1].to_pyvista, results["surface"][-1].to_pyvista):
        with pytest.raises(ImportError, match="^to_pyvista needs pyvista: pip install pyvista$"):
            wrong()
