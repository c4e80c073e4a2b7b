# SPDX-License-Identifier: Apache-2.0
"""Writes complete files, and replaces none unasked."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from typing import BinaryIO

from lbm._lbm import Error, ResourceError, UsageError


def refuse_existing(path: Path, overwrite: bool) -> None:
    """Raises UsageError where the file exists, unless it may be replaced."""
    if path.exists() and not overwrite:
        raise UsageError(f"{path}: is already there; overwrite=True replaces it")


def write_atomically(
    path: Path,
    content: str | bytes | Callable[[BinaryIO], object],
    failure: type[Error] = ResourceError,
) -> None:
    """Writes the whole file or nothing. Raises `failure` where it cannot be written.

    content: a function writes it into the open file.
    """
    partial = path.with_name(f"{path.name}.{os.getpid()}.partial")
    try:
        with partial.open("wb") as file:
            if callable(content):
                content(file)
            else:
                file.write(content.encode() if isinstance(content, str) else content)
        partial.replace(path)
    except OSError as error:
        partial.unlink(missing_ok=True)
        raise failure(f"{path}: cannot be written: {error.strerror}") from None
