# SPDX-License-Identifier: Apache-2.0
"""One array of several images, with the time as its first axis."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from lbm.results.errors import damaged
from lbm.results.header import ImageLike
from lbm.results.lazy import Array, Box, LazyArray, box_shape


@dataclass(frozen=True)
class _Stack:
    images: tuple[ImageLike, ...]
    name: str
    shape: tuple[int, ...]  # of one image

    def read(self, box: Box) -> Array:
        wanted = range(box[0].start, box[0].stop, box[0].step)
        first = self.images[wanted[0] if wanted else 0]
        values = np.empty(box_shape(box), first[self.name].dtype)
        for i, at in enumerate(wanted):
            array = self.images[at][self.name]
            if array.shape != self.shape:
                raise damaged(
                    self.images[at].path,
                    f"{self.name} has the shape {array.shape}, at other times {self.shape}",
                )
            values[i] = array[box[1:]]
        return values


def stacked(images: Sequence[ImageLike], name: str) -> LazyArray:
    """An array at all times. Opens the first file now, the others when they are read."""
    first = images[0][name]
    parts = _Stack(tuple(images), name, first.shape)
    return LazyArray(name, (len(images), *first.shape), first.dtype, parts.read, first.unit)
