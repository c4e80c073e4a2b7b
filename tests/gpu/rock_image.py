#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Makes images like rock: a periodic Gaussian random field, as labels 0 to 255 that are equally frequent.

The pores are the voxels of the smallest labels, so one image has every porosity: `fluid: [0, ..., 50]` is 20 %.

    rock_image.py make FILE.raw N [LENGTH]    N x N x N voxels; LENGTH: of a pore, 12 voxels if left out (needs NumPy)
    rock_image.py repeat FILE.raw N OUT.raw TIMES_X TIMES_Y TIMES_Z    the image again and again (no NumPy)
"""

import sys


def make(path: str, n: int, length: float) -> None:
    import numpy as np

    noise = np.random.default_rng(7).standard_normal((n, n, n), dtype=np.float32)
    k = np.fft.fftfreq(n).astype(np.float32)
    squares = k[:, None, None] ** 2 + k[None, :, None] ** 2 + k[None, None, : n // 2 + 1] ** 2
    # The correlation of the field falls as a Gaussian; its pores are about `length` wide.
    field = np.fft.irfftn(np.fft.rfftn(noise) * np.exp(-squares * (length * 2.2) ** 2), s=(n, n, n), axes=(0, 1, 2))
    order = np.argsort(field, axis=None, kind="stable")
    labels = np.empty(n**3, dtype=np.uint8)
    labels[order] = (np.arange(n**3, dtype=np.int64) * 256 // n**3).astype(np.uint8)
    labels.tofile(path)


def repeat(path: str, n: int, out: str, times: tuple[int, int, int]) -> None:
    with open(path, "rb") as source:
        image = source.read()
    planes = []
    for z in range(n):
        rows = (image[(z * n + y) * n : (z * n + y + 1) * n] for y in range(n))
        planes.append(b"".join(row * times[0] for row in rows))
    with open(out, "wb") as target:
        for _ in range(times[2]):
            for plane in planes:
                for _ in range(times[1]):
                    target.write(plane)


if __name__ == "__main__":
    if len(sys.argv) in (4, 5) and sys.argv[1] == "make":
        make(sys.argv[2], int(sys.argv[3]), float(sys.argv[4]) if len(sys.argv) == 5 else 12.0)
    elif len(sys.argv) == 8 and sys.argv[1] == "repeat":
        repeat(sys.argv[2], int(sys.argv[3]), sys.argv[4], (int(sys.argv[5]), int(sys.argv[6]), int(sys.argv[7])))
    else:
        sys.exit(__doc__)
