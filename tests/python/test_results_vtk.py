# SPDX-License-Identifier: Apache-2.0
"""Images and surfaces in VTK's XML files against those of VTKHDF, of the same run."""

import pathlib
import re
import tracemalloc

import h5py
import numpy as np
import pytest

import lbm
from lbm.results import Image, Surface

KEYS = [
    np.s_[:],
    np.s_[3],
    np.s_[..., 1],
    np.s_[2:15:3, ::-1, 10:2:-4],
    np.s_[19, 11, 15],
    np.s_[5:5],
]


def stored(directory: pathlib.Path, array: str) -> np.ndarray:
    """All cells after the last step, as h5py finds them."""
    with h5py.File(directory / "fields_000000040.hdf", "r") as opened:
        return opened["VTKHDF/PointData"][array][:]


@pytest.mark.parametrize("key", KEYS, ids=str)
@pytest.mark.parametrize("name", ["vti", "vtiz"])
def test_images_are_those_of_vtkhdf(sample_vtk: pathlib.Path, name: str, key: object) -> None:
    image = lbm.open(sample_vtk)[name][-1]
    assert image.path.suffix == ".vti"
    for array in ("velocity", "density"):
        expected = stored(sample_vtk, array)
        assert image[array].shape == expected.shape and image[array].dtype == np.float32
        whole = key if array == "velocity" or key != np.s_[..., 1] else np.s_[:, 1]
        np.testing.assert_array_equal(image[array][whole], expected[whole])


def test_geometry_and_attributes_are_those_of_vtkhdf(sample_vtk: pathlib.Path) -> None:
    results = lbm.open(sample_vtk)
    for name, other in (("vti", "packed"), ("vtiz", "packed"), ("mid_vti", "mid")):
        image, expected = results[name][-1], results[other][-1]
        assert image.shape == expected.shape
        for axis in "xyz":
            np.testing.assert_allclose(image.centres(axis), expected.centres(axis), rtol=1e-9)
        assert image.attrs == expected.attrs
        np.testing.assert_array_equal(image.velocity, expected.velocity)
    np.testing.assert_array_equal(results["vtiz"][-1].solid, results["packed"][-1].solid)
    assert results["mid_vti"].steps.tolist() == [10, 20, 30, 40]
    np.testing.assert_array_equal(results["mid_vti"].times, results["mid"].times)


def pieces(sample_vtk: pathlib.Path, directory: pathlib.Path) -> pathlib.Path:
    """A .pvti file of two pieces that share plane 8: outputs of a run with other extents."""
    for number, (name, planes) in enumerate((("low", "0 8"), ("high", "8 19"))):
        data = (sample_vtk / f"{name}_000000040.vti").read_bytes()
        at = data.index(b"<AppendedData")
        extent = b'Extent="0 15 0 11 %s"' % planes.encode()
        head = re.sub(rb'Extent="0 15 0 11 \d+ \d+"', extent, data[:at])
        assert head != data[:at] or name == "low"
        (directory / f"f_000000040_p000{number}.vti").write_bytes(head + data[at:])
    listed = "".join(
        f'<Piece Extent="0 15 0 11 {planes}" Source="f_000000040_p000{number}.vti"/>'
        for number, planes in enumerate(("0 8", "8 19"))
    )
    path = directory / "f_000000040.pvti"
    path.write_text(
        '<?xml version="1.0"?><VTKFile type="PImageData" version="1.0" header_type="UInt64">'
        '<PImageData WholeExtent="0 15 0 11 0 19" GhostLevel="0" Origin="0.03125 0.03125 0.03125" '
        f'Spacing="0.0625 0.0625 0.0625"><PPointData/>{listed}</PImageData></VTKFile>'
    )
    return path


def test_pieces_are_one_image(sample_vtk: pathlib.Path, tmp_path: pathlib.Path) -> None:
    image = Image(pieces(sample_vtk, tmp_path))
    expected = stored(sample_vtk, "velocity")
    assert image.shape == (20, 12, 16) and image.step == 40
    for key in (*KEYS, np.s_[7:10], np.s_[8], np.s_[::3, 2], np.s_[9:]):
        np.testing.assert_array_equal(image.velocity[key], expected[key])
    assert list(lbm.open(tmp_path)["f"].steps) == [40], "the pieces are no images of the series"
    (tmp_path / "f_000000040_p0001.vti").unlink()
    with pytest.raises(FileNotFoundError, match="_p0001"):
        Image(image.path).velocity


def test_of_packed_files_only_some_blocks_are_unpacked(tmp_path: pathlib.Path) -> None:
    import zlib

    planes, block = 512, 1 << 18  # 256 x 256 floats are a block
    packed = [zlib.compress(np.full(block // 4, z, "<f4").tobytes()) for z in range(planes)]
    table = np.array([planes, block, 0, *map(len, packed)], "<u8").tobytes()
    (tmp_path / "a.vti").write_bytes(
        b'<VTKFile type="ImageData" header_type="UInt64" compressor="vtkZLibDataCompressor">'
        b'<ImageData WholeExtent="0 255 0 255 0 511" Origin="0 0 0" Spacing="1 1 1">'
        b'<Piece Extent="0 255 0 255 0 511"><PointData><DataArray type="Float32" Name="a" '
        b'format="appended" offset="0"/></PointData></Piece></ImageData>'
        b'<AppendedData encoding="raw">\n   _'
        + b"".join([table, *packed, b"</AppendedData></VTKFile>"])
    )
    tracemalloc.start()
    try:
        part = Image(tmp_path / "a.vti").a[400:403, 7, ::2]
        assert tracemalloc.get_traced_memory()[1] < 8 * block
        column = Image(tmp_path / "a.vti").a[::-2, 7, 5]
        assert tracemalloc.get_traced_memory()[1] < planes * block / 2
    finally:
        tracemalloc.stop()
    np.testing.assert_array_equal(column, np.arange(511, 0, -2))
    np.testing.assert_array_equal(part, np.repeat([[400], [401], [402]], 128, axis=1))


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


@pytest.mark.parametrize(
    "name", ["vti_000000040.vti", "vtiz_000000040.vti", "surfacez_000000040.vtp"]
)
@pytest.mark.parametrize("share", [0, 0.01, 0.2, 0.6])
def test_damaged_files_are_one_line(
    sample_vtk: pathlib.Path, tmp_path: pathlib.Path, name: str, share: float
) -> None:
    data = (sample_vtk / name).read_bytes()
    path = tmp_path / name
    path.write_bytes(data[: int(share * len(data))])
    with pytest.raises(lbm.UsageError) as error:
        if path.suffix == ".vtp":
            Surface(path).triangles
        else:
            np.asarray(Image(path).solid)
    assert str(path) in str(error.value) and "\n" not in str(error.value)


HEADER = (
    '<VTKFile type="ImageData" header_type="UInt64"{compressor}>'
    '<ImageData WholeExtent="0 {n} 0 {n} 0 {n}" Origin="0 0 0" Spacing="1 1 1">'
    '<Piece Extent="0 {n} 0 {n} 0 {n}"><PointData><DataArray type="Float32" Name="a" '
    'format="appended" offset="0"/></PointData></Piece></ImageData>'
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
    path = tmp_path / "a_000000001.vti"
    for n in (9, 9999):
        header = HEADER.format(compressor=compressor, n=n).encode()
        path.write_bytes(header + np.array(words, "<u8").tobytes() + b"12345678")
        tracemalloc.start()
        try:
            with pytest.raises(lbm.UsageError) as error:
                np.asarray(Image(path).a)
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
    for name in ("vti", "vtiz", "mid_vti"):
        image = results[name][-1]
        reader = vtk.vtkXMLImageDataReader()
        reader.SetFileName(str(image.path))
        reader.Update()
        found = vtk_to_numpy(reader.GetOutput().GetPointData().GetArray("velocity"))
        np.testing.assert_array_equal(np.asarray(image.velocity).reshape(-1, 3), found)
    for name in ("surface", "surfacez"):
        surface = results[name][-1]
        reader = vtk.vtkXMLPolyDataReader()
        reader.SetFileName(str(surface.path))
        reader.Update()
        data = reader.GetOutput()
        np.testing.assert_array_equal(surface.points, vtk_to_numpy(data.GetPoints().GetData()))
        polygons = vtk_to_numpy(data.GetPolys().GetConnectivityArray())
        np.testing.assert_array_equal(surface.triangles.ravel(), polygons)
