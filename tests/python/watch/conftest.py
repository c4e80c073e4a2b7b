# SPDX-License-Identifier: Apache-2.0
"""Fixtures of the tests of the live page."""

import pathlib
import shutil
import typing

import pytest
from chromium import Browser


@pytest.fixture
def run(sample: pathlib.Path, tmp_path: pathlib.Path) -> pathlib.Path:
    """A copy of the sample, to be changed."""
    return pathlib.Path(shutil.copytree(sample, tmp_path / "root" / "run"))


@pytest.fixture
def browser(tmp_path: pathlib.Path) -> typing.Iterator[Browser]:
    """A page of a browser."""
    with Browser(tmp_path) as one:
        yield one


@pytest.fixture
def root(tmp_path: pathlib.Path) -> pathlib.Path:
    """An empty folder for runs."""
    (tmp_path / "runs").mkdir()
    return tmp_path / "runs"
