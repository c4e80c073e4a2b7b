#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Draws schedules for docs/out_of_core.md from what the planners really make.

    plan_figure.py --dump build/tests/schedule_dump            writes the PNGs beside this script
    plan_figure.py --dump build/tests/schedule_dump --check    draws nothing, checks what it would draw

The plans come from the program tests/tiling/schedule/schedule_dump.cpp. Only drawing needs matplotlib.
"""

import argparse
import json
import os
import subprocess
import sys
from collections import Counter

HERE = os.path.dirname(os.path.abspath(__file__))
SWEEP_COLOURS = [("#3b6fb6", "#7ea6d9"), ("#d9822b", "#efb87f")]  # odd and even visits
STEPS = [1, 2, 4, 8, 16, 32, 64]
COST_PLANES = 512


def plan(dump, scheme, nz, k, B, periodic, sweeps):
    """The promise of a schedule and its visits, as schedule_dump prints them."""
    command = [dump, scheme, *map(str, (nz, k, B, int(periodic), sweeps))]
    text = subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True).stdout
    header, *visits = map(json.loads, text.splitlines())
    return header, visits


def updates(header, visits):
    """(visit, sweep, level, plane) of every plane update, in order."""
    for visit in visits:
        for u in visit["updates"]:
            for i in range(u["count"]):
                plane = (u["first_plane"] + i) % header["nz"]
                yield visit["visit"], u["sweep"], u["level"], plane


def transfers(visits, kind):
    """(visit, sweep, plane) of every load or store, in order."""
    for visit in visits:
        for t in visit[kind]:
            yield visit["visit"], t["sweep"], t["plane"]


# --- check ------------------------------------------------------------------------------------


def expect(condition, what, header):
    if not condition:
        sys.exit(f"plan_figure: {what}: {header}")


def check_moves(header, visits):
    """Every sweep loads and stores every plane once."""
    wanted = {(s, z) for s in range(header["sweeps"]) for z in range(header["nz"])}
    for kind in ("loads", "stores"):
        moved = Counter((sweep, plane) for _, sweep, plane in transfers(visits, kind))
        expect(set(moved) == wanted, f"{kind} of planes are missing", header)
        expect(max(moved.values()) == 1, f"{kind} are repeated", header)
    expect(visits[-1]["slots_used"] <= header["slots"], "more slots than promised", header)
    expect(sum(v["completed"] for v in visits) == header["sweeps"], "sweeps do not end", header)


def computed(header, visits):
    """How often each (sweep, level, plane) is computed; all of them must be."""
    counts = Counter(update[1:] for update in updates(header, visits))
    for sweep in range(header["sweeps"]):
        for level in range(1, header["k"] + 1):
            for plane in range(header["nz"]):
                expect((sweep, level, plane) in counts, f"no {(sweep, level, plane)}", header)
    return counts


def check_wavefront(dump, nz, k, B, periodic):
    header, visits = plan(dump, "wavefront", nz, k, B, periodic, sweeps=3)
    counts = computed(header, visits)
    expect(len(counts) == 3 * k * nz, "levels that nobody asked for", header)
    expect(max(counts.values()) == 1, "a plane and level is computed twice", header)
    check_moves(header, visits)
    # The formula of docs/out_of_core.md.
    expect(header["slots"] == 2 * k * (1 + periodic) + 5 * B + 4, "another slot formula", header)


def check_halo(dump, nz, k, B, periodic):
    header, visits = plan(dump, "halo", nz, k, B, periodic, sweeps=3)
    counts = computed(header, visits)
    check_moves(header, visits)
    if periodic and nz % B == 0 and B + 2 * (k - 1) <= nz:
        expect(sum(counts.values()) == 3 * nz * k * (B + k - 1) // B, "other work", header)


def check(dump):
    for nz, k, B in ((24, 6, 4), (24, 4, 4), (7, 9, 3), (40, 1, 8), (61, 16, 5), (1, 2, 1)):
        for periodic in (False, True):
            check_wavefront(dump, nz, k, B, periodic)
            check_halo(dump, nz, k, B, periodic)
    # The first figure shows this: the second sweep starts before the first one ends.
    _, visits = plan(dump, "wavefront", 24, 6, 4, False, 2)
    shared = [v for v in visits if len({u["sweep"] for u in v["updates"]}) == 2]
    expect(shared, "the sweeps do not overlap", {"nz": 24, "k": 6, "B": 4})


# --- draw -------------------------------------------------------------------------------------


def draw_visits(axes, header, visits):
    """Planes to the right, visits downwards; inside a visit a row per level."""
    rows = header["k"] + 2.6  # loads above, stores below, a gap
    for visit, sweep, level, plane in updates(header, visits):
        y = visit * rows + level
        axes.add_patch(rectangle(plane, y, SWEEP_COLOURS[sweep % 2][level % 2]))
    for kind, row, marker in (("loads", 0, "v"), ("stores", header["k"] + 1, "^")):
        moved = list(transfers(visits, kind))
        axes.scatter([plane for _, _, plane in moved], [v * rows + row for v, _, _ in moved],
                     s=13, marker=marker, linewidths=0.9, zorder=3,
                     edgecolors=[SWEEP_COLOURS[s % 2][0] for _, s, _ in moved],
                     facecolors=["white" if kind == "loads" else SWEEP_COLOURS[s % 2][0]
                                 for _, s, _ in moved])
    for visit in range(1, len(visits)):
        axes.axhline(visit * rows - 0.8, color="0.8", linewidth=0.6, zorder=0)
    axes.set_yticks([v * rows + (rows - 1.6) / 2 for v in range(len(visits))],
                    [str(v) for v in range(len(visits))])
    axes.tick_params(axis="y", length=0)
    axes.set_xlim(-1, header["nz"])
    axes.set_ylim(len(visits) * rows - 0.8, -0.8)
    axes.set_xlabel("plane z")
    axes.set_ylabel(f"visit (inside it, downwards: loads, levels 1 to {header['k']}, stores)")


def draw_times(axes, header, visits):
    """Planes to the right, time steps upwards; the number is the visit."""
    k, nz = header["k"], header["nz"]
    for visit, sweep, level, plane in updates(header, visits):
        y = sweep * k + level
        axes.add_patch(rectangle(plane, y, SWEEP_COLOURS[sweep % 2][visit % 2]))
        axes.text(plane, y, str(visit), ha="center", va="center", fontsize=6.5,
                  color="black" if visit % 2 else "white")
    for sweep in range(header["sweeps"] + 1):
        axes.axhline(sweep * k + 0.5, color="black", linewidth=1, linestyle="--")
    axes.set_xlim(-1, nz)
    axes.set_ylim(0.2, header["sweeps"] * k + 0.8)
    axes.set_yticks(range(1, header["sweeps"] * k + 1))
    axes.set_xlabel("plane z")
    axes.set_ylabel("time step")


def rectangle(x, y, colour):
    from matplotlib.patches import Rectangle

    return Rectangle((x - 0.5, y - 0.5), 1, 1, facecolor=colour, edgecolor="white", linewidth=0.5)


def legend(axes):
    from matplotlib.lines import Line2D
    from matplotlib.patches import Patch

    mark = {"linestyle": "none", "markersize": 5, "markeredgecolor": "0.2"}
    axes.legend(handles=[Patch(color=SWEEP_COLOURS[0][0], label="update, sweep 0"),
                         Patch(color=SWEEP_COLOURS[1][0], label="update, sweep 1"),
                         Line2D([], [], marker="v", markerfacecolor="white", label="load", **mark),
                         Line2D([], [], marker="^", markerfacecolor="0.2", label="store", **mark)],
                loc="upper right", fontsize=8, framealpha=1)


def wavefront_figure(dump, out, name, nz, k, B, periodic):
    from matplotlib import pyplot

    header, visits = plan(dump, "wavefront", nz, k, B, periodic, sweeps=2)
    figure, (left, right) = pyplot.subplots(1, 2, figsize=(12, 8.2), width_ratios=(1, 1.15))
    draw_visits(left, header, visits)
    legend(left)
    left.set_title("what each visit does", fontsize=10)
    draw_times(right, header, visits)
    right.set_title("which visit computes what (the number is the visit)", fontsize=10)
    ends = "periodic z" if periodic else "walls at both ends"
    figure.suptitle(f"wavefront, two sweeps: {nz} planes, k = {k} steps and B = {B} planes a visit, "
                    f"{ends}", fontsize=11)
    save(figure, out, name)


def costs(dump, scheme, k, B, periodic):
    """Plane updates per useful one, and slots, of sweeps of k steps."""
    header, visits = plan(dump, scheme, COST_PLANES, k, B, periodic, sweeps=2)
    return sum(1 for _ in updates(header, visits)) / (2 * COST_PLANES * k), header["slots"]


def cost_figure(dump, out):
    from matplotlib import pyplot

    figure, (work, slots) = pyplot.subplots(1, 2, figsize=(10, 4))
    curves = (("halo", 8, False, SWEEP_COLOURS[1][1], "-"),
              ("halo", 64, False, SWEEP_COLOURS[1][0], "-"),
              ("wavefront", 8, True, SWEEP_COLOURS[0][1], "--"),
              ("wavefront", 8, False, SWEEP_COLOURS[0][0], "-"))
    for scheme, B, periodic, colour, line in curves:
        found = [costs(dump, scheme, k, B, periodic) for k in STEPS]
        style = {"color": colour, "linestyle": line, "marker": "o", "markersize": 4,
                 "label": f"{scheme}, B = {B}, {'periodic z' if periodic else 'walls'}"}
        work.plot(STEPS, [w for w, _ in found], **style)
        slots.plot(STEPS, [s for _, s in found], **style)
    work.set_ylabel("plane updates / (planes x steps)")
    slots.set_ylabel("slots on the device (planes)")
    for axes in (work, slots):
        axes.set_xscale("log", base=2)
        axes.set_xticks(STEPS, map(str, STEPS))
        axes.set_xlabel("k, steps a visit")
        axes.set_ylim(0)
        axes.grid(color="0.9")
        axes.legend(fontsize=8)
    figure.suptitle(f"{COST_PLANES} planes, sweeps of k steps", fontsize=11)
    save(figure, out, "schemes_cost.png")


def save(figure, out, name):
    figure.tight_layout()
    figure.savefig(os.path.join(out, name), dpi=110)
    print(os.path.join(out, name))


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--dump", required=True, help="the program schedule_dump")
    parser.add_argument("--out", default=HERE, help="folder for the figures")
    parser.add_argument("--check", action="store_true", help="check the plans, draw nothing")
    options = parser.parse_args()
    if options.check:
        check(options.dump)
        return
    import matplotlib

    matplotlib.use("Agg")
    wavefront_figure(options.dump, options.out, "wavefront.png", 24, 6, 4, periodic=False)
    wavefront_figure(options.dump, options.out, "wavefront_periodic.png", 24, 4, 4, periodic=True)
    cost_figure(options.dump, options.out)


if __name__ == "__main__":
    main()
