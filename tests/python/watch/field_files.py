# SPDX-License-Identifier: Apache-2.0
"""Files of fields, without a run."""

import pathlib
import typing

import h5py
import numpy as np


def write(path: pathlib.Path, shape: tuple[int, int, int], **arrays: typing.Any) -> None:
    """A field file of [z, y, x] cells of the width 1/nx, and run.log beside it."""
    nz, ny, nx = shape
    (path.parent / "run.log").touch()
    with h5py.File(path, "w") as file:
        root = file.create_group("VTKHDF")
        root.attrs.update(Version=[1, 0], Type=np.bytes_("ImageData"), Direction=np.eye(3).ravel())
        root.attrs.update(WholeExtent=[0, nx - 1, 0, ny - 1, 0, nz - 1], Origin=[0.5 / nx] * 3)
        root.attrs.update(Spacing=[1 / nx] * 3, time=2.5, step=7, units="reference length")
        root.attrs.update(reference_length_cells=float(nx), reference_velocity_cells_per_step=0.1)
        data = root.create_group("PointData")
        for name, values in arrays.items():
            data[name] = values


def write_sparse(path: pathlib.Path, cells: int) -> None:
    """A velocity of cells^3, of which the disk stores one plane, z = 0.7, where it is 2."""
    write(path, (cells, cells, cells))
    with h5py.File(path, "r+") as file:
        shape = (cells, cells, cells, 3)
        data = file.create_dataset("VTKHDF/PointData/velocity", shape, "f4", fill_time="never")
        data[cells * 7 // 10] = np.full(shape[1:], 2.0, "f4")
