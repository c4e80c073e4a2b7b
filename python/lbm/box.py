"""Parts of the grid, as users say them."""

from __future__ import annotations

import operator
import typing

from lbm._lbm import UsageError

Range = typing.Union[None, int, slice, typing.Sequence[typing.Optional[int]]]
"""Cells along one axis: None for all, one index, (begin, end) without the end, or a slice."""

Box = typing.Optional[typing.Sequence[Range]]
"""Cells along x, y and z, such as (None, (0, 10), 5); None for the whole grid."""

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
            raise UsageError(f"box: found a slice with a step along {axis}, must be stride= instead")
        value = (value.start, value.stop)
    if isinstance(value, (list, tuple)) or hasattr(value, "__len__"):
        ends = list(typing.cast(typing.Sequence[typing.Optional[int]], value))
        if len(ends) != 2:
            raise UsageError(f"box: found {value!r} along {axis}, {_HOW}")
        begin, end = (None if end is None else _index(end, axis) for end in ends)
        return (
            0 if begin is None else begin + cells if begin < 0 else begin,
            cells if end is None else end + cells if end < 0 else end,
        )
    one = _index(value, axis)
    one += cells if one < 0 else 0
    return one, one + 1


def bounds(box: Box, cells: typing.Sequence[int]) -> Bounds:
    """First cells and ends of a box along x, y, z. Negative ones count from the end of the axis.

    Raises UsageError for what is no box; whether it lies in the grid is not looked at.
    """
    if box is None:
        return [0, 0, 0], list(cells)
    try:
        ranges = list(box)
    except TypeError:
        raise UsageError(f"box: found {box!r}, {_HOW}") from None
    if len(ranges) != 3:
        raise UsageError(f"box: found {len(ranges)} axes, {_HOW}")
    ends = [_range(one, n, axis) for one, n, axis in zip(ranges, cells, "xyz")]
    return [begin for begin, _ in ends], [end for _, end in ends]
