# SPDX-License-Identifier: Apache-2.0
"""Draws the figures of docs/lab/verification.md."""

import os

import matplotlib

matplotlib.use("Agg")
from matplotlib import pyplot  # noqa: E402


def group(name):
    """Series share a colour with those whose name is the same up to the first comma."""
    return name.split(",")[0]


def draw_panel(axes, panel):
    colours = {}
    for series in panel["series"]:
        colour = colours.setdefault(group(series["name"]), f"C{len(colours)}")
        style = {"color": colour, "label": series["name"]}
        if series["style"] == "points":
            style |= {"linestyle": "", "marker": "o", "markersize": 4, "fillstyle": "none"}
        else:
            style |= {"linewidth": 1, "linestyle": "--" if series["kind"] == "reference" else "-"}
            if panel.get("log_x") and panel.get("log_y"):
                style |= {"marker": ".", "markersize": 5}
        axes.plot(series["x"], series["y"], **style)
    axes.set(title=panel["title"], xlabel=panel["x_label"], ylabel=panel["y_label"])
    axes.title.set_fontsize("medium")
    if panel.get("log_x"):
        axes.set_xscale("log", base=2)  # grids are doubled
        axes.xaxis.set_major_formatter("{x:g}")
    if panel.get("log_y"):
        axes.set_yscale("log")
    axes.grid(alpha=0.3)
    axes.legend(fontsize="x-small")


def draw(figures, folder):
    """figures: panels by id; folder/verification_<id>.png."""
    for name, panels in figures.items():
        figure, axes = pyplot.subplots(1, len(panels), figsize=(4.5 * len(panels), 4), squeeze=False,
                                       constrained_layout=True)
        for each, panel in zip(axes[0], panels):
            draw_panel(each, panel)
        path = os.path.join(folder, f"verification_{name}.png")
        # Without a date or version the same evidence gives the same file.
        figure.savefig(path, dpi=90, metadata={"Software": None})
        pyplot.close(figure)
        print(path)
