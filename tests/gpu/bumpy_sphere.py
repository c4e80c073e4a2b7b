#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes a binary STL file of a closed surface with many triangles: a sphere with bumps, radius about 1.

    bumpy_sphere.py FILE [RINGS]       2 RINGS (RINGS - 1) triangles; default 500: 499,000
"""

import math
import struct
import sys


def point(i, j, rings):
    theta, phi = math.pi * i / rings, 2 * math.pi * (j % rings) / rings
    r = 1 + 0.1 * math.sin(theta) ** 2 * math.sin(9 * theta) * math.sin(7 * phi)
    return (r * math.sin(theta) * math.cos(phi), r * math.sin(theta) * math.sin(phi), r * math.cos(theta))


def main(path, rings):
    # The poles are one point each, whatever j.
    rows = [[point(i, j if 0 < i < rings else 0, rings) for j in range(rings + 1)] for i in range(rings + 1)]
    triangle = struct.Struct("<12fH").pack
    count = 0
    with open(path, "wb") as file:
        file.write(bytes(80) + struct.pack("<I", 2 * rings * (rings - 1)))
        for upper, lower in zip(rows, rows[1:]):
            for a, b, c, d in zip(upper, upper[1:], lower, lower[1:]):
                for p, q, r in ((a, c, d), (a, d, b)):
                    if p != q and q != r and r != p:
                        file.write(triangle(0, 0, 0, *p, *q, *r, 0))
                        count += 1
    if count != 2 * rings * (rings - 1):
        sys.exit(f"{path}: wrote {count} triangles instead of {2 * rings * (rings - 1)}")


if __name__ == "__main__":
    if len(sys.argv) not in (2, 3):
        sys.exit(__doc__)
    main(sys.argv[1], int(sys.argv[2]) if len(sys.argv) == 3 else 500)
