# SPDX-License-Identifier: Apache-2.0
"""Errors about the files of a run: missing, damaged, or without the name that was asked for."""

from __future__ import annotations

import importlib
from collections.abc import Iterable
from pathlib import Path
from types import ModuleType

from lbm._lbm import Error, UsageError
from lbm.errors import MissingFileError


class MissingNameError(UsageError, KeyError):
    """The results have nothing of that name; also a KeyError."""

    def __str__(self) -> str:  # KeyError puts its message into quotes
        return str(self.args[0]) if self.args else ""


class MissingPackageError(Error, ImportError):
    """An optional package is not installed; also an ImportError."""


def missing(path: Path, remedy: str) -> MissingFileError:
    """The error for a file that does not exist."""
    return MissingFileError(f"{path}: there is no such file or directory; {remedy}")


def damaged(path: Path, why: object) -> UsageError:
    """The error for a file that cannot be read. The message has the first line of `why`."""
    line = (str(why).splitlines() or ["unreadable"])[0]
    return UsageError(f"{path}: damaged, or not written by lbm: {line}; restore it or run again")


def no_name(where: object, what: str, name: object, known: Iterable[str]) -> MissingNameError:
    """The error for a name that does not exist; the message lists the names that do."""
    names = ", ".join(known) or "none"
    return MissingNameError(f"{where}: there is no {what} {name!r}; there are: {names}")


def need(module: str, package: str, purpose: str) -> ModuleType:
    """Imports an optional module. Raises MissingPackageError, which says what to install."""
    try:
        return importlib.import_module(module)
    except ImportError as error:
        raise MissingPackageError(f"{purpose} needs {package}: pip install {package}") from error
