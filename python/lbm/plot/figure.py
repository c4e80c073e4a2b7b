"""Axes to draw on, and pictures to save. No display is needed."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from lbm._lbm import UsageError
from lbm.results.errors import need

if TYPE_CHECKING:
    from matplotlib.axes import Axes

# Colours that differ in print, too.
COLOURS = ("#1f5fa8", "#c2512a", "#3a8a4d", "#7a4fa0", "#9a7b16", "#4a4a4a")


def check_save(save: str | Path | None, overwrite: bool) -> None:
    """Refuses a picture that is there, before anything is drawn."""
    if save is not None and Path(save).exists() and not overwrite:
        raise UsageError(f"{save}: exists; overwrite=True replaces it, or choose another name")


def new_axes(ax: Axes | None, save: str | Path | None, **how: Any) -> Any:
    """The axes given, or new ones: of pyplot, so that they can be shown, unless they are saved."""
    if ax is not None:
        return ax
    need("matplotlib", "matplotlib", "lbm.plot")
    if save is not None:  # pyplot would keep each figure until it is closed
        from matplotlib.figure import Figure

        return Figure(layout="constrained").subplots(subplot_kw=how)
    import matplotlib.pyplot as plt

    return plt.figure(layout="constrained").subplots(subplot_kw=how)


def finish(ax: Axes, save: str | Path | None) -> Axes:
    """Saves the picture where that is asked for."""
    if save is not None:
        try:
            figure: Any = ax.get_figure()
            figure.figure.savefig(save, dpi=150)  # of a subfigure: the whole one
        except (OSError, ValueError) as error:
            raise UsageError(f"{save}: cannot save the picture: {error}") from error
    return ax


def tidy(ax: Axes) -> None:
    """A light grid, no box."""
    ax.grid(alpha=0.3)
    for side in ("top", "right"):
        ax.spines[side].set_visible(False)
