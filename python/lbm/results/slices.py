# SPDX-License-Identifier: Apache-2.0
"""Planes and lines through an image."""

from __future__ import annotations

from itertools import product
from typing import Any

import numpy as np

from lbm.results.header import ImageLike
from lbm.results.lazy import Array

# For each axis that is cut: indices and their weights.
Picks = dict[str, list[tuple[int, float]]]


class Cut:
    """A plane or a line through an image. `cut["velocity"]` reads the values along it.

    Attribute access does the same for names that are no attribute yet: `cut.velocity`, `cut.x`.

    Attributes:
        image: the image.
        axes: names of the remaining axes in the order of the arrays, such as ('z', 'x').
        at: coordinates on the other axes, such as {'y': 0.5}.
    """

    def __init__(self, image: ImageLike, picks: Picks) -> None:
        self.image = image
        self._picks = picks
        self.axes = tuple(axis for axis in "zyx" if axis not in picks)
        self.at = {
            axis: float(sum(weight * image.centres(axis)[i] for i, weight in some))
            for axis, some in picks.items()
        }

    @property
    def arrays(self) -> tuple[str, ...]:
        """Names of the arrays."""
        return self.image.arrays

    def coordinates(self, axis: str) -> Array:
        """Coordinates of the cell centres along one of the remaining axes."""
        return self.image.centres(axis)

    def __getitem__(self, name: str) -> Array:
        array = self.image[name]
        cuts = list(product(*(self._picks.get(axis, [(None, 1.0)]) for axis in "zyx")))
        parts = [array[tuple(slice(None) if i is None else i for i, _ in cut)] for cut in cuts]
        if len(parts) == 1:
            return np.asarray(parts[0])
        weights = [float(np.prod([weight for _, weight in cut])) for cut in cuts]
        whole = np.zeros(parts[0].shape)
        for weight, part in zip(weights, parts):
            whole += weight * part
        return whole

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_") or name == "image":
            raise AttributeError(name)
        if name in self.axes:
            return self.coordinates(name)
        if name not in self.arrays:
            raise AttributeError(f"{self.image.path}: no array {name!r}; arrays: {self.arrays}")
        return self[name]

    def __dir__(self) -> list[str]:
        return [*super().__dir__(), *self.axes, *self.arrays]

    def __repr__(self) -> str:
        return f"<cut along {', '.join(self.axes)} at {self.at} of {self.image.path}>"
