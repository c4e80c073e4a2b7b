# SPDX-License-Identifier: Apache-2.0
"""Checks of arguments, with errors of one line."""

from __future__ import annotations

import operator
import os
import sys
import typing

from lbm._lbm import Error, ResourceError, UsageError

PathLike = typing.Union[str, "os.PathLike[str]"]


def path_text(value: object, name: str) -> str:
    """A path as text. Raises UsageError for a value that is no path."""
    text = value.__fspath__() if isinstance(value, os.PathLike) else value
    if isinstance(text, str) and text:
        return text
    raise UsageError(f"{name}: found {value!r}, must be a path: a text or a pathlib.Path")


def whole(value: object, name: str) -> int:
    """A whole number of any type. Raises UsageError for other values."""
    if not isinstance(value, bool):
        try:
            return operator.index(typing.cast(typing.SupportsIndex, value))
        except TypeError:
            pass
    raise UsageError(f"{name}: found {value!r}, must be a whole number")


def word(value: object, name: str) -> str:
    """A text. Raises UsageError for other values."""
    if isinstance(value, str):
        return value
    raise UsageError(f"{name}: found {value!r}, must be a text")


def fail(error: Error) -> int:
    """Prints the line of an error as the program does; returns its exit code (docs/cli.md)."""
    print(f"lbm: {error}".replace("overwrite=True", "--overwrite"), file=sys.stderr)
    return 4 if isinstance(error, ResourceError) else 2
