# SPDX-License-Identifier: Apache-2.0
"""Figures over time: forces, probes, the monitor."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from lbm._lbm import UsageError
from lbm.plot.figure import check_save, finish, new_axes, tidy
from lbm.plot.labels import column_label, labelled
from lbm.results.table import Table

if TYPE_CHECKING:
    from matplotlib.axes import Axes

# Names of columns without the axis.
FORCES = {"force": "f", "torque": "t", "coefficient": "c", "torque_coefficient": "ct"}


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
        columns: names of the columns. The vertical axis has their quantity and its unit; where the
            columns have different ones, the legend has the units.
        ax, save, overwrite: as for slice.
        how: arguments for matplotlib's plot.
    """
    check_save(save, overwrite)
    names = [columns] if isinstance(columns, str) else list(columns)
    curves = [(name, table["time"], table[name]) for name in names]
    ax = new_axes(ax, save)
    kinds = [column_label(table, name) for name in names]
    alike = len(set(kinds)) == 1
    for (name, times, values), (_, unit) in zip(curves, kinds):
        ax.plot(times, values, **{"label": name if alike else labelled(name, unit), **how})
    ax.set_xlabel(labelled(*column_label(table, "time")))
    if alike:
        ax.set_ylabel(labelled(*kinds[0]))
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
    names = [FORCES[quantity] + component for component in components]
    return finish(history(table, names, ax=new_axes(ax, save), **how), save)
