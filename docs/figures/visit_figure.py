#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Draws visit.png for docs/architecture.md: the data flow of a visit, and the queues.

    visit_figure.py            needs matplotlib; writes beside this script

The waits drawn are those of tiling/schedule/schedule.hpp (load_lag, store_lag), which --check compares.
"""

import argparse
import os
import re
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
LOAD_LAG, STORE_LAG = 2, 3
COLOURS = {"load": "#8fb98b", "update": "#7ea6d9", "store": "#efb87f", "host": "#d9d9d9"}
QUEUES = ("load", "update", "store", "host")


def check():
    with open(os.path.join(HERE, "..", "..", "tiling", "schedule", "schedule.hpp"), encoding="utf-8") as file:
        found = dict(re.findall(r"int (load_lag|store_lag) = (\d+);", file.read()))
    if found != {"load_lag": str(LOAD_LAG), "store_lag": str(STORE_LAG)}:
        sys.exit(f"visit_figure: draws lags {LOAD_LAG}, {STORE_LAG}; tiling/schedule/schedule.hpp has {found}")


def box(axes, x, y, width, height, text, colour, size=9):
    from matplotlib.patches import FancyBboxPatch

    axes.add_patch(FancyBboxPatch((x, y), width, height, boxstyle="round,pad=0,rounding_size=0.08",
                                  facecolor=colour, edgecolor="0.35", linewidth=0.8))
    axes.text(x + width / 2, y + height / 2, text, ha="center", va="center", fontsize=size)


def arrow(axes, start, end, text="", offset=(0, 0.13), size=8, **style):
    style = {"arrowstyle": "-|>", "color": "0.2", "linewidth": 1.1, **style}
    axes.annotate("", xy=end, xytext=start, arrowprops=style)
    middle = ((start[0] + end[0]) / 2 + offset[0], (start[1] + end[1]) / 2 + offset[1])
    axes.text(*middle, text, ha="center", va="center", fontsize=size, color="0.2")


def draw_flow(axes):
    """Where the data of one visit goes."""
    from matplotlib.patches import Rectangle

    axes.set_xlim(0, 12)
    axes.set_ylim(0, 4.1)
    axes.axis("off")
    for x, width, label in ((0.1, 2.5, "host memory"), (3.6, 8.3, "device memory")):
        axes.add_patch(Rectangle((x, 0.1), width, 3.6, facecolor="0.97", edgecolor="0.6",
                                 linestyle="--"))
        axes.text(x + width / 2, 3.85, label, ha="center", fontsize=10)
    box(axes, 0.3, 2.3, 2.1, 1.1, "PlaneStore\nhost lattice,\nall nz planes", "white")
    box(axes, 0.3, 1.25, 2.1, 0.6, "field buffers", "white")
    box(axes, 0.3, 0.3, 2.1, 0.6, "FieldSink: files", COLOURS["host"])
    box(axes, 4.0, 2.3, 1.7, 1.1, "slots: B planes\nat level 0", "white")
    box(axes, 7.0, 2.3, 1.8, 1.1, "slots: levels\n1 to k - 1", "white")
    box(axes, 9.9, 2.3, 1.8, 1.1, "slots: finished\nplanes, level k", "white")
    box(axes, 7.0, 1.25, 1.8, 0.6, "field buffers", "white")
    arrow(axes, (2.4, 3.15), (4.0, 3.15), "load queue", color=COLOURS["load"], linewidth=2.5)
    arrow(axes, (5.7, 2.85), (7.0, 2.85), "k updates", color=COLOURS["update"], linewidth=2.5)
    arrow(axes, (8.8, 2.85), (9.9, 2.85), color=COLOURS["update"], linewidth=2.5)
    blue = {"color": COLOURS["update"], "linewidth": 2.5}
    arrow(axes, (10.8, 2.3), (8.8, 1.55), "moments\n(output times only)", offset=(0.55, -0.42),
          **blue)
    # Below the slots, back to the host.
    orange = {"color": COLOURS["store"], "linewidth": 2.5}
    arrow(axes, (7.0, 1.55), (2.4, 1.55), "store queue: density and velocity", **orange)
    axes.plot([11.3, 11.3, 3.2, 3.2], [2.3, 0.6, 0.6, 2.55], color=COLOURS["store"], linewidth=2.5)
    arrow(axes, (3.2, 2.55), (2.4, 2.55), **orange)
    axes.text(7.2, 0.43, "store queue: the planes themselves, into the place they came from",
              ha="center", va="center", fontsize=8, color="0.2")
    arrow(axes, (1.35, 1.25), (1.35, 0.9))


def draw_queues(axes):
    """Four visits in the queues of an idealised device where all three take equally long."""
    start = {"load": -1, "update": 0, "store": 1, "host": 2}
    y = {"load": 3, "update": 2, "store": 1, "host": 0}
    for queue in QUEUES:
        for i, visit in enumerate(("v-3", "v-2", "v-1", "v")):
            text = f"retire {visit}" if queue == "host" else f"{queue} {visit}"
            box(axes, start[queue] + i + 0.05, y[queue] - 0.27, 0.9, 0.54, text, COLOURS[queue], 8.5)
    i = 3  # the position of visit v
    arrow(axes, (start["load"] + i + 0.9, y["load"] - 0.27), (i + 0.1, y["update"] + 0.27))
    arrow(axes, (i + 0.9, y["update"] - 0.27), (start["store"] + i + 0.1, y["store"] + 0.27))
    arrow(axes, (start["store"] + i + 0.9, y["store"] - 0.27),
          (start["host"] + i + 0.1, y["host"] + 0.27))
    red = {"color": "#b03030", "linewidth": 1.3}
    load_v, stored = start["load"] + i, start["store"] + i - STORE_LAG
    arrow(axes, (i - LOAD_LAG + 0.9, y["update"] + 0.27), (load_v + 0.1, y["load"] - 0.27), **red)
    arrow(axes, (stored + 0.95, y["store"] + 0.1), (load_v + 0.3, y["load"] - 0.27), **red)
    arrow(axes, (stored + 0.95, y["store"] + 0.27), (i + 0.05, y["update"] - 0.1), **red)
    axes.text(-1, -0.75, "black: a visit's own order.   red: slots and host planes that must be free "
              f"before visit v uses them again\n(load v waits for update v-{LOAD_LAG} and store "
              f"v-{STORE_LAG}; update v waits for store v-{STORE_LAG})", fontsize=8.5, va="center")
    axes.set_yticks([y[queue] for queue in QUEUES],
                    ["Queue::load", "Queue::update", "Queue::store", "host thread"])
    axes.set_xlim(-1.1, 6.1)
    axes.set_ylim(-1.1, 3.5)
    axes.set_xticks([])
    axes.set_xlabel("time (idealised: each piece of work takes equally long)")
    axes.tick_params(length=0)
    for side in ("top", "right", "left"):
        axes.spines[side].set_visible(False)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--check", action="store_true", help="compare with the code, draw nothing")
    if parser.parse_args().check:
        check()
        return
    import matplotlib

    matplotlib.use("Agg")
    from matplotlib import pyplot

    figure, (flow, queues) = pyplot.subplots(2, 1, figsize=(10, 8))
    draw_flow(flow)
    flow.set_title("one visit, out of core", fontsize=11)
    draw_queues(queues)
    queues.set_title("what waits for what", fontsize=11)
    figure.tight_layout()
    figure.savefig(os.path.join(HERE, "visit.png"), dpi=110)


if __name__ == "__main__":
    main()
