# SPDX-License-Identifier: Apache-2.0
"""New axes, and saved pictures. No display is needed."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from lbm._lbm import UsageError
from lbm.results.errors import need

if TYPE_CHECKING:
    from matplotlib.axes import Axes

# Colours that also differ in print.
COLOURS = ("#1f5fa8", "#c2512a", "#3a8a4d", "#7a4fa0", "#9a7b16", "#4a4a4a")


def check_save(save: str | Path | None, overwrite: bool) -> None:
    """Raises UsageError where the picture exists, before anything is drawn."""
    if save is not None and Path(save).exists() and not overwrite:
        raise UsageError(f"{save}: exists; overwrite=True replaces it, or choose another name")


def new_axes(
    ax: Axes | None, save: str | Path | None, size: tuple[float, float] | None = None, **how: Any
) -> Any:
    """The given axes, or new ones: of pyplot, which can show them, unless they are to be saved.

    size: width and height of a new figure in inches; default: that of matplotlib.
    """
    if ax is not None:
        return ax
    need("matplotlib", "matplotlib", "lbm.plot")
    if save is not None:  # pyplot would keep each figure until it is closed
        from matplotlib.figure import Figure

        return Figure(figsize=size, layout="constrained").subplots(subplot_kw=how)
    import matplotlib.pyplot as plt

    return plt.figure(figsize=size, layout="constrained").subplots(subplot_kw=how)


_FLAT = 2.5  # width over height from which the colour bar lies below the picture


def size_for(width: float, height: float, colorbar: bool) -> tuple[float, float]:
    """Size of a figure that fits a picture of these proportions, in inches."""
    if colorbar and width > _FLAT * height:
        return 6.8, max(6 * height / width, 0.3) + 1.6
    scale = 5.0 / max(width, height)
    beside = 1.9 if colorbar else 0.8  # labels and the colour bar
    return max(scale * width, 1.0) + beside, max(scale * height, 0.3) + 0.8


def add_colorbar(ax: Axes, picture: Any, width: float, height: float, label: str) -> None:
    """A colour bar beside the picture, below a flat one."""
    figure: Any = ax.get_figure()
    how: dict[str, Any] = {"location": "bottom", "aspect": 40} if width > _FLAT * height else {}
    figure.colorbar(picture, ax=ax, label=label, **how)


def finish(ax: Axes, save: str | Path | None) -> Axes:
    """Saves the picture where `save` names a file."""
    if save is not None:
        try:
            figure: Any = ax.get_figure()
            # 3D axes leave wide margins. A subfigure belongs to a whole one.
            margins = {"bbox_inches": "tight"} if hasattr(ax, "get_zlim") else {}
            figure.figure.savefig(save, dpi=150, **margins)
        except (OSError, ValueError) as error:
            raise UsageError(f"{save}: cannot save the picture: {error}") from error
    return ax


def tidy(ax: Axes) -> None:
    """A light grid, no box."""
    ax.grid(alpha=0.3)
    for side in ("top", "right"):
        ax.spines[side].set_visible(False)
