# SPDX-License-Identifier: Apache-2.0
"""One array of several images, with the time as its first axis."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

import numpy as np

from lbm.results.errors import damaged
from lbm.results.header import ImageLike
from lbm.results.lazy import Array, Box, LazyArray, box_shape


def stacked(images: Sequence[ImageLike], name: str) -> LazyArray:
    """An array at all times. Opens the first file now, the others when they are read."""
    first = images[0][name]
    shape = (len(images), *first.shape)
    return LazyArray(name, shape, first.dtype, partial(_read, images, name), first.unit)


def _read(images: Sequence[ImageLike], name: str, box: Box) -> Array:
    first = images[0][name]
    values = np.empty(box_shape(box), first.dtype)
    for i, image in enumerate(images[box[0]]):
        if image[name].shape != first.shape:
            why = f"{name} has the shape {image[name].shape}, at other times {first.shape}"
            raise damaged(image.path, why)
        values[i] = image[name][box[1:]]
    return values
