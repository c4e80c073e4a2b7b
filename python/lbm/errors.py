# SPDX-License-Identifier: Apache-2.0
"""The exceptions of the package. Each is an `lbm.Error` with one line: the cause and the remedy."""

from lbm._lbm import DivergedError, Error, ResourceError, UsageError

__all__ = ["DivergedError", "Error", "MissingFileError", "ResourceError", "UsageError"]


class MissingFileError(UsageError, FileNotFoundError):
    """A file or directory does not exist; also a FileNotFoundError."""
