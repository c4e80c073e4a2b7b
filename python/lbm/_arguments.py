"""Arguments of the wrong type, told in one line."""

from __future__ import annotations

import operator
import os
import typing

from lbm._lbm import UsageError

PathLike = typing.Union[str, "os.PathLike[str]"]


def path_text(value: object, name: str) -> str:
    """A path as text. Raises UsageError for what is none."""
    text = value.__fspath__() if isinstance(value, os.PathLike) else value
    if isinstance(text, str) and text:
        return text
    raise UsageError(f"{name}: found {value!r}, must be a path: a text or a pathlib.Path")


def whole(value: object, name: str) -> int:
    """A number that is whole, whatever its type. Raises UsageError for what is none."""
    if not isinstance(value, bool):
        try:
            return operator.index(typing.cast(typing.SupportsIndex, value))
        except TypeError:
            pass
    raise UsageError(f"{name}: found {value!r}, must be a whole number")


def word(value: object, name: str) -> str:
    """A text. Raises UsageError for what is none."""
    if isinstance(value, str):
        return value
    raise UsageError(f"{name}: found {value!r}, must be a text")
