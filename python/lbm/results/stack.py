"""An array of a series at all its times."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from lbm._lbm import UsageError
from lbm.results.image import Image
from lbm.results.lazy import Array, Box, LazyArray, box_shape
from lbm.results.trouble import damaged

if TYPE_CHECKING:
    from lbm.results.series import Series


def images_of(series: Series[Any]) -> list[Image]:
    """The images of a series. Throws UsageError where it has surfaces, or nothing."""
    images = [image for image in series if isinstance(image, Image)]
    if not images or len(images) < len(series):
        raise UsageError(f"{series.name}: its files must be images, and one at least")
    return images


@dataclass(frozen=True)
class _Stack:
    images: tuple[Image, ...]
    name: str
    shape: tuple[int, ...]  # of each

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


def stacked(series: Series[Any], name: str) -> LazyArray:
    """An array at all times. The first file is opened now, the others when they are read."""
    images = tuple(images_of(series))
    first = images[0][name]
    parts = _Stack(images, name, first.shape)
    return LazyArray(name, (len(images), *first.shape), first.dtype, parts.read, first.unit)
