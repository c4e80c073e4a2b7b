# SPDX-License-Identifier: Apache-2.0
"""Figures of `lbm scale` (docs/clusters.md)."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from lbm._lbm import UsageError
from lbm.plot.figure import COLOURS, check_save, finish, new_axes, tidy
from lbm.results.errors import damaged, missing, need

if TYPE_CHECKING:
    from matplotlib.axes import Axes

Row = Mapping[str, Any]


def read_rows(file: str | Path | Mapping[str, Any], key: str, command: str) -> list[Row]:
    """The list under a key of a JSON file, or of its content."""
    if isinstance(file, Mapping):
        content: Any = file
        path = Path(command)
    else:
        path = Path(file)
        try:
            content = json.loads(path.read_text(encoding="utf-8"))
        except FileNotFoundError as error:
            raise missing(path, f"{command} writes it") from error
        except (OSError, ValueError, RecursionError) as error:
            raise damaged(path, error) from error
    rows = content.get(key) if isinstance(content, Mapping) else None
    if not isinstance(rows, list) or not all(isinstance(row, Mapping) for row in rows):
        raise UsageError(f"{path}: no list {key!r} in it; must be what {command} writes")
    return rows


def scaling(
    file: str | Path | Mapping[str, Any],
    kind: str | None = None,
    *,
    quantity: str = "mlups",
    ax: Axes | None = None,
    save: str | Path | None = None,
    overwrite: bool = False,
) -> Axes:
    """Speed over the number of processes: measured as solid, predicted as dashed lines.

    Args:
        file: scale.json, or its content.
        kind: 'weak' or 'strong'; default: both.
        quantity: 'mlups', or 'efficiency': speed per process over that with the fewest processes.
        ax, save, overwrite: as for slice.
    """
    check_save(save, overwrite)
    if kind not in (None, "weak", "strong"):
        raise UsageError(f"kind: found {kind!r}, must be 'weak' or 'strong'")
    if quantity not in ("mlups", "efficiency"):
        raise UsageError(f"quantity: found {quantity!r}, must be 'mlups' or 'efficiency'")
    pandas: Any = need("pandas", "pandas", "lbm.plot.scaling")
    predicted = f"predicted_{quantity}"
    columns = {"scaling", "planes", "processes", "mlups", quantity, predicted}
    rows = pandas.DataFrame(read_rows(file, "runs", "lbm scale")).reindex(columns=[*columns])
    rows = rows[rows["mlups"].notna() & (rows["scaling"].eq(kind) | (kind is None))]
    if rows.empty:
        raise UsageError(f"nothing to draw: no {kind or ''} run in it that came to its end")
    ax = new_axes(ax, save)
    studies = rows.sort_values("processes").groupby(["scaling", "planes"], sort=False)
    for i, ((scale, planes), some) in enumerate(studies):
        weak = scale == "weak"
        label = f"{scale}, {planes} planes{' each' if weak else ''}"
        how: dict[str, Any] = {"color": COLOURS[i % len(COLOURS)]}
        ax.plot("processes", quantity, marker="o" if weak else "s", data=some, label=label, **how)
        known = some.dropna(subset=predicted)
        if len(known):
            ax.plot("processes", predicted, ls="--", data=known, label=f"{label}, model", **how)
    processes = sorted(set(rows["processes"]))
    ax.set_xscale("log", base=2)
    ax.set_xticks(processes, [str(p) for p in processes], minor=False)
    ax.set_xlabel("processes")
    if quantity == "mlups":
        ax.set_yscale("log", base=2)
        ax.yaxis.set_major_formatter(lambda value, _: f"{value:,.4g}")
        ax.set_ylabel("MLUPS")
    else:
        ax.set_ylim(0, 1.08 * ax.get_ylim()[1])
        ax.set_ylabel("speed of a process / that of the fewest")
    ax.legend(fontsize="small")
    tidy(ax)
    return finish(ax, save)
