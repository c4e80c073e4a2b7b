"""The exceptions of the package. All are `lbm.Error`, with one line that says cause and remedy."""

from lbm._lbm import DivergedError, Error, ResourceError, UsageError

__all__ = ["DivergedError", "Error", "MissingFileError", "ResourceError", "UsageError"]


class MissingFileError(UsageError, FileNotFoundError):
    """A file or directory that is not there; also a FileNotFoundError."""
