"""Quantities over time: forces, probes, the monitor."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from lbm._lbm import UsageError
from lbm.plot.figure import check_save, finish, new_axes, tidy
from lbm.results.table import Table

if TYPE_CHECKING:
    from matplotlib.axes import Axes

FORCES = {
    "force": ("fx", "fy", "fz"),
    "torque": ("tx", "ty", "tz"),
    "coefficient": ("cx", "cy", "cz"),
    "torque_coefficient": ("ctx", "cty", "ctz"),
}


def history(
    table: Table,
    columns: str | Sequence[str],
    *,
    ax: Axes | None = None,
    save: str | Path | None = None,
    overwrite: bool = False,
    **how: Any,
) -> Axes:
    """Columns of a table against its time: `history(results.monitor, "kinetic_energy")`.

    Args:
        table: with a column `time`: forces, a probe, the monitor.
        columns: their names.
        ax, save, overwrite: as for slice.
        how: for matplotlib's plot.
    """
    check_save(save, overwrite)
    names = [columns] if isinstance(columns, str) else list(columns)
    curves = [(name, table["time"], table[name]) for name in names]
    ax = new_axes(ax, save)
    for name, times, values in curves:
        ax.plot(times, values, **{"label": name, **how})
    ax.set_xlabel("time")
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
        table: of results.forces.
        quantity: 'force', 'torque', 'coefficient' or 'torque_coefficient'.
        components: some of 'xyz'.
        ax, save, overwrite: as for slice.
        how: for matplotlib's plot.
    """
    if quantity not in FORCES:
        raise UsageError(f"quantity: found {quantity!r}, must be one of {', '.join(FORCES)}")
    if not components or not set(components) <= set("xyz"):
        raise UsageError(f"components: found {components!r}, must be some of 'xyz'")
    names = [FORCES[quantity]["xyz".index(c)] for c in components]
    return history(table, names, ax=ax, save=save, overwrite=overwrite, **how)
