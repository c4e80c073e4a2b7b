#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes cases/data/pipe.obj: a pipe of 10.5 mm, 20 mm long, in mm, its centre at the origin and its axis along y. The
group `tube` is its wall, open at both ends, of quadrangles; `lids` are the two ends, of one polygon each.

    make_pipe_obj.py FILE [SIDES]

The polygon of SIDES corners has the area of the circle."""
import math
import sys


def main():
    sides = int(sys.argv[2]) if len(sys.argv) > 2 else 96
    angle = 2 * math.pi / sides
    radius = 5.25 * math.sqrt(angle / math.sin(angle))
    lower, upper = range(1, sides + 1), range(sides + 1, 2 * sides + 1)
    with open(sys.argv[1], "w", encoding="ascii") as file:
        file.write("# a pipe of 10.5 mm, 20 mm long, in mm: made by tests/cases/reference/make_pipe_obj.py\n")
        for y in (-10, 10):
            for j in range(sides):
                file.write(f"v {radius * math.cos(j * angle) + 0.0:.5f} {y} {radius * math.sin(j * angle) + 0.0:.5f}\n")
        file.write("g tube\n")
        for j in range(sides):
            k = (j + 1) % sides
            file.write(f"f {lower[j]} {upper[j]} {upper[k]} {lower[k]}\n")
        file.write("g lids\n")
        file.write("f " + " ".join(map(str, lower)) + "\n")
        file.write("f " + " ".join(map(str, reversed(upper))) + "\n")


if __name__ == "__main__":
    main()
