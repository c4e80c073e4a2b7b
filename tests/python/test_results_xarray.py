# SPDX-License-Identifier: Apache-2.0
"""Results as xarray: what is in them, and that nothing is read before it is used."""

import pathlib
import pickle
import sys

import numpy as np
import pytest

import lbm

xarray = pytest.importorskip("xarray")


def test_an_image_as_dataset(sample: pathlib.Path) -> None:
    image = lbm.open(sample).fields[-1]
    dataset = image.to_xarray()
    assert dataset.velocity.dims == ("z", "y", "x", "component")
    assert dict(dataset.sizes) == {"z": 20, "y": 12, "x": 16, "component": 3}
    np.testing.assert_array_equal(dataset.velocity.values, np.asarray(image.velocity))
    np.testing.assert_array_equal(dataset.x.values, image.x)
    assert dataset.x.attrs["units"] == "L" and float(dataset.time) == image.time
    assert dataset.attrs["reynolds"] == 20
    near = dataset.velocity.sel(component="z").sel(x=0.52, y=0.4, z=1.01, method="nearest")
    assert float(near) == image.velocity[16, 6, 8, 2]


def test_a_series_as_dataset(sample: pathlib.Path) -> None:
    series = lbm.open(sample)["mean"]
    dataset = series.to_xarray()
    assert dataset.reynolds_stress.dims == ("time", "z", "y", "x", "tensor")
    assert dataset.time.values.tolist() == series.times.tolist()
    assert dataset.step.values.tolist() == [20, 40]
    part = dataset.reynolds_stress.sel(tensor="xz").isel(time=1, y=slice(None, None, -3))
    expected = np.asarray(series[1].reynolds_stress)[:, ::-3, :, 5]
    np.testing.assert_array_equal(part.values, expected)
    picked = dataset.mean_density.isel(time=[1, 0], x=[3, 5])
    both = np.stack([series[1].mean_density, series[0].mean_density])[..., [3, 5]]
    np.testing.assert_array_equal(picked.values, both)


def test_slices_have_one_layer(sample: pathlib.Path) -> None:
    dataset = lbm.open(sample)["mid"].to_xarray()
    assert dict(dataset.sizes) == {"time": 4, "z": 20, "y": 1, "x": 16, "component": 3}
    assert lbm.open(sample)["lattice"].to_xarray().y.attrs["units"] == "cells"


def test_a_dataset_reads_only_what_is_used(
    sample: pathlib.Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from lbm.results import vtkhdf

    boxes = []
    read = vtkhdf._Stored.read

    def watched(self: vtkhdf._Stored, box: tuple[slice, ...]) -> np.ndarray:
        boxes.append((self.path.name, self.name, box))
        return read(self, box)

    monkeypatch.setattr(vtkhdf._Stored, "read", watched)
    dataset = lbm.open(sample).fields.to_xarray()
    part = dataset.velocity.isel(time=1, z=5).sel(component="y").mean(dim="x")
    assert boxes == [] or part.shape == (12,)
    part.load()
    whole = slice(0, 12, 1), slice(0, 16, 1)
    assert boxes == [
        ("fields_000000040.hdf", "velocity", (slice(5, 6, 1), *whole, slice(1, 2, 1)))
    ]


def test_building_a_dataset_reads_nothing(
    sample: pathlib.Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from lbm.results import vtkhdf

    def refused(*_: object) -> np.ndarray:
        raise AssertionError("read")

    results = lbm.open(sample)
    monkeypatch.setattr(vtkhdf._Stored, "read", refused)
    dataset = results.fields.to_xarray()
    assert dataset.isel(time=0, z=slice(2, 5)).velocity.shape == (3, 12, 16, 3)
    assert "velocity" in repr(dataset)
    with pytest.raises(AssertionError, match="read"):
        dataset.density.isel(time=0).load()


def test_datasets_can_be_sent_to_other_processes(sample: pathlib.Path) -> None:
    dataset = lbm.open(sample).fields.to_xarray()
    again = pickle.loads(pickle.dumps(dataset))
    np.testing.assert_array_equal(again.density.values, dataset.density.values)


def test_times_of_other_shapes_are_refused(sample: pathlib.Path, tmp_path: pathlib.Path) -> None:
    (tmp_path / "f_000000020.hdf").write_bytes((sample / "fields_000000020.hdf").read_bytes())
    (tmp_path / "f_000000040.hdf").write_bytes((sample / "mid_000000040.hdf").read_bytes())
    velocity = lbm.open(tmp_path)["f"].array("velocity")
    assert velocity[0, 3, 4, 5, 0] == lbm.open(sample).fields[0].velocity[3, 4, 5, 0]
    with pytest.raises(lbm.UsageError, match="f_000000040.hdf.*shape"):
        velocity[1]


def test_without_xarray_it_says_what_to_install(
    sample: pathlib.Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "xarray", None)
    monkeypatch.delitem(sys.modules, "lbm.results.xarrays", raising=False)
    series = lbm.open(sample).fields
    for wrong in (series.to_xarray, series[0].to_xarray):
        with pytest.raises(ImportError, match="pip install xarray") as error:
            wrong()
        assert isinstance(error.value, lbm.Error)
