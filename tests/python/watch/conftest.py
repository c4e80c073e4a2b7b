# SPDX-License-Identifier: Apache-2.0
"""Fixtures of the tests of the live page; all are skipped where its packages are not installed."""

import pathlib
import shutil

import pytest

for package in ("starlette", "uvicorn", "plotly", "psutil", "jinja2", "skimage"):
    pytest.importorskip(package)


@pytest.fixture
def run(sample: pathlib.Path, tmp_path: pathlib.Path) -> pathlib.Path:
    """A copy of the sample, to be changed."""
    return pathlib.Path(shutil.copytree(sample, tmp_path / "root" / "run"))


@pytest.fixture
def root(tmp_path: pathlib.Path) -> pathlib.Path:
    """An empty folder for runs."""
    (tmp_path / "runs").mkdir()
    return tmp_path / "runs"
