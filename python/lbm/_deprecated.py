# SPDX-License-Identifier: Apache-2.0
"""Modules under their old names, for one version."""

import warnings


def renamed(old: str, new: str) -> None:
    """Warns the importer of a module under its old name."""
    text = f"{old} is now {new}; the old name goes in the next version"
    warnings.warn(text, DeprecationWarning, stacklevel=3)
