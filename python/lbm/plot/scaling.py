# SPDX-License-Identifier: Apache-2.0
"""Figures of `lbm scale` (docs/clusters.md)."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from lbm._lbm import UsageError
from lbm.plot.figure import COLOURS, check_save, finish, new_axes, tidy
from lbm.results.errors import damaged, missing

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
    rows = [row for row in read_rows(file, "runs", "lbm scale") if "mlups" in row]
    rows = [row for row in rows if kind in (None, row["scaling"])]
    if not rows:
        raise UsageError(f"nothing to draw: no {kind or ''} run in it that came to its end")
    ax = new_axes(ax, save)
    studies = list(dict.fromkeys((row["scaling"], row["planes"]) for row in rows))
    for i, study in enumerate(studies):
        some = [row for row in rows if (row["scaling"], row["planes"]) == study]
        _draw(ax, some, quantity, COLOURS[i % len(COLOURS)])
    _label(ax, rows, quantity)
    return finish(ax, save)


def _draw(ax: Axes, rows: list[Row], quantity: str, colour: str) -> None:
    weak = rows[0]["scaling"] == "weak"
    label = f"{rows[0]['scaling']}, {rows[0]['planes']} planes{' each' if weak else ''}"
    for key, marker, line, called in (
        (quantity, "o" if weak else "s", "-", label),
        (f"predicted_{quantity}", "", "--", f"{label}, model"),
    ):
        points = sorted((r["processes"], r[key]) for r in rows if r.get(key) is not None)
        if points:
            ax.plot(*zip(*points), color=colour, marker=marker, linestyle=line, label=called)


def _label(ax: Axes, rows: list[Row], quantity: str) -> None:
    processes = sorted({row["processes"] for row in rows})
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
