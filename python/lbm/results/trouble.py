"""Errors of files that are missing, damaged, or not of lbm; and of names that are not there."""

from __future__ import annotations

import importlib
from collections.abc import Iterable
from pathlib import Path
from types import ModuleType

from lbm._lbm import Error, UsageError
from lbm.errors import MissingFileError


class MissingNameError(UsageError, KeyError):
    """A name that is not among the results; also a KeyError."""

    def __str__(self) -> str:  # KeyError's would put it into quotes
        return str(self.args[0]) if self.args else ""


def missing(path: Path, remedy: str) -> MissingFileError:
    """The error of a file that is not there."""
    return MissingFileError(f"{path}: there is no such file or directory; {remedy}")


def damaged(path: Path, why: object) -> UsageError:
    """The error of a file that cannot be read. why: its first line is told."""
    line = (str(why).splitlines() or ["unreadable"])[0]
    return UsageError(f"{path}: damaged, or not written by lbm: {line}; restore it or run again")


def no_name(where: object, what: str, name: object, known: Iterable[str]) -> MissingNameError:
    """The error of a name that is not there."""
    names = ", ".join(known) or "none"
    return MissingNameError(f"{where}: there is no {what} {name!r}; there are: {names}")


def need(module: str, package: str, purpose: str) -> ModuleType:
    """An optional module, or an error that says what to install."""
    try:
        return importlib.import_module(module)
    except ImportError as error:
        raise MissingPackageError(f"{purpose} needs {package}: pip install {package}") from error


class MissingPackageError(Error, ImportError):
    """An optional package is not installed; also an ImportError."""
