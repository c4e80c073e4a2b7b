# SPDX-License-Identifier: Apache-2.0
"""Fields of a simulation as arrays: the part of lbm.Simulation that reads them."""

from __future__ import annotations

import json
import typing

import numpy

from lbm import _lbm
from lbm._arguments import whole, word
from lbm.box import Bounds, Box, Range, bounds, refuse_outside
from lbm.report import Record

if typing.TYPE_CHECKING:
    import pyvista  # type: ignore[import-not-found,unused-ignore]
    import xarray

    from lbm.results.header import ImageHeader

Floats = numpy.ndarray[typing.Any, numpy.dtype[numpy.float32]]

_FIELDS = ("density", "velocity")  # of to_xarray() by default, as in the files of `output`


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
            (6: xx, yy, zz, xy, yz, xz), wall_shear_stress (3), solid.
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

        names: of the fields, as for field(); default: density and velocity.
        x, y, z, box, stride, units: as for field(); coordinates and time are in the same units.

        Returns: an xarray.Dataset in memory with dims z, y, x and component or tensor, as that of
        an image of the run. For grids larger than the memory of the host: x, y, z, or planes().
        Raises: UsageError, as field(); MissingPackageError where xarray is not installed.
        """
        from lbm.results.xarrays import image_dataset

        header = self._header(names or _FIELDS, bounds(self._cells, box, **cells), stride, units)
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
        from lbm.results.meshes import image_mesh

        header = self._header(names or _FIELDS, bounds(self._cells, box, **cells), stride, units)
        return image_mesh(header, header.attrs["time"])

    def _header(
        self, names: typing.Iterable[str], cells: Bounds, stride: int, units: str | None
    ) -> ImageHeader:
        """The fields of some cells, in memory, with their coordinates."""
        from lbm.arrays.field_units import field_header

        refuse_outside(cells, self._cells)
        pairs = tuple(zip(*cells))
        fields = {n: self.field(n, pairs, stride, units=units) for n in names}
        return field_header(
            Record(json.loads(self._core.report())),
            self._core.step(),
            units,
            cells,
            whole(stride, "stride"),
            fields,
        )
