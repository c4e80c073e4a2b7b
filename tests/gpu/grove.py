#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes a case of many cylinders in a stream, for the speed of bodies.

    grove.py NX SPAN NZ RADIUS STEPS > grove.yaml      cells; RADIUS: the mean one, in cells

The flow is along z.
"""

import random
import sys

APART = (8, 9)  # places of cylinders, across and along the stream, in radii


def main() -> None:
    nx, span, nz, radius, steps = (int(number) for number in sys.argv[1:6])
    draw = random.Random(5)
    columns, rows = nx // (APART[0] * radius), nz // (APART[1] * radius)
    bodies = []
    for row in range(rows):
        for column in range(columns):
            own = radius * draw.uniform(0.6, 1.4)
            x = (column + 0.5 + draw.uniform(-0.23, 0.23)) * nx / columns
            z = (row + 0.4 + (0.5 if column % 2 else 0) * 0.9 + draw.uniform(-0.14, 0.14)) * nz / (rows + 0.5)
            bodies.append(
                f"  c{row}_{column}: {{shape: cylinder, from: [{x:.2f}, -10, {z:.2f}], "
                f"to: [{x:.2f}, {span + 10}, {z:.2f}], radius: {own:.2f}, reference_area: {2 * own * span:.1f}}}"
            )
    print(
        f"""name: grove
grid: {{cells: [{nx}, {span}, {nz}]}}
boundaries:
  x_min: slip
  x_max: slip
  y_min: periodic
  y_max: periodic
  z_min: {{type: velocity, velocity: [0, 0, 1], turbulence: {{intensity: 0.02, length: {1.5 * radius:.1f}}}}}
  z_max: outflow
bodies:"""
    )
    print("\n".join(bodies))
    print(
        f"""fluid: {{tau: 0.504, length: {2 * radius}, lattice_velocity: 0.08}}
lattice: {{collision: regularised_filtered, representation: moments}}
initial: {{flow: uniform, velocity: [0, 0, 1]}}
run: {{steps: {steps}}}
output: {{at_end: false, profiles: false}}"""
    )


if __name__ == "__main__":
    main()
