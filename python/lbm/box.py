# SPDX-License-Identifier: Apache-2.0
"""Boxes of cells: by axis, `x=slice(0, 10), y=24`, or as one tuple, `(slice(0, 10), 24, None)`."""

from __future__ import annotations

import operator
import typing

from lbm._lbm import UsageError

Range = typing.Union[None, int, slice, typing.Sequence[typing.Optional[int]]]
"""Cells along one axis: None for all, an index, (begin, end) without the end, or a slice."""

Box = typing.Optional[typing.Sequence[Range]]
"""Cells along x, y and z, such as (None, (0, 10), 5); None for all cells."""

Bounds = tuple[list[int], list[int]]

_HOW = "must be None, a cell, (begin, end) or a slice for each of x, y and z"


def _index(value: object, axis: str) -> int:
    try:
        return operator.index(typing.cast(typing.SupportsIndex, value))
    except TypeError:
        raise UsageError(f"box: found {value!r} along {axis}, {_HOW}") from None


def _range(value: Range, cells: int, axis: str) -> tuple[int, int]:
    if value is None:
        return 0, cells
    if isinstance(value, slice):
        if value.step not in (None, 1):
            raise UsageError(
                f"box: found a slice with a step along {axis}, must be stride= instead"
            )
        value = (value.start, value.stop)
    if not hasattr(value, "__len__"):
        one = _index(value, axis)
        one += cells if one < 0 else 0
        return one, one + 1
    ends = list(typing.cast(typing.Sequence[typing.Optional[int]], value))
    if len(ends) != 2:
        raise UsageError(f"box: found {value!r} along {axis}, {_HOW}")
    begin, end = (n if e is None else _index(e, axis) for e, n in zip(ends, (0, cells)))
    return begin + cells if begin < 0 else begin, end + cells if end < 0 else end


def _ranges(box: Box, named: tuple[Range, Range, Range]) -> list[Range]:
    """Cells along x, y, z, from the box or from the named axes."""
    if box is None:
        return list(named)
    if any(one is not None for one in named):
        axes = ", ".join(f"{axis}=" for axis, one in zip("xyz", named) if one is not None)
        raise UsageError(f"box: found box= and {axes}, must be one way or the other")
    try:
        ranges = list(box)
    except TypeError:
        raise UsageError(f"box: found {box!r}, {_HOW}") from None
    if len(ranges) != 3:
        raise UsageError(f"box: found {len(ranges)} axes, {_HOW}")
    return ranges


def bounds(
    cells: typing.Sequence[int], box: Box = None, x: Range = None, y: Range = None, z: Range = None
) -> Bounds:
    """First cells and ends of a box along x, y, z. Negative numbers count from the end of the axis.

    cells: cells of the grid along x, y, z.
    Raises UsageError for an invalid box; refuse_outside() compares it with the grid.
    """
    ranges = _ranges(box, (x, y, z))
    ends = [_range(one, n, axis) for one, n, axis in zip(ranges, cells, "xyz")]
    return [begin for begin, _ in ends], [end for _, end in ends]


def refuse_outside(box: Bounds, cells: typing.Sequence[int]) -> None:
    """Raises UsageError for an empty box, and for one that leaves the grid."""
    for axis, begin, end, n in zip("xyz", *box, cells):
        if not 0 <= begin < end <= n:
            raise UsageError(
                f"box: found cells {begin} to {end} along {axis}, must be a part of 0 to {n}"
            )
