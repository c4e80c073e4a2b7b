# SPDX-License-Identifier: Apache-2.0
"""Colours of values: which range they show, and which colours."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from lbm.results.errors import need
from lbm.results.lazy import Array

BODY = (154, 161, 168)
SIGNED = ("velocity_x", "velocity_y", "velocity_z", "vorticity")
_FEW = 0.05  # of the range on the other side of 0, below which only one side counts
_COLOURS = 33  # of the colour bar


def of_both_signs(values: Any) -> bool:
    """True if values lie on both sides of 0: then the colour of 0 should be in the middle.

    values: a masked array; masked ones do not count.
    """
    some = values.compressed()
    if not len(some):
        return False
    low, high = float(some.min()), float(some.max())
    return low < -_FEW * high and high > -_FEW * low


def own_range(values: Any, signed: bool) -> tuple[float, float]:
    """The range of the colours that fits values: few extreme ones do not count."""
    some = values.compressed()
    if not len(some):
        return 0.0, 1.0
    low, high = (float(v) for v in np.quantile(some, [0.002, 0.998]))
    if signed:
        high = max(abs(low), abs(high))
        low = -high
    elif low >= 0 and low < 0.5 * high:
        low = 0.0
    return (low, high) if high > low else (low - 0.5, high + 0.5)


def steady_range(
    own: tuple[float, float], low: float | None, high: float | None
) -> tuple[float, float]:
    """The range to draw: that of the picture before, while it fits, so that films do not flicker.

    It fits where it has all of the wanted range, and this takes half of it at least. A new range
    has round ends.
    """
    wide = own[1] - own[0]
    if low is not None and high is not None and low <= own[0] and own[1] <= high:
        if high - low <= 2 * wide * 1.3:
            return low, high
    unit = 10.0 ** math.floor(math.log10(wide)) / 5 if math.isfinite(wide) and wide > 0 else 1.0
    return math.floor(own[0] / unit) * unit, math.ceil(own[1] / unit) * unit


def shades(signed: bool, count: int) -> Array:
    """Colours from the lowest to the highest value, [count, 3], 0 to 255."""
    colormaps = need("matplotlib", "matplotlib", "lbm watch").colormaps
    colours = colormaps["coolwarm" if signed else "viridis"]
    return (np.asarray(colours(np.linspace(0, 1, count)))[:, :3] * 255).astype(np.uint8)


def bar(signed: bool) -> list[str]:
    """The same for a colour bar on the page: `#rrggbb`."""
    return ["#%02x%02x%02x" % tuple(int(v) for v in one) for one in shades(signed, _COLOURS)]


def numbers_of_shades(values: Array, ends: tuple[float, float], missing: Array) -> Array:
    """Values as numbers of 255 shades, uint8; 255 where they are missing."""
    shares = np.clip((values - ends[0]) * (254 / (ends[1] - ends[0])), 0, 254)
    return np.where(missing, 255, np.nan_to_num(shares)).astype(np.uint8)
