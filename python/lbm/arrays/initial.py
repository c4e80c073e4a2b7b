# SPDX-License-Identifier: Apache-2.0
"""The initial flow of a simulation as arrays."""

from __future__ import annotations

import typing

import numpy

from lbm._lbm import UsageError

InitialArrays = typing.Mapping[str, typing.Any]

_COMPONENTS = {"velocity": 3, "pressure": 1, "density": 1}


def initial_arrays(
    initial: InitialArrays | None, cells: typing.Sequence[int]
) -> dict[str, numpy.ndarray[typing.Any, typing.Any]]:
    """The arrays as the core reads them: float32 or float64, in the order of C.

    cells: nx, ny, nz of the grid. Arrays of that kind are taken as they are, others are copied.
    Raises UsageError for unknown names, other shapes, and values that are no real numbers.
    """
    if initial is None:
        return {}
    if not isinstance(initial, typing.Mapping):
        raise UsageError(
            f"initial: found {type(initial).__name__}, must be a dict: "
            '{"velocity": array, "pressure": array}'
        )
    for name in initial:
        if name not in _COMPONENTS:
            raise UsageError(f"initial: found {name!r}, must be velocity, pressure or density")
    if "velocity" not in initial:
        raise UsageError("initial: missing: velocity, an array (nz, ny, nx, 3)")
    nx, ny, nz = cells
    return {
        name: _array(f'initial["{name}"]', values, (nz, ny, nx), _COMPONENTS[name])
        for name, values in initial.items()
    }


def _array(
    name: str, values: typing.Any, cells: tuple[int, int, int], components: int
) -> numpy.ndarray[typing.Any, typing.Any]:
    found = numpy.asarray(values)
    if found.dtype.kind not in "fiu":
        raise UsageError(f"{name}: found dtype {found.dtype}, must be float32 or float64")
    shape = cells if components == 1 else (*cells, components)
    if found.shape != shape:
        axes = "(nz, ny, nx)" if components == 1 else f"(nz, ny, nx, {components})"
        raise UsageError(f"{name}: found an array {found.shape}, must be {axes}, here {shape}")
    single = found.dtype.kind == "f" and found.dtype.itemsize <= 4
    return numpy.ascontiguousarray(found, dtype=numpy.float32 if single else numpy.float64)
