#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Draws what `lbm bench --json FILE` measured.

    bench_figures.py FILE.json [--out DIR]     writes DIR/bench_*.png; what was not measured is left out
    bench_figures.py FILE.json --name h100     writes bench_*_h100.png
    bench_figures.py FILE.json --check         draws nothing, checks that the file can be true

Prints the best speeds in core and out of core. Only drawing needs matplotlib.
"""

import argparse
import json
import os
import sys

GROUPS = ["copy", "link", "in_core", "threads", "out_of_core", "halo", "size"]
COLOURS = {"fp16": "#5aa469", "fp32": "#3b6fb6", "fp64": "#d9822b"}
BYTES = {"fp16": 2, "fp32": 4, "fp64": 8}
VALUES = 19
MOMENTS = 10
# D3Q19 BGK cavity on a Grace Hopper: reported in 2025 (docs/bench.md).
REPORTED = [("in core", 1.1e9, 21027), ("out of core", 5.8e9, 14570)]


def fail(what):
    sys.exit(f"bench_figures: {what}")


def read_bench(path):
    try:
        with open(path, encoding="utf-8") as file:
            bench = json.load(file)
        if not isinstance(bench["rows"], list) or "device" not in bench["machine"]:
            fail(f"{path}: not what lbm bench writes")
    except (OSError, ValueError, KeyError, TypeError) as error:
        fail(f"{path}: not what lbm bench writes: {error!r}")
    return bench


def holds_moments(row):
    """Files of before 23 November 2026 have populations only."""
    return row.get("representation") == "moments"


def rows_of(bench, *groups, moments=False):
    """The rows of lattices that were measured: of populations, or of moments."""
    return [r for r in bench["rows"]
            if r["group"] in groups and "mlups" in r and holds_moments(r) == moments]


def update_bytes(row):
    """Read and written per cell update."""
    values = 27 if row["box"] == "cumulant" else MOMENTS if holds_moments(row) else VALUES
    return 2 * values * BYTES[row["storage"]]


def in_core(row):
    return row["scheme"] == "in_core"


# --- check ------------------------------------------------------------------------------------


def near(a, b):
    return abs(a - b) <= 1e-6 * max(abs(a), abs(b))


def check_row(row, bench):
    name = f"{row['group']}: {row['name']}"
    cells = row["cells"][0] * row["cells"][1] * row["cells"][2]
    if cells != row["cell_count"]:
        fail(f"{name}: {row['cells']} are not {row['cell_count']} cells")
    if "skipped" in row:
        if not row["skipped"] or "mlups" in row:
            fail(f"{name}: skipped for no reason, or with results")
        return
    if row["steps"] < 1 or row["seconds"] <= 0:
        fail(f"{name}: {row['steps']} steps in {row['seconds']} s")
    if not near(row["mlups"], 1e-6 * cells * row["steps"] / row["seconds"]):
        fail(f"{name}: {row['mlups']} MLUPS are not cells x steps / seconds")
    if not near(row["gb_per_s"], 1e-3 * row["mlups"] * update_bytes(row)):
        fail(f"{name}: {row['gb_per_s']} GB/s are not MLUPS x bytes")
    if row["device_bytes"] > row["device_limit"]:
        fail(f"{name}: more device memory than allowed")
    if row["host_bytes"] > bench["machine"]["host_bytes_allowed"]:
        fail(f"{name}: more host memory than allowed")
    if in_core(row) and row["device_bytes"] < cells * update_bytes(row) / 2:
        fail(f"{name}: in core, and less device memory than the lattice")
    if not in_core(row) and row["host_bytes"] < cells * update_bytes(row) / 2:
        fail(f"{name}: out of core, and less host memory than the lattice")


def check(bench):
    for key in ("version", "commit", "started", "complete", "quick", "speeds"):
        if key not in bench:
            fail(f"no {key}")
    if bench["complete"] == ("stopped" in bench):
        fail("complete, and stopped")
    for row in bench["rows"]:
        if row["group"] not in GROUPS:
            fail(f"no such group: {row['group']}")
        if row["group"] in ("copy", "link"):
            if (row.get("gb_per_s", 0) > 0) == ("skipped" in row):
                fail(f"{row['name']}: neither measured nor skipped")
        else:
            check_row(row, bench)


def print_best(bench):
    print(f"{bench['machine']['device']}, lbm {bench['version']} ({bench['commit']})")
    for what, wanted, moments in (("in core", True, False), ("out of core", False, False),
                                  ("in core", True, True), ("out of core", False, True)):
        rows = [r for r in rows_of(bench, *GROUPS, moments=moments) if in_core(r) == wanted]
        for storage in BYTES:
            best = max((r for r in rows if r["storage"] == storage),
                       key=lambda r: r["mlups"], default=None)
            if best:
                share = best.get("share_of_in_core")
                more = f", {100 * share:.1f} % of in core" if share else ""
                stored = f"{storage} moments" if moments else storage
                print(f"  {what:11} {stored}: {best['mlups']:.0f} MLUPS "
                      f"({' x '.join(map(str, best['cells']))}{more})")


# --- draw -------------------------------------------------------------------------------------


def curve(axes, x, y, **how):
    pairs = sorted(zip(x, y))
    axes.plot([a for a, _ in pairs], [b for _, b in pairs], **how)


def plain_numbers(axis):
    axis.set_major_formatter(lambda value, _: f"{value:g}")
    axis.set_minor_formatter(lambda value, _: f"{value:g}")


def tidy(axes):
    axes.grid(alpha=0.3)
    for side in ("top", "right"):
        axes.spines[side].set_visible(False)


def device_roof(axes, bench):
    copy = bench["speeds"]["copy"]
    if copy > 0:
        roof = [30, 400]
        axes.plot(roof, [1e-6 * copy / b for b in roof], color="black",
                  label=f"copy on the device, {1e-9 * copy:.0f} GB/s")
    for box, marker in (("cavity", "o"), ("periodic", "s"), ("sphere", "^")):
        rows = [r for r in rows_of(bench, "in_core") if r["box"] == box]
        if rows:
            axes.scatter([update_bytes(r) for r in rows], [r["mlups"] for r in rows],
                         marker=marker, c=[COLOURS[r["storage"]] for r in rows], zorder=3)
            axes.scatter([], [], marker=marker, color="black", label=f"in core, {box}")
    rows = rows_of(bench, "in_core", moments=True)
    if rows:
        axes.scatter([update_bytes(r) for r in rows], [r["mlups"] for r in rows], marker="D",
                     facecolors="none", edgecolors=[COLOURS[r["storage"]] for r in rows], zorder=3)
        axes.scatter([], [], marker="D", facecolors="none", edgecolors="black",
                     label="in core, ten moments a cell")
    for storage, colour in COLOURS.items():
        if any(r["storage"] == storage for r in rows_of(bench, "in_core")):
            axes.plot([], [], color=colour, linewidth=5, label=storage)
    axes.set_xlabel("bytes read and written per cell update: fp16 76, fp32 152, fp64 304; moments: 40, 80, 160")
    axes.set_title("device memory", loc="left", fontsize=10)


def link_roof(axes, bench):
    speeds = bench["speeds"]
    steps = [4, 256]
    for storage in ("fp16", "fp32"):
        rows = [r for r in rows_of(bench, "out_of_core", "halo") if r["storage"] == storage]
        ceiling = max((r["mlups"] for r in rows if in_core(r)), default=None)
        way = VALUES * BYTES[storage]
        link = min(speeds["link_in_both"], speeds["link_out_both"])
        if ceiling and link > 0:
            reached = [min(1e-6 * link * k / way, ceiling) for k in range(*steps)]
            axes.plot(range(*steps), reached, color=COLOURS[storage],
                      label=f"{storage}: ceilings of link and device")
        for scheme, marker in (("wavefront", "o"), ("halo", "x")):
            points = [r for r in rows if r["scheme"] == scheme]
            if points:
                axes.scatter([r["k"] for r in points], [r["mlups"] for r in points],
                             marker=marker, color=COLOURS[storage], label=f"{storage} {scheme}",
                             zorder=3)
    axes.set_xlabel("k, steps for which a plane crosses the link once each way")
    axes.set_title("link", loc="left", fontsize=10)


def draw_roofline(bench, plt):
    panels = [d for d, groups in ((device_roof, ["in_core"]), (link_roof, ["out_of_core"]))
              if rows_of(bench, *groups)]
    if not panels:
        return None
    figure, axes = plt.subplots(1, len(panels), figsize=(5.5 * len(panels), 4.4), squeeze=False,
                                layout="constrained")
    for draw, panel in zip(panels, axes[0]):
        draw(panel, bench)
        panel.set_xscale("log", base=2)
        panel.set_yscale("log")
        plain_numbers(panel.xaxis)
        plain_numbers(panel.yaxis)
        panel.set_ylabel("MLUPS")
        panel.legend(fontsize=8)
        tidy(panel)
    return figure


def draw_steps(bench, plt):
    rows = [r for r in rows_of(bench, "out_of_core", "halo")
            if not in_core(r) and r["share_of_in_core"]]
    if not rows:
        return None
    figure, axes = plt.subplots(figsize=(7, 4.4), layout="constrained")
    for storage in BYTES:
        for scheme, line in (("wavefront", "-"), ("halo", ":")):
            some = [r for r in rows if r["storage"] == storage and r["scheme"] == scheme]
            fixed = [r for r in some if not r["auto"]]
            chosen = [r for r in some if r["auto"]]
            if fixed:
                curve(axes, [r["k"] for r in fixed],
                      [100 * r["share_of_in_core"] for r in fixed], color=COLOURS[storage],
                      linestyle=line, marker="o", label=f"{storage} {scheme}")
            if chosen:
                axes.scatter([r["k"] for r in chosen],
                             [100 * r["share_of_in_core"] for r in chosen], marker="*", s=110,
                             color=COLOURS[storage], zorder=3,
                             label=f"{storage} {scheme}, k and B by the model")
            predicted = [r for r in some if r["predicted_mlups"]]
            if predicted:
                axes.scatter([r["k"] for r in predicted],
                             [100 * r["share_of_in_core"] * r["predicted_mlups"] / r["mlups"]
                              for r in predicted], marker="_", s=160, color=COLOURS[storage],
                             zorder=2)
    axes.scatter([], [], marker="_", s=160, color="black", label="predicted by the model")
    axes.axhline(100, color="black", linewidth=0.8)
    axes.set_xscale("log", base=2)
    plain_numbers(axes.xaxis)
    axes.set_ylim(0)
    axes.set_xlabel("k, steps a visit")
    axes.set_ylabel("% of in core, the same grid")
    axes.legend(fontsize=8)
    tidy(axes)
    return figure


def draw_sizes(bench, plt):
    rows = rows_of(bench, "size")
    if not rows:
        return None
    figure, axes = plt.subplots(figsize=(7, 4.4), layout="constrained")
    limits = sorted({r["device_limit"] for r in rows})
    for limit, colour in zip(limits, ("#d9822b", "#3b6fb6", "#5aa469")):
        some = [r for r in rows if r["device_limit"] == limit]
        curve(axes, [r["cell_count"] for r in some], [r["mlups"] for r in some], color=colour,
              linewidth=1, label=f"{1e-9 * limit:.3g} GB of device memory")
        for filled in (True, False):
            points = [r for r in some if in_core(r) == filled]
            axes.scatter([r["cell_count"] for r in points], [r["mlups"] for r in points],
                         edgecolors=colour, facecolors=colour if filled else "white", zorder=3)
        axes.axvline(limit / (VALUES * BYTES["fp32"]), color=colour, linestyle="--", linewidth=1)
    axes.scatter([], [], color="black", label="in core")
    axes.scatter([], [], edgecolors="black", facecolors="white", label="out of core")
    axes.set_xscale("log")
    axes.set_ylim(0, 1.15 * max(r["mlups"] for r in rows))
    axes.set_xlabel("cells (fp32; dashed: as many as the device's memory has room for)")
    axes.set_ylabel("MLUPS")
    axes.legend(fontsize=8, loc="lower left")
    tidy(axes)
    return figure


def draw_reported(bench, plt):
    """Size and speed beside those reported on a Grace Hopper."""
    rows = [r for r in rows_of(bench, "in_core", "out_of_core", "size") if r["storage"] == "fp32"
            and r["box"] == "cavity"]
    inside = [r for r in rows if in_core(r)]
    outside = [r for r in rows if not in_core(r)]
    if not inside or not outside:
        return None
    largest = [max(some, key=lambda r: (r["cell_count"], r["mlups"])) for some in (inside, outside)]
    bars = [(f"{what},\nreported", cells, mlups, "#b8b8b8") for what, cells, mlups in REPORTED]
    bars += [(f"{what},\nhere,\nwith {1e-9 * r['device_limit']:.3g} GB", r["cell_count"],
              r["mlups"], COLOURS["fp32"]) for what, r in zip(("in core", "out of core"), largest)]
    figure, axes = plt.subplots(1, 2, figsize=(10, 4.2), layout="constrained")
    for panel, index, scale, unit, text in (
            (axes[0], 1, 1e-9, "billion cells", "{:.2f}"), (axes[1], 2, 1, "MLUPS", "{:,.0f}")):
        values = [b[index] * scale for b in bars]
        panel.bar([b[0] for b in bars], values, color=[b[3] for b in bars])
        for at, value in enumerate(values):
            panel.text(at, value, text.format(value), ha="center", va="bottom", fontsize=9)
        panel.set_ylabel(unit)
        panel.tick_params(labelsize=8)
        tidy(panel)
    return figure


def draw(bench, out, name):
    import matplotlib
    matplotlib.use("Agg")
    import matplotlib.pyplot as plt
    os.makedirs(out, exist_ok=True)
    for what, make in (("roofline", draw_roofline), ("steps", draw_steps), ("size", draw_sizes),
                       ("reported", draw_reported)):
        file = f"bench_{what}_{name}.png" if name else f"bench_{what}.png"
        figure = make(bench, plt)
        if figure is None:
            print(f"  {file}: not drawn, nothing of it was measured")
            continue
        figure.suptitle(f"{bench['machine']['device']}, lbm {bench['commit']}", fontsize=10)
        path = os.path.join(out, file)
        figure.savefig(path, dpi=110)
        plt.close(figure)
        print(f"  {path}")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("file", help="what `lbm bench --json` wrote")
    parser.add_argument("--out", default=".", help="folder for the PNGs (default: here)")
    parser.add_argument("--name", default="", help="ends the names of the PNGs, such as h100")
    parser.add_argument("--check", action="store_true", help="check, draw nothing")
    options = parser.parse_args()
    bench = read_bench(options.file)
    check(bench)
    print_best(bench)
    if not options.check:
        draw(bench, options.out, options.name)


if __name__ == "__main__":
    main()
