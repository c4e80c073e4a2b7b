# SPDX-License-Identifier: Apache-2.0
"""The engine of `xarray.open_dataset(path, engine="lbm")`, an entry point of the package."""

from __future__ import annotations

import os
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import xarray
from xarray.backends import BackendEntrypoint

from lbm._arguments import path_text
from lbm.results.image import READERS, Image
from lbm.results.index import INDEX_ENDINGS
from lbm.results.series import Series


class LbmBackendEntrypoint(BackendEntrypoint):
    """Opens an image (.hdf), or a series of them by its index (.hdf.series)."""

    description = "Open images of lbm (.hdf) and their series (.hdf.series)"
    open_dataset_parameters = ("filename_or_obj", "drop_variables")

    def open_dataset(
        self, filename_or_obj: Any, *, drop_variables: str | Iterable[str] | None = None
    ) -> xarray.Dataset:
        """The dataset of Image.to_xarray() or Series.to_xarray(); values are read on use.

        Raises UsageError for any other file, MissingFileError for one that does not exist.
        """
        path = Path(path_text(filename_or_obj, "path"))
        dataset = _dataset(path)
        names = [drop_variables] if isinstance(drop_variables, str) else list(drop_variables or ())
        return dataset.drop_vars(names, errors="ignore")

    def guess_can_open(self, filename_or_obj: Any) -> bool:
        """True if the name is like that of a file of lbm."""
        try:
            name = os.fspath(filename_or_obj)
        except TypeError:
            return False
        return isinstance(name, str) and name.endswith((".hdf", ".vtkhdf", ".hdf.series"))


def _dataset(path: Path) -> xarray.Dataset:
    for ending in INDEX_ENDINGS:
        if path.name.endswith(ending) and path.suffix not in READERS:
            return Series[Any](path.parent, path.name.removesuffix(ending)).to_xarray()
    return Image(path).to_xarray()
