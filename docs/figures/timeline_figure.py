#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Draws what copies and kernels did when, from a trace that `lbm run --trace` wrote.

    timeline_figure.py TRACE.json OUT.png [--first-visit N] [--visits M]
    timeline_figure.py TRACE.json --check     draws nothing, checks that the trace can be true
    timeline_figure.py --lbm build/lbm --case CASE --check     of a small run made for it

Prints how long each track was at work. Only drawing needs matplotlib.
"""

import argparse
import json
import os
import subprocess
import sys
import tempfile

TRACKS = ["copy in", "update", "copy out", "writer", "wait"]
COLOURS = {"copy in": "#3b6fb6", "update": "#5aa469", "copy out": "#d9822b", "writer": "#8a5fb0",
           "wait": "#b8b8b8"}
ARGUMENTS = ["visit", "sweep", "level", "first_plane", "count", "bytes"]


def fail(what):
    sys.exit(f"timeline_figure: {what}")


def read_trace(path, rank=0):
    """The facts of the run in a trace, and per track the slices of a rank, sorted by time (microseconds)."""
    try:
        with open(path, encoding="utf-8") as file:
            trace = json.load(file)
        names = {e["tid"]: e["args"]["name"] for e in trace["traceEvents"]
                 if e["ph"] == "M" and e["name"] == "thread_name"}
        tracks = {name: [] for name in TRACKS}
        for event in trace["traceEvents"]:
            if event["ph"] == "X" and event["pid"] == rank + 1:
                tracks[names[event["tid"]]].append(event)
    except (OSError, ValueError, KeyError, TypeError) as error:
        fail(f"{path}: not a trace of lbm: {error!r}")
    for slices in tracks.values():
        slices.sort(key=lambda e: e["ts"])
    return trace["otherData"], tracks


# --- measure ----------------------------------------------------------------------------------


def busy(slices):
    """Spans of time with work, those that touch made one."""
    spans = []
    for e in slices:
        begin, end = e["ts"], e["ts"] + e["dur"]
        if spans and begin <= spans[-1][1]:
            spans[-1][1] = max(spans[-1][1], end)
        else:
            spans.append([begin, end])
    return spans


def total(spans):
    return sum(end - begin for begin, end in spans)


def shared(one, other):
    """Spans in which both have work."""
    spans, i, j = [], 0, 0
    while i < len(one) and j < len(other):
        begin, end = max(one[i][0], other[j][0]), min(one[i][1], other[j][1])
        if begin < end:
            spans.append([begin, end])
        if one[i][1] < other[j][1]:
            i += 1
        else:
            j += 1
    return spans


def extent(tracks):
    slices = [e for track in tracks.values() for e in track]
    return min(e["ts"] for e in slices), max(e["ts"] + e["dur"] for e in slices)


def print_summary(about, tracks):
    begin, end = extent(tracks)
    print(f"{about['case']} on {about['device']}: {about['scheme']}, "
          f"k = {about['steps_per_visit']}, B = {about['planes_per_visit']}, "
          f"{(end - begin) * 1e-6:.6g} s traced")
    spans = {name: busy(slices) for name, slices in tracks.items()}
    for name in TRACKS:
        work = total(spans[name])
        moved = sum(e["args"]["bytes"] for e in tracks[name])
        rate = f", {moved / work * 1e-3:.1f} GB/s" if work > 0 and name != "wait" else ""
        print(f"  {name:9} {100 * work / (end - begin):5.1f} % of the time, "
              f"{len(tracks[name])} slices{rate}")
    for name in ("copy in", "copy out", "writer"):
        if spans[name]:
            hidden = total(shared(spans[name], spans["update"])) / max(total(spans[name]), 1e-9)
            print(f"  {100 * hidden:.1f} % of {name} runs while kernels run")


# --- check ------------------------------------------------------------------------------------


def check(about, tracks, rank=0):
    for key in ("case", "device", "scheme", "cells", "steps_per_visit", "slices", "complete"):
        if key not in about:
            fail(f"otherData has no {key}")
    for name, slices in tracks.items():
        end = -1000.0 if rank == 0 else float("-inf")  # the host's clock may be a little early
        for e in slices:
            if e["dur"] < 0 or e["ts"] < end - 0.002:  # microseconds
                fail(f"{name}: overlaps the slice before: {e}")
            if sorted(e["args"]) != sorted(ARGUMENTS):
                fail(f"{name}: other args: {e}")
            end = e["ts"] + e["dur"]
    slices = about["slices_of_ranks"][rank]
    if sum(map(len, tracks.values())) != slices:
        fail(f"there are not {slices} slices")
    if slices > 0 and not tracks["update"]:
        fail("no kernels")


def check_run(lbm, case):
    with tempfile.TemporaryDirectory() as scratch:
        path = os.path.join(scratch, "trace.json")
        subprocess.run([lbm, "run", case, "--quiet", "--out", os.path.join(scratch, "out"),
                        "--trace", path, "--set", "grid.cells=[20, 12, 31]",
                        "--set", "run.steps=40", "--set", "device.backend=cpu",
                        "--set", "tiling.scheme=wavefront", "--set", "tiling.steps_per_visit=7",
                        "--set", "tiling.planes_per_visit=4"],
                       check=True, stdout=subprocess.DEVNULL)
        about, tracks = read_trace(path)
    check(about, tracks)
    levels = {e["args"]["level"] for e in tracks["update"] if e["name"].startswith("level")}
    if levels != set(range(1, 8)):
        fail(f"levels {sorted(levels)} instead of 1 to 7")
    print_summary(about, tracks)


# --- draw -------------------------------------------------------------------------------------


def zoom(tracks, first, count):
    """Begin and end of the updates of `count` visits; the middle ones where first is not given."""
    visits = sorted({e["args"]["visit"] for e in tracks["update"]})
    if not visits:
        fail("no kernels to draw")
    at = max(0, (len(visits) - count) // 2) if first is None else first - visits[0]
    chosen = set(visits[at:at + count])
    slices = [e for e in tracks["update"] if e["args"]["visit"] in chosen]
    if not slices:
        fail(f"no visit {first}; there are {visits[0]} to {visits[-1]}")
    begin, end = slices[0]["ts"], slices[-1]["ts"] + slices[-1]["dur"]
    margin = 0.1 * (end - begin)
    return begin - margin, end + margin, chosen


def rows(axes):
    axes.set_yticks(range(len(TRACKS)))
    axes.set_yticklabels(TRACKS)
    axes.set_ylim(len(TRACKS) - 0.4, -0.6)
    for side in ("top", "right", "left"):
        axes.spines[side].set_visible(False)
    axes.tick_params(left=False)


def draw_all(axes, tracks, window):
    """The whole run; gaps too short to see are closed."""
    begin, end = extent(tracks)
    for row, name in enumerate(TRACKS):
        spans = []
        for a, b in busy(tracks[name]):
            if spans and a - spans[-1][1] < (end - begin) / 5000:
                spans[-1][1] = b
            else:
                spans.append([a, b])
        axes.broken_barh([((a - begin) * 1e-6, (b - a) * 1e-6) for a, b in spans],
                         (row - 0.35, 0.7), color=COLOURS[name], linewidth=0)
    axes.axvspan((window[0] - begin) * 1e-6, (window[1] - begin) * 1e-6, color="#cc3333",
                 alpha=0.35, linewidth=0)
    axes.set_xlim(0, (end - begin) * 1e-6)
    axes.set_xlabel("seconds")
    rows(axes)


def draw_zoom(figure, axes, tracks, window, chosen, steps, plt):
    begin, end, scale = window[0], window[1], 1e-3
    colour_of = plt.get_cmap("viridis")
    for row, name in enumerate(TRACKS):
        seen = [e for e in tracks[name] if e["ts"] < end and e["ts"] + e["dur"] > begin]
        colours = [colour_of((e["args"]["level"] - 1) / max(steps - 1, 1))
                   if e["args"]["level"] > 0 else COLOURS[name] for e in seen]
        axes.broken_barh([((e["ts"] - begin) * scale, e["dur"] * scale) for e in seen],
                         (row - 0.35, 0.7), color=colours, linewidth=0)
        if name in ("copy in", "copy out"):
            for e in seen:
                middle = (e["ts"] + e["dur"] / 2 - begin) * scale
                wide = e["dur"] > 0.05 * (end - begin)
                if wide and 0 < middle < (end - begin) * scale:
                    axes.text(middle, row, str(e["args"]["visit"]), ha="center", va="center",
                              color="white", fontsize=8)
    for visit in sorted(chosen):
        first = min(e["ts"] for e in tracks["update"] if e["args"]["visit"] == visit)
        axes.plot([(first - begin) * scale] * 2, [0.5, 1.5], color="black", linewidth=0.8)
        axes.text((first - begin) * scale, 0.52, f" visit {visit}", fontsize=7, va="center")
    axes.set_xlim(0, (end - begin) * scale)
    axes.set_xlabel("milliseconds")
    rows(axes)
    levels = plt.cm.ScalarMappable(plt.Normalize(1, max(steps, 2)), colour_of)
    figure.colorbar(levels, ax=axes, label="level", pad=0.01, aspect=12)


def draw(about, tracks, path, first, count):
    import matplotlib
    matplotlib.use("Agg")
    import matplotlib.pyplot as plt
    begin, end, chosen = zoom(tracks, first, count)
    figure, (top, bottom) = plt.subplots(2, 1, figsize=(11, 5.6), layout="constrained")
    draw_all(top, tracks, (begin, end))
    top.set_title(f"{about['case']}, {' x '.join(map(str, about['cells']))} cells, "
                  f"{about['storage']}, {about['scheme']} with k = {about['steps_per_visit']}, "
                  f"B = {about['planes_per_visit']}\n{about['device']}", fontsize=10, loc="left")
    draw_zoom(figure, bottom, tracks, (begin, end), chosen, about["steps_per_visit"], plt)
    figure.savefig(path, dpi=130)
    plt.close(figure)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("trace", nargs="?", help="what `lbm run --trace` wrote")
    parser.add_argument("out", nargs="?", help="the PNG to write")
    parser.add_argument("--check", action="store_true", help="check, draw nothing")
    parser.add_argument("--rank", type=int, default=0, help="of a run of several ranks (default 0)")
    parser.add_argument("--first-visit", type=int, help="zoom on this visit and the next ones")
    parser.add_argument("--visits", type=int, default=4, help="visits to zoom on (default 4)")
    parser.add_argument("--lbm", help="with --check: run this program")
    parser.add_argument("--case", help="with --lbm: on this case")
    options = parser.parse_args()
    if options.check and options.lbm and options.case:
        return check_run(options.lbm, options.case)
    if not options.trace or not (options.check or options.out):
        parser.error("needs a trace, and a PNG to write or --check")
    about, tracks = read_trace(options.trace, options.rank)
    check(about, tracks, options.rank)
    if tracks["update"]:
        print_summary(about, tracks)
    if not options.check:
        draw(about, tracks, options.out, options.first_visit, options.visits)
    return None


if __name__ == "__main__":
    main()
