"""What all formats of images have in common."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, TypeVar

from lbm.results.lazy import LazyArray

Triple = tuple[float, float, float]
N = TypeVar("N", int, float)


def triple(values: Sequence[N]) -> tuple[N, N, N]:
    """Three values along x, y, z. Throws ValueError for more or fewer."""
    x, y, z = values
    return x, y, z


@dataclass(frozen=True)
class ImageHeader:
    """An image before any of its values is read.

    counts: cells along x, y, z. origin: centre of the first cell; spacing: between centres; both
    in the units of the file. attrs: `time`, `step` and the texts and numbers of the file.
    """

    counts: tuple[int, int, int]
    origin: Triple
    spacing: Triple
    attrs: dict[str, Any] = field(default_factory=dict)
    arrays: dict[str, LazyArray] = field(default_factory=dict)


def length_and_time_units(attrs: dict[str, Any]) -> tuple[str, str]:
    """Units of coordinates and times, from the text that the files have."""
    text = str(attrs.get("units", ""))
    if text.startswith("SI"):
        return "m", "s"
    if text.startswith("lattice"):
        return "cells", "steps"
    return "L", "L/U"
