# SPDX-License-Identifier: Apache-2.0
"""Where the camera of a picture stands."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

_WIDTH = 1280  # pixels
_LEAST, _MOST = 480, 1100  # pixels, height
_BAR = 130  # pixels below the picture, for the colour bar
_MARGIN = 1.06
_ASIDE, _ABOVE = -0.35, 0.45  # how far a camera stands to the left and above, over its distance


def camera_of(bounds: npt.NDArray[np.float64], deep: bool) -> dict[str, Any]:
    """A camera in parallel projection that sees all of a box, its longest axis from left to right.

    bounds: least and largest coordinates, [2, 3]. deep: whether the camera stands aside and above,
    to show surfaces, or looks straight along the shortest axis.

    Returns: focus, position and up [3], scale (half the height of the view, as vtkCamera has it),
    and pixels [width, height].
    """
    sizes = bounds[1] - bounds[0]
    order = sorted(range(3), key=lambda axis: (-sizes[axis], axis))
    along, up, _ = (np.eye(3)[axis] for axis in order)
    towards = np.cross(up, along)  # along, up and the way back to the camera are right-handed
    direction = towards - (_ASIDE * along + _ABOVE * up if deep else 0)
    direction /= np.linalg.norm(direction)
    right = np.cross(direction, up)
    right /= np.linalg.norm(right)
    above = np.cross(right, direction)
    corners = np.array(
        [[bounds[i, 0], bounds[j, 1], bounds[k, 2]] for i in (0, 1) for j in (0, 1) for k in (0, 1)]
    )
    width, height = np.ptp(corners @ right), np.ptp(corners @ above)
    reach = float(np.linalg.norm(sizes)) or 1.0
    width, height = max(width, 1e-3 * reach) * _MARGIN, max(height, 1e-3 * reach) * _MARGIN
    rows = float(np.clip(_WIDTH * height / width, _LEAST - _BAR, _MOST - _BAR))
    pixel = max(width / _WIDTH, height / rows)
    focus = bounds.mean(axis=0) - above * pixel * _BAR / 2
    return {
        "focus": focus.tolist(),
        "position": (focus - direction * 2 * reach).tolist(),
        "up": above.tolist(),
        "scale": float(pixel * (rows + _BAR) / 2),
        "pixels": [_WIDTH, int(rows + _BAR)],
    }
