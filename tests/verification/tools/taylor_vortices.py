#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Growth of vortices between an inner cylinder that turns and an outer one at rest, radius ratio 1/2.

    taylor_vortices.py [REYNOLDS...]        needs NumPy and SciPy

Prints for each Reynolds number (speed of the inner cylinder x gap / viscosity) the growth of axially symmetric
disturbances twice as long as the gap, in viscosity / gap^2, and the critical Reynolds number. The linear equations
(Chandrasekhar, Hydrodynamic and Hydromagnetic Stability, 1961, section 71), by collocation in 41 Chebyshev points.
"""
import sys

import numpy as np
import scipy.linalg
import scipy.optimize

RATIO, WAVE_NUMBER, POINTS = 0.5, np.pi, 41


def growth(reynolds):
    # Lengths in gaps, times in gap^2 / viscosity.
    last = POINTS - 1
    x = np.cos(np.pi * np.arange(POINTS) / last)
    weight = np.r_[2, np.ones(last - 1), 2] * (-1.0) ** np.arange(POINTS)
    difference = x[:, None] - x[None, :]
    d = np.outer(weight, 1 / weight) / (difference + np.eye(POINTS))
    d = 2 * (d - np.diag(d.sum(axis=1)))  # the gap has length 1, not 2
    inner = RATIO / (1 - RATIO)
    r = (x + 1) / 2 + inner
    turn = reynolds / inner
    a, b = -turn * RATIO**2 / (1 - RATIO**2), turn * inner**2 / (1 - RATIO**2)
    around, slope = a * r + b / r, a - b / r**2
    one, zero = np.eye(POINTS), np.zeros((POINTS, POINTS))
    axial = d @ d + np.diag(1 / r) @ d - WAVE_NUMBER**2 * one
    other = axial - np.diag(1 / r**2)
    # Radial, azimuthal and axial velocity, pressure.
    left = np.block([[other, 2 * np.diag(around / r), zero, -d],
                     [-np.diag(slope + around / r), other, zero, zero],
                     [zero, zero, axial, WAVE_NUMBER * one],
                     [d + np.diag(1 / r), zero, WAVE_NUMBER * one, zero]])
    right = scipy.linalg.block_diag(one, one, one, zero)
    for velocity in range(3):
        for wall in (0, last):
            row = velocity * POINTS + wall
            left[row], right[row] = 0, 0
            left[row, row] = 1
    values = scipy.linalg.eigvals(left, right)
    return max(value.real for value in values if np.isfinite(value) and abs(value) < 1e4)


if __name__ == "__main__":
    for number in [float(word) for word in sys.argv[1:]] or [70]:
        print(f"Re {number:g}: growth {growth(number):.5f}")
    print(f"critical Reynolds number {scipy.optimize.brentq(growth, 60, 80):.4f}")
