"""Exceptions of the Python side; those of the engine are in lbm._lbm."""

from lbm._lbm import UsageError


class MissingFileError(UsageError, FileNotFoundError):
    """A file or directory that is not there; also a FileNotFoundError."""
