#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes the case of the picture of README.md: a grove of 42 cylinders in a stream.

    grove.py SCALE SPAN STEPS > grove.yaml      SCALE 1: 1536 x SPAN x 3072 cells

The picture is the slice `mid` at the end, drawn by docs/figures/grove.py.
"""

import random
import sys


def main() -> None:
    scale, span, steps = float(sys.argv[1]), int(sys.argv[2]), int(sys.argv[3])
    draw = random.Random(5)
    bodies = []
    for row in range(7):
        for column in range(6):
            radius = draw.uniform(18, 46)
            x = 128 + 256 * column + draw.uniform(-58, 58)
            z = 240 + 290 * row + (145 if column % 2 else 0) + draw.uniform(-40, 40)
            bodies.append(
                f"  c{row}{column}: {{shape: cylinder, from: [{x * scale:.2f}, -10, {z * scale:.2f}], "
                f"to: [{x * scale:.2f}, {span + 10}, {z * scale:.2f}], radius: {radius * scale:.2f}, "
                f"reference_area: {2 * radius * scale * span:.1f}}}"
            )
    print(
        f"""name: grove
grid: {{cells: [{int(1536 * scale)}, {span}, {int(3072 * scale)}]}}
boundaries:
  x_min: slip
  x_max: slip
  y_min: periodic
  y_max: periodic
  z_min: {{type: velocity, velocity: [0, 0, 1], turbulence: {{intensity: 0.02, length: {24 * scale:.1f}}}}}
  z_max: outflow
bodies:"""
    )
    print("\n".join(bodies))
    print(
        f"""fluid: {{tau: 0.504, length: {64 * scale:.1f}, lattice_velocity: 0.08}}
lattice: {{collision: regularised_filtered, representation: moments}}
initial: {{flow: uniform, velocity: [0, 0, 1]}}
run: {{steps: {steps}}}
output: {{at_end: false, profiles: false, forces: 1000}}
outputs:
  mid: {{slice: y, at: {span / 2}, fields: [vorticity], times: [{steps * 0.08 / (64 * scale) * 0.6:.4f}], precision: float16}}"""
    )


if __name__ == "__main__":
    main()
