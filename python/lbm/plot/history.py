"""Figures over time: forces, probes, the monitor."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from lbm._lbm import UsageError
from lbm.plot.fields import with_unit
from lbm.plot.figure import check_save, finish, new_axes, tidy
from lbm.results.table import Table

if TYPE_CHECKING:
    from matplotlib.axes import Axes

# Columns, label, and position of the unit in the comment of the file; 0: no unit.
FORCES = {
    "force": (("fx", "fy", "fz"), "force", 1),
    "torque": (("tx", "ty", "tz"), "torque", 2),
    "coefficient": (("cx", "cy", "cz"), "force coefficient", 0),
    "torque_coefficient": (("ctx", "cty", "ctz"), "torque coefficient", 0),
}


def _units(table: Table) -> list[str]:
    """Units of a table of forces or of a probe, the time first; empty for other tables."""
    comment = table.comments[1] if len(table.comments) > 1 else ""
    units = comment.partition(";")[0].split(", ")
    return units if units[0] in ("convective times", "s") else []


def history(
    table: Table,
    columns: str | Sequence[str],
    *,
    ax: Axes | None = None,
    save: str | Path | None = None,
    overwrite: bool = False,
    **how: Any,
) -> Axes:
    """Columns of a table over time: `history(results.monitor, "kinetic_energy")`.

    Args:
        table: a table with a column `time`: forces, a probe, the monitor.
        columns: names of the columns.
        ax, save, overwrite: as for slice.
        how: arguments for matplotlib's plot.
    """
    check_save(save, overwrite)
    names = [columns] if isinstance(columns, str) else list(columns)
    curves = [(name, table["time"], table[name]) for name in names]
    ax = new_axes(ax, save)
    for name, times, values in curves:
        ax.plot(times, values, **{"label": name, **how})
    unit = "".join(_units(table)[:1]).replace("convective times", "L/U")
    ax.set_xlabel(with_unit("time", unit))
    ax.legend()
    tidy(ax)
    return finish(ax, save)


def forces(
    table: Table,
    quantity: str = "coefficient",
    *,
    components: str = "xyz",
    ax: Axes | None = None,
    save: str | Path | None = None,
    overwrite: bool = False,
    **how: Any,
) -> Axes:
    """Force on a body over time: `forces(results.forces["ball"])`.

    Args:
        table: one of results.forces.
        quantity: 'force', 'torque', 'coefficient' or 'torque_coefficient'.
        components: some of 'xyz'.
        ax, save, overwrite: as for slice.
        how: arguments for matplotlib's plot.
    """
    if quantity not in FORCES:
        raise UsageError(f"quantity: found {quantity!r}, must be one of {', '.join(FORCES)}")
    if not components or not set(components) <= set("xyz"):
        raise UsageError(f"components: found {components!r}, must be some of 'xyz'")
    check_save(save, overwrite)
    columns, label, at = FORCES[quantity]
    names = [columns["xyz".index(c)] for c in components]
    ax = history(table, names, ax=new_axes(ax, save), **how)
    units = _units(table)
    ax.set_ylabel(with_unit(label, units[at] if 0 < at < len(units) else ""))
    return finish(ax, save)
