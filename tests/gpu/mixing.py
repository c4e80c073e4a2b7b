#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes the case of the picture of README.md: planar jets that roll up, pair and break down, in a periodic box.

    mixing.py NX NY NZ STEPS > mixing.yaml      cells across the jets, along the span, along the jets; time steps

The jets flow along +z and -z in turn. Each edge begins as a tanh profile, about 4 cells thick; waves shake it. The slice
`mid` at the end is the picture, drawn by docs/figures/mixing.py. 2.2e9 cells: tests/gpu/mixing_picture.sh.
"""

import math
import random
import sys

JETS = 6  # in each direction
THICKNESS = 4  # of an edge, in cells


def main() -> None:
    nx, ny, nz, steps = (int(number) for number in sys.argv[1:5])
    draw = random.Random(3)
    # One tanh for all edges; the sines inside make their distances differ.
    steepness = nx / (2 * math.pi * JETS * THICKNESS)
    stream = f"tanh({steepness:.2f}*sin(2*pi*({JETS}*x/lx + 0.25 + 0.3*sin(2*pi*x/lx) + 0.08*sin(2*pi*(3*x/lx + 0.2)))))"
    # The most amplified wave of a tanh profile is 14 thicknesses long (Michalke, J. Fluid Mech. 19 (1964) 543); longer
    # ones lead the pairing of its vortices. Phases depend on x, so each edge has its own.
    waves = []
    for factor, span in ((1.0, 2), (1.3, 1), (2.1, 3), (4.3, 1)):
        number = max(1, round(nz / (14 * THICKNESS * factor)))
        waves.append(
            f"sin(2*pi*({number}*z/lz + {draw.randint(3, 9)}*x/lx)"
            f" + sin(2*pi*({span}*y/ly + {draw.randint(3, 9)}*x/lx)))"
        )
    print(
        f"""name: mixing
grid: {{cells: [{nx}, {ny}, {nz}]}}
boundaries: {{x_min: periodic, x_max: periodic, y_min: periodic, y_max: periodic, z_min: periodic, z_max: periodic}}
fluid: {{tau: 0.503, length: 64, lattice_velocity: 0.08}}
lattice: {{collision: regularised_filtered, representation: moments}}
initial:
  flow: formula
  velocity: ["0.02*({' + '.join(waves)})", 0, "{stream}"]
run: {{steps: {steps}}}
output: {{at_end: false, profiles: false}}
outputs:
  mid: {{slice: y, at: {ny / 2}, fields: [vorticity], times: [{0.8 * steps * 0.08 / 64:.4f}, {steps * 0.08 / 64:.4f}], at_end: false, precision: float16}}"""
    )


if __name__ == "__main__":
    main()
