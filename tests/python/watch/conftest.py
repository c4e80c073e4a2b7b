# SPDX-License-Identifier: Apache-2.0
"""Fixtures of the tests of the live page."""

import pathlib
import shutil

import pytest


@pytest.fixture
def run(sample: pathlib.Path, tmp_path: pathlib.Path) -> pathlib.Path:
    """A copy of the sample, to be changed."""
    return pathlib.Path(shutil.copytree(sample, tmp_path / "root" / "run"))
