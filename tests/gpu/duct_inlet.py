#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes the inlet of Schaefer and Turek's benchmark 3D-1Z: a product of parabolas, mean 1, peak 9/4.

    duct_inlet.py CELLS FILE       CELLS: height and width of the duct in cells
"""

import sys


def main(cells, path):
    at = [0.0] + [i + 0.5 for i in range(cells)] + [float(cells)]
    with open(path, "w", encoding="utf-8") as file:
        file.write("a,b,ux,uy,uz\n")
        for b in at:
            for a in at:
                file.write(f"{a:g},{b:g},0,0,{36 * a * b * (cells - a) * (cells - b) / cells ** 4:.9g}\n")


if __name__ == "__main__":
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    main(int(sys.argv[1]), sys.argv[2])
