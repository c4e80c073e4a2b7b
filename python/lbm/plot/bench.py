# SPDX-License-Identifier: Apache-2.0
"""Figures of `lbm bench` (docs/bench.md)."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from lbm._lbm import UsageError
from lbm.plot.figure import COLOURS, check_save, finish, new_axes, tidy
from lbm.plot.scaling import Row, read_rows

if TYPE_CHECKING:
    from matplotlib.axes import Axes

STORAGES = ("fp16", "fp32", "fp64")


def _of(rows: list[Row], *groups: str) -> list[Row]:
    """The measured rows of these groups."""
    return [row for row in rows if row["group"] in groups and "mlups" in row]


def _steps_rows(rows: list[Row]) -> list[Row]:
    out = [row for row in _of(rows, "out_of_core", "halo") if row["scheme"] != "in_core"]
    return [row for row in out if row.get("share_of_in_core")]


def _curve_of(row: Row) -> tuple[str, str, bool]:
    return row["storage"], row["scheme"], bool(row["auto"])


def _draw_steps(ax: Axes, rows: list[Row]) -> None:
    """Speed out of core as a share of that in core, over the steps per visit."""
    for curve in dict.fromkeys(_curve_of(row) for row in rows):
        storage, scheme, auto = curve
        some = [r for r in rows if _curve_of(r) == curve]
        colour = COLOURS[STORAGES.index(storage)]
        label = f"{storage} {scheme}" + (", k and B by the program" if auto else "")
        points = sorted((r["k"], 100 * r["share_of_in_core"]) for r in some)
        line = "" if auto else "-" if scheme == "wavefront" else ":"
        marker = "*" if auto else "o"
        ax.plot(*zip(*points), color=colour, linestyle=line, marker=marker, label=label)
        predicted = sorted(
            (r["k"], 100 * r["share_of_in_core"] * r["predicted_mlups"] / r["mlups"])
            for r in some
            if r.get("predicted_mlups")
        )
        if predicted:
            how: dict[str, Any] = {"linestyle": "", "marker": "_", "markersize": 12}
            ax.plot(*zip(*predicted), color=colour, label=f"_{label}, model", **how)
    ax.plot([], [], color="black", linestyle="", marker="_", label="predicted by the model")
    ax.axhline(100, color="black", linewidth=0.8)
    ax.set_xscale("log", base=2)
    ax.xaxis.set_major_formatter(lambda value, _: f"{value:g}")
    ax.set_xlabel("k, steps a visit")
    ax.set_ylabel("% of in core, the same grid")


def _draw_size(ax: Axes, rows: list[Row]) -> None:
    """Speed over the size of the grid, for each limit of device memory."""
    for i, limit in enumerate(sorted({row["device_limit"] for row in rows})):
        colour = COLOURS[i % len(COLOURS)]
        for where, fill in (("in core", "full"), ("out of core", "none")):
            inside = where == "in core"
            points = sorted(
                (r["cell_count"], r["mlups"])
                for r in rows
                if r["device_limit"] == limit and (r["scheme"] == "in_core") == inside
            )
            if points:
                label = f"{where}, {1e-9 * limit:.3g} GB of device memory"
                ax.plot(*zip(*points), color=colour, marker="o", fillstyle=fill, label=label)
    ax.set_xscale("log")
    ax.set_xlabel("cells")
    ax.set_ylabel("MLUPS")


def _draw_in_core(ax: Axes, rows: list[Row]) -> None:
    """Speed in core over the size of the grid."""
    for storage in STORAGES:
        for box in dict.fromkeys(row["box"] for row in rows):
            some = [r for r in rows if (r["storage"], r["box"]) == (storage, box)]
            points = sorted((r["cell_count"], r["mlups"]) for r in some)
            marker = {"cavity": "o", "periodic": "s"}.get(box, "^")
            colour = COLOURS[STORAGES.index(storage)]
            label = f"{storage} {box}"
            if points:
                ax.plot(*zip(*points), color=colour, linestyle="", marker=marker, label=label)
    ax.set_xscale("log")
    ax.set_xlabel("cells")
    ax.set_ylabel("MLUPS")


def _draw_threads(ax: Axes, rows: list[Row]) -> None:
    """Speed over the number of threads."""
    curves = dict.fromkeys((row["storage"], row["k"] > 1) for row in rows)
    for i, (storage, many) in enumerate(curves):
        some = [r for r in rows if (r["storage"], r["k"] > 1) == (storage, many)]
        points = sorted((r["threads"], r["mlups"]) for r in some)
        label = f"{storage}, {'many steps' if many else 'one step'} a visit"
        ax.plot(*zip(*points), color=COLOURS[i % len(COLOURS)], marker="o", label=label)
    ax.set_xticks(sorted({row["threads"] for row in rows}))
    ax.set_xlabel("threads")
    ax.set_ylabel("MLUPS")


# The figures in the order of interest: their rows, and the function that draws them.
FIGURES: dict[str, tuple[Callable[[list[Row]], list[Row]], Callable[[Any, list[Row]], None]]] = {
    "steps": (_steps_rows, _draw_steps),
    "size": (lambda rows: _of(rows, "size"), _draw_size),
    "in_core": (lambda rows: _of(rows, "in_core"), _draw_in_core),
    "threads": (lambda rows: _of(rows, "threads"), _draw_threads),
}


def bench(
    file: str | Path | Mapping[str, Any],
    what: str | None = None,
    *,
    ax: Axes | None = None,
    save: str | Path | None = None,
    overwrite: bool = False,
) -> Axes:
    """A figure of the speeds that `lbm bench` has measured.

    Args:
        file: the file of `lbm bench --json`, or its content.
        what: 'steps': speed out of core over the steps per visit, in % of that in core; 'size':
            speed over the size of the grid, within and beyond the memory of the device; 'in_core':
            speed in core over the size of the grid; 'threads': speed of a CPU over its threads.
            Default: the first of these that was measured.
        ax, save, overwrite: as for slice.
    """
    check_save(save, overwrite)
    rows = read_rows(file, "rows", "lbm bench --json")
    there = [name for name, (some, _) in FIGURES.items() if some(rows)]
    if what is not None and what not in FIGURES:
        raise UsageError(f"what: found {what!r}, must be one of {', '.join(FIGURES)}")
    if not there or (what is not None and what not in there):
        known = ", ".join(there) or "none"
        raise UsageError(f"what: {what or 'nothing'} was not measured; there are: {known}")
    some, draw = FIGURES[what or there[0]]
    ax = new_axes(ax, save)
    draw(ax, some(rows))
    ax.set_ylim(0, 1.08 * max(ax.get_ylim()[1], 1e-9))
    ax.legend(fontsize="small")
    tidy(ax)
    return finish(ax, save)
