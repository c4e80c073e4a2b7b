#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes cases/data/spheroid.stl: a prolate spheroid 20 mm long and 10 mm wide, in mm, its centre at
the origin and its axis along z, as text.

    make_spheroid_stl.py FILE [SEGMENTS RINGS]
"""
import math
import sys


def corners(segments, rings):
    """Rings of points from pole to pole; each pole is one point."""
    grid = []
    for i in range(rings + 1):
        polar = math.pi * i / rings
        radius = 0.0 if i in (0, rings) else 5 * math.sin(polar)
        grid.append(
            [
                (
                    radius * math.cos(2 * math.pi * j / segments),
                    radius * math.sin(2 * math.pi * j / segments),
                    10 * math.cos(polar),
                )
                for j in range(segments)
            ]
        )
    return grid


def triangles(segments, rings):
    grid = corners(segments, rings)
    for i in range(rings):
        for j in range(segments):
            k = (j + 1) % segments
            if i < rings - 1:
                yield grid[i][j], grid[i + 1][j], grid[i + 1][k]
            if i > 0:
                yield grid[i][j], grid[i + 1][k], grid[i][k]


def main():
    segments, rings = [int(a) for a in sys.argv[2:]] or [24, 16]
    with open(sys.argv[1], "w", encoding="ascii") as file:
        file.write("solid spheroid\n")
        for triangle in triangles(segments, rings):
            file.write("facet normal 0 0 0\nouter loop\n")
            for corner in triangle:
                file.write("vertex {:.5f} {:.5f} {:.5f}\n".format(*(c + 0.0 for c in corner)))
            file.write("endloop\nendfacet\n")
        file.write("endsolid spheroid\n")


if __name__ == "__main__":
    main()
