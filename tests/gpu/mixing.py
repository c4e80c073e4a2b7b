#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes the case of the picture of README.md: planar jets that roll up, merge and break down, in a periodic box.

    mixing.py NX NY NZ STEPS > mixing.yaml      cells across the jets, along the span, along the jets; time steps

The jets flow along +z and -z in turn. Each edge begins as a tanh profile of 4 cells; sums of sines shake it. The slice `mid`
at the end is the picture, drawn by docs/figures/mixing.py.
"""

import math
import random
import sys

EDGES = 6
THICKNESS = 4.0  # of an edge, in cells


def main() -> None:
    nx, ny, nz, steps = (int(number) for number in sys.argv[1:5])
    draw = random.Random(3)
    # Widths differ, so edges meet at different times.
    widths = [draw.uniform(0.7, 1.3) for _ in range(EDGES)]
    places, x = [], 0.0
    for width in widths:
        x += width / sum(widths)
        places.append(x - 0.5 * widths[0] / sum(widths))
    stream = "-1" + "".join(
        f" {'+' if i % 2 == 0 else '-'} tanh((x - {place * nx:.1f})/{THICKNESS})" for i, place in enumerate(places)
    )
    near_edges = " + ".join(f"exp(-((x - {place * nx:.1f})/{2 * THICKNESS})^2)" for place in places)
    # The most amplified wave of a tanh profile is 14 thicknesses long (Michalke, J. Fluid Mech. 19 (1964) 543); longer
    # ones lead the pairing of its vortices. Phases depend on x, so each edge has its own.
    waves = []
    for factor, span in ((1.0, 2), (1.13, 1), (0.91, 3), (2.07, 2), (4.3, 1), (9.1, 1)):
        number = max(1, round(nz / (14 * THICKNESS * factor) * draw.uniform(0.97, 1.03)))
        waves.append(
            f"sin(2*pi*({number}*z/lz + {draw.uniform(3, 9):.2f}*x/lx) + {draw.uniform(0.6, 1.2):.2f}"
            f"*sin(2*pi*({span}*y/ly + {draw.uniform(3, 9):.2f}*x/lx)))"
        )
    print(
        f"""name: mixing
grid: {{cells: [{nx}, {ny}, {nz}]}}
boundaries: {{x_min: periodic, x_max: periodic, y_min: periodic, y_max: periodic, z_min: periodic, z_max: periodic}}
fluid: {{tau: 0.503, length: 64, lattice_velocity: 0.08}}
lattice: {{collision: regularised_filtered, representation: moments}}
initial:
  flow: formula
  velocity:
    - "0.02*({near_edges})*({' + '.join(waves)})"
    - 0
    - "{stream}"
run: {{steps: {steps}}}
output: {{at_end: false, profiles: false}}
outputs:
  mid: {{slice: y, at: {ny / 2}, fields: [vorticity], times: [{steps * 0.08 / 64:.4f}], precision: float16}}"""
    )


if __name__ == "__main__":
    main()
