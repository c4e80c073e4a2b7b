# SPDX-License-Identifier: Apache-2.0
"""Arrays in and out of a simulation: its initial flow, and the fields that it reads."""

from __future__ import annotations

import json
import typing

import numpy

from lbm import _lbm
from lbm._arguments import whole, word
from lbm._lbm import UsageError
from lbm.box import Bounds, Box, Range, bounds, refuse_outside
from lbm.report import Record

if typing.TYPE_CHECKING:
    import pyvista  # type: ignore[import-not-found,unused-ignore]
    import xarray

    from lbm.results.header import ImageHeader

Floats = numpy.ndarray[typing.Any, numpy.dtype[numpy.float32]]

InitialArrays = typing.Mapping[str, typing.Any]

_COMPONENTS = {"velocity": 3, "pressure": 1, "density": 1}


class FieldReads:
    """Reads fields of the flow at the current step."""

    _core: _lbm.Simulation
    _cells: tuple[int, ...]

    def field(
        self,
        name: str,
        box: Box = None,
        stride: int = 1,
        *,
        units: str | None = None,
        **cells: Range,
    ) -> Floats:
        """A field at this step: `simulation.field("vorticity", x=slice(0, 10), y=24)`.

        name: density, pressure, velocity (3 components), vorticity (3), q_criterion, strain_rate
            (6: xx, yy, zz, xy, yz, xz), wall_shear_stress (3), solid_fraction, solid, or a scalar of the case.
        x, y, z: cells along an axis: an index, a slice, (begin, end) without the end; None: all.
            Negative numbers count from the end of the axis.
        box: the same for all three axes at once, such as (slice(0, 10), 24, None).
        stride: take every stride-th cell along each axis.
        units: "reference" (U, L, ...), "lattice" or "physical"; default as in the files of a named
            output: physical with `units: si`, else reference.

        Returns: a float32 array (nz, ny, nx) of the selected cells, with the components as a last
        axis. All axes stay: y=24 gives (nz, 1, nx). Only these cells are computed and copied; the
        values are those of an output file.
        Raises: UsageError for an unknown name or unit, for a box that is empty or leaves the grid,
        and when the simulation is closed, has diverged, or is at work in another thread.
        """
        begin, end = bounds(self._cells, box, **cells)
        in_units = "" if units is None else word(units, "units")
        return self._core.read(word(name, "name"), begin, end, whole(stride, "stride"), in_units)

    def velocity(
        self, box: Box = None, stride: int = 1, *, units: str | None = None, **cells: Range
    ) -> Floats:
        """The velocity at this step: field("velocity", ...), in U, cells per step, or m/s.

        Returns: a float32 array (nz, ny, nx, 3) of the selected cells; y=24 gives (nz, 1, nx, 3).
        Raises: UsageError, as field().
        """
        return self.field("velocity", box, stride, units=units, **cells)

    def density(
        self, box: Box = None, stride: int = 1, *, units: str | None = None, **cells: Range
    ) -> Floats:
        """The density at this step: field("density", ...), over the initial one, or in kg/m^3.

        Returns: a float32 array (nz, ny, nx) of the selected cells.
        Raises: UsageError, as field().
        """
        return self.field("density", box, stride, units=units, **cells)

    def pressure(
        self, box: Box = None, stride: int = 1, *, units: str | None = None, **cells: Range
    ) -> Floats:
        """The pressure at this step, relative to that at the reference density, as field() has it.

        Returns: a float32 array (nz, ny, nx) of the selected cells.
        Raises: UsageError, as field().
        """
        return self.field("pressure", box, stride, units=units, **cells)

    def planes(
        self,
        name: str,
        box: Box = None,
        stride: int = 1,
        *,
        units: str | None = None,
        **cells: Range,
    ) -> typing.Iterator[Floats]:
        """The planes of field() one by one along z, for grids larger than the memory of the host.

        Yields: float32 arrays (ny, nx), with the components as a last axis.
        Raises: UsageError, as field().
        """
        (x0, y0, z0), (x1, y1, z1) = wanted = bounds(self._cells, box, **cells)
        refuse_outside(wanted, self._cells)
        for k in range(z0, z1, max(1, whole(stride, "stride"))):
            yield self.field(name, ((x0, x1), (y0, y1), (k, k + 1)), stride, units=units)[0]

    def to_xarray(
        self,
        *names: str,
        box: Box = None,
        stride: int = 1,
        units: str | None = None,
        **cells: Range,
    ) -> xarray.Dataset:
        """Fields at this step with coordinates and units: `simulation.to_xarray("pressure", y=24)`.

        names: of the fields, as for field(); default: density, velocity and all scalars.
        x, y, z, box, stride, units: as for field(); coordinates and time are in the same units.

        Returns: an xarray.Dataset in memory with dims z, y, x and component or tensor, as that of
        an image of the run. For grids larger than the memory of the host: x, y, z, or planes().
        Raises: UsageError, as field(); MissingPackageError where xarray is not installed.
        """
        from lbm.results.xarrays import image_dataset

        header = self._header(names or self._written(), bounds(self._cells, box, **cells), stride, units)
        return image_dataset(header, header.attrs["time"]).load()

    def to_pyvista(
        self,
        *names: str,
        box: Box = None,
        stride: int = 1,
        units: str | None = None,
        **cells: Range,
    ) -> pyvista.ImageData:
        """Fields at this step as a mesh: `simulation.to_pyvista("velocity", y=24).plot()`.

        Returns: a pyvista.ImageData whose points are the cell centres, as that of an image of the
        run; point_data has the fields, [points] or [points, component].
        Raises: UsageError, as field(); MissingPackageError where PyVista is not installed.
        """
        from lbm.results.meshes import image_vtk, mesh

        header = self._header(names or self._written(), bounds(self._cells, box, **cells), stride, units)
        made: pyvista.ImageData = mesh(lambda: image_vtk(header), header.attrs)
        return made

    def _written(self) -> tuple[str, ...]:
        """The fields in the files of `output`."""
        return ("density", "velocity", *self._core.scalars())

    def _header(
        self, names: typing.Iterable[str], cells: Bounds, stride: int, units: str | None
    ) -> ImageHeader:
        """The fields of some cells, in memory, with their coordinates."""
        from lbm.results.header import computed_header

        refuse_outside(cells, self._cells)
        pairs = tuple(zip(*cells))
        fields = {n: self.field(n, pairs, stride, units=units) for n in names}
        return computed_header(
            Record(json.loads(self._core.report())),
            self._core.step(),
            units,
            cells,
            whole(stride, "stride"),
            fields,
        )


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
