# SPDX-License-Identifier: Apache-2.0
"""Surfaces in VTK's XML files against images of the same run."""

import pathlib
import re
import tracemalloc

import h5py
import numpy as np
import pytest

import lbm
from lbm.results import Surface

def stored(directory: pathlib.Path, array: str) -> np.ndarray:
    """All cells after the last step, as h5py finds them."""
    with h5py.File(directory / "fields_000000040.hdf", "r") as opened:
        return opened["VTKHDF/PointData"][array][:]


def at_points(field: np.ndarray, points: np.ndarray) -> np.ndarray:
    """Trilinear between cell centres; points in reference lengths of 16 cells."""
    place = 16 * points[:, ::-1].astype(float) - 0.5
    low = np.minimum(np.floor(place + 1e-5).astype(int), np.array(field.shape[:3]) - 2)
    share = place - low
    result = np.zeros((len(points), *field.shape[3:]))
    for corner in np.ndindex(2, 2, 2):
        weight = np.prod(np.where(corner, share, 1 - share), axis=1)
        values = field[tuple((low + corner).T)]
        result += weight.reshape(-1, *[1] * (values.ndim - 1)) * values
    return result


@pytest.mark.parametrize("name", ["surface", "surfacez"])
def test_points_of_a_surface_have_its_value(sample_vtk: pathlib.Path, name: str) -> None:
    surface = lbm.open(sample_vtk)[name][-1]
    assert isinstance(surface, Surface) and surface.step == 40 and surface.time == 0.25
    assert surface.arrays == ("velocity", "pressure")
    points = surface.points
    assert len(points) > 100 and surface.triangles.shape[1] == 3
    np.testing.assert_allclose(at_points(stored(sample_vtk, "density"), points), 1.01, atol=2e-6)
    velocity = at_points(stored(sample_vtk, "velocity"), points)
    np.testing.assert_allclose(surface.velocity, velocity, atol=5e-6)
    np.testing.assert_allclose(surface.pressure, 0.01 / 3 / 0.1**2, rtol=2e-4)


def test_triangles_of_a_surface_join_its_points(sample_vtk: pathlib.Path) -> None:
    results = lbm.open(sample_vtk)
    surface = results["surface"][-1]
    triangles = surface.triangles
    assert triangles.min() == 0 and triangles.max() == len(surface.points) - 1
    corners = surface.points[triangles]
    assert np.ptp(corners, axis=1).max() <= 1.0001 / 16, "a triangle lies in one cell"
    np.testing.assert_array_equal(triangles, results["surfacez"][-1].triangles)
    assert results["surface"].steps.tolist() == [20, 40]
    assert [s.step for s in results["surface"]] == [20, 40]


def test_pieces_of_a_surface_are_one(sample_vtk: pathlib.Path, tmp_path: pathlib.Path) -> None:
    for number, step in enumerate((20, 40)):
        data = (sample_vtk / f"surface_{step:09d}.vtp").read_bytes()
        (tmp_path / f"s_000000040_p000{number}.vtp").write_bytes(data)
    (tmp_path / "s_000000040.pvtp").write_text(
        '<VTKFile type="PPolyData" header_type="UInt64"><PPolyData GhostLevel="0">'
        '<Piece Source="s_000000040_p0000.vtp"/><Piece Source="s_000000040_p0001.vtp"/>'
        "</PPolyData></VTKFile>"
    )
    whole = Surface(tmp_path / "s_000000040.pvtp")
    first, second = lbm.open(sample_vtk)["surface"]
    np.testing.assert_array_equal(whole.points, np.concatenate([first.points, second.points]))
    np.testing.assert_array_equal(whole.pressure, np.concatenate([first.pressure, second.pressure]))
    shifted = second.triangles + len(first.points)
    np.testing.assert_array_equal(whole.triangles, np.concatenate([first.triangles, shifted]))


def test_an_empty_surface_has_nothing(sample_vtk: pathlib.Path) -> None:
    surface = lbm.open(sample_vtk)["empty"][-1]
    assert surface.points.shape == (0, 3) and surface.triangles.shape == (0, 3)
    assert surface.velocity.shape[0] == 0 and surface.step == 40


@pytest.mark.parametrize("name", ["surface_000000040.vtp", "surfacez_000000040.vtp"])
@pytest.mark.parametrize("share", [0, 0.01, 0.2, 0.6])
def test_damaged_files_are_one_line(
    sample_vtk: pathlib.Path, tmp_path: pathlib.Path, name: str, share: float
) -> None:
    data = (sample_vtk / name).read_bytes()
    path = tmp_path / name
    path.write_bytes(data[: int(share * len(data))])
    with pytest.raises(lbm.UsageError) as error:
        Surface(path).triangles
    assert str(path) in str(error.value) and "\n" not in str(error.value)


HEADER = (
    '<VTKFile type="PolyData" header_type="UInt64"{compressor}><PolyData>'
    '<Piece NumberOfPoints="9"><Points><DataArray type="Float32" Name="Points" '
    'NumberOfComponents="3" format="appended" offset="0"/></Points></Piece></PolyData>'
    '<AppendedData encoding="raw">_'
)
ZLIB = ' compressor="vtkZLibDataCompressor"'


@pytest.mark.parametrize(
    ("compressor", "words"),
    [
        ("", [1 << 62]),
        (ZLIB, [1 << 20, 1 << 32, 0]),  # blocks that are not there
        (ZLIB, [1, 1 << 32, 0, 8]),  # a block that cannot become so large
        (ZLIB, [1, 4000, 0, 1 << 60]),  # a packed block that is not there
    ],
)
def test_no_memory_is_taken_for_what_a_file_claims(
    tmp_path: pathlib.Path, compressor: str, words: list[int]
) -> None:
    path = tmp_path / "a_000000001.vtp"
    header = HEADER.format(compressor=compressor).encode()
    path.write_bytes(header + np.array(words, "<u8").tobytes() + b"12345678")
    tracemalloc.start()
    try:
        with pytest.raises(lbm.UsageError) as error:
            _ = Surface(path).points
        assert tracemalloc.get_traced_memory()[1] < 1 << 22
    finally:
        tracemalloc.stop()
    assert str(path) in str(error.value) and "\n" not in str(error.value)


def test_a_surface_with_a_wrong_size_is_damaged(
    sample_vtk: pathlib.Path, tmp_path: pathlib.Path
) -> None:
    data = bytearray((sample_vtk / "surface_000000040.vtp").read_bytes())
    first = data.index(b"_", data.index(b"<AppendedData")) + 1
    for offset in re.findall(rb'offset="(\d+)"', data):
        at = first + int(offset)
        data[at : at + 8] = np.array([1 << 40], "<u8").tobytes()
    path = tmp_path / "surface_000000040.vtp"
    path.write_bytes(data)
    with pytest.raises(lbm.UsageError, match="bytes of values"):
        surface = Surface(path)
        for name in ("points", "triangles", "velocity", "pressure"):
            np.asarray(getattr(surface, name))


def test_vtk_reads_the_same(sample_vtk: pathlib.Path) -> None:
    vtk = pytest.importorskip("vtk")
    from vtk.util.numpy_support import vtk_to_numpy

    results = lbm.open(sample_vtk)
    for name in ("surface", "surfacez"):
        surface = results[name][-1]
        reader = vtk.vtkXMLPolyDataReader()
        reader.SetFileName(str(surface.path))
        reader.Update()
        data = reader.GetOutput()
        np.testing.assert_array_equal(surface.points, vtk_to_numpy(data.GetPoints().GetData()))
        polygons = vtk_to_numpy(data.GetPolys().GetConnectivityArray())
        np.testing.assert_array_equal(surface.triangles.ravel(), polygons)
