# SPDX-License-Identifier: Apache-2.0
"""Figures of `lbm bench` (docs/bench.md)."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from lbm._lbm import UsageError
from lbm.plot.figure import COLOURS, check_save, finish, new_axes, tidy
from lbm.plot.scaling import read_rows
from lbm.results.errors import need

if TYPE_CHECKING:
    from matplotlib.axes import Axes

STORAGES = ("fp16", "fp32", "fp64")
MARKERS = {"cavity": "o", "periodic": "s"}


def _of(rows: Any, *groups: str) -> Any:
    """The measured rows of these groups, a DataFrame."""
    return rows[rows["group"].isin(groups) & rows["mlups"].notna()]


def _curves(rows: Any, *keys: str) -> Any:
    """Rows of equal keys with their values, in the order of the file."""
    return rows.groupby(list(keys), sort=False)


def _steps_rows(rows: Any) -> Any:
    out = _of(rows, "out_of_core", "halo")
    return out[(out["scheme"] != "in_core") & (out["share_of_in_core"] > 0)]


def _draw_steps(ax: Axes, rows: Any) -> None:
    """Speed out of core as a share of that in core, over the steps per visit."""
    for (storage, scheme, auto), some in _curves(rows, "storage", "scheme", "auto"):
        some = some.sort_values(["k", "share_of_in_core"])
        share, colour = 100 * some["share_of_in_core"], COLOURS[STORAGES.index(storage)]
        label = f"{storage} {scheme}" + (", k and B by the program" if auto else "")
        line = "" if auto else "-" if scheme == "wavefront" else ":"
        ax.plot(some["k"], share, color=colour, ls=line, marker="*" if auto else "o", label=label)
        predicted = share * some["predicted_mlups"] / some["mlups"]
        if predicted.notna().any():
            how: dict[str, Any] = {"ls": "", "marker": "_", "markersize": 12}
            ax.plot(some["k"], predicted, color=colour, label=f"_{label}, model", **how)
    ax.plot([], [], color="black", ls="", marker="_", label="predicted by the model")
    ax.axhline(100, color="black", linewidth=0.8)
    ax.set_xscale("log", base=2)
    ax.xaxis.set_major_formatter(lambda value, _: f"{value:g}")
    ax.set(xlabel="k, steps a visit", ylabel="% of in core, the same grid")


def _draw_size(ax: Axes, rows: Any) -> None:
    """Speed over the size of the grid, for each limit of device memory."""
    for i, (limit, same) in enumerate(rows.groupby("device_limit")):
        for out, some in same.sort_values("cell_count").groupby(same["scheme"] != "in_core"):
            label = f"{'out of' if out else 'in'} core, {1e-9 * limit:.3g} GB of device memory"
            how: dict[str, Any] = {"fillstyle": "none" if out else "full", "label": label}
            colour = COLOURS[i % len(COLOURS)]
            ax.plot(some["cell_count"], some["mlups"], color=colour, marker="o", **how)
    ax.set_xscale("log")
    ax.set(xlabel="cells", ylabel="MLUPS")


def _draw_in_core(ax: Axes, rows: Any) -> None:
    """Speed in core over the size of the grid."""
    for (storage, box), some in rows.sort_values("cell_count").groupby(["storage", "box"]):
        colour, marker = COLOURS[STORAGES.index(storage)], MARKERS.get(box, "^")
        how: dict[str, Any] = {"ls": "", "marker": marker, "label": f"{storage} {box}"}
        ax.plot(some["cell_count"], some["mlups"], color=colour, **how)
    ax.set_xscale("log")
    ax.set(xlabel="cells", ylabel="MLUPS")


def _draw_threads(ax: Axes, rows: Any) -> None:
    """Speed over the number of threads."""
    rows = rows.sort_values("threads").assign(many=rows["k"] > 1)
    for i, ((storage, many), some) in enumerate(_curves(rows, "storage", "many")):
        label = f"{storage}, {'many steps' if many else 'one step'} a visit"
        colour = COLOURS[i % len(COLOURS)]
        ax.plot(some["threads"], some["mlups"], color=colour, marker="o", label=label)
    ax.set_xticks(sorted(set(rows["threads"])))
    ax.set(xlabel="threads", ylabel="MLUPS")


# The figures in the order of interest: their rows, and the function that draws them.
FIGURES: dict[str, tuple[Callable[[Any], Any], Callable[[Any, Any], None]]] = {
    "steps": (_steps_rows, _draw_steps),
    "size": (lambda rows: _of(rows, "size"), _draw_size),
    "in_core": (lambda rows: _of(rows, "in_core"), _draw_in_core),
    "threads": (lambda rows: _of(rows, "threads"), _draw_threads),
}
_NUMBERS = ("mlups", "predicted_mlups", "share_of_in_core", "scheme", "k")


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
    pandas: Any = need("pandas", "pandas", "lbm.plot.bench")
    rows = pandas.DataFrame(read_rows(file, "rows", "lbm bench --json"))
    rows = rows.reindex(columns=[*dict.fromkeys([*rows.columns, "group", *_NUMBERS])])
    there = [name for name, (some, _) in FIGURES.items() if len(some(rows))]
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
