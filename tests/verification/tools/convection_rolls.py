#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Steady rolls between a warm and a cold plate, by a spectral method: the Nusselt numbers of docs/scalars.md.

    convection_rolls.py                             (NumPy; half a minute)

The equations are those of Boussinesq (Chandrasekhar, Hydrodynamic and Hydromagnetic Stability, 1961, chapter II), in two
dimensions. Lengths are in heights H of the layer, times in H^2 / diffusivity, temperatures in the difference of the plates. With
the stream function psi, u = psi_z, w = -psi_x, and the vorticity o = psi_xx + psi_zz,

    u T_x + w T_z = T_xx + T_zz,    u o_x + w o_z = Pr (o_xx + o_zz) - Pr Ra T_x.

At the plates psi = psi_z = 0 and T = 1/2 or -1/2. With s from -1 to 1 and the first M Chebyshev polynomials C_m(s),

    psi = sum b_nm sin(n k x) (1 - s^2)^2 C_m,  n = 1 .. N,    T = -s/2 + sum a_nm cos(n k x) (1 - s^2) C_m,  n = 0 .. N - 1.

The equations hold in N x M points of half a wave (collocation). Newton's method solves them. The Nusselt number is the mean of
w T - T_z at each plate and in the middle. It is also 1 + <o^2> / Ra, by the kinetic dissipation.
"""

import numpy as np
from numpy.polynomial import Chebyshev

PRANDTL, WAVE_NUMBER = 0.71, 3.117
# Clever & Busse, J. Fluid Mech. 65 (1974) 625, as the repository jrgparkinson/mushy-layer quotes them.
PUBLISHED = {2000: 1.212, 2500: 1.475, 3000: 1.663, 5000: 2.116, 10000: 2.661, 20000: 3.258, 30000: 3.662, 50000: 4.245}


def across(power, size, s, order):
    """The derivative to z of (1 - s^2)^power C_m, z = s / 2: [place, m]."""
    wall = Chebyshev([0.5, 0, -0.5]) ** power
    return np.array([2**order * (wall * Chebyshev.basis(m)).deriv(order)(s) for m in range(size)]).T


def along(first, size, x, order):
    """The derivative to x of sin(n k x) from n = 1 on, of cos(n k x) from n = 0 on: [place, n]."""
    n = WAVE_NUMBER * np.arange(first, first + size)
    return n**order * np.sin(np.outer(x, n) + (order + 1 - first) * np.pi / 2)


class Rolls:
    def __init__(self, waves, size):
        self.shape = waves, size
        self.x = (np.arange(waves) + 0.5) * np.pi / waves / WAVE_NUMBER
        self.s = np.cos((np.arange(size) + 0.5) * np.pi / size)
        psi, t = (lambda i, j, first=first: np.kron(along(first, waves, self.x, i), across(1 + first, size, self.s, j))
                  for first in (1, 0))  # derivatives at all points, of all coefficients
        self.o = psi(2, 0) + psi(0, 2)
        self.of_psi = [psi(0, 1), -psi(1, 0), psi(3, 0) + psi(1, 2), psi(2, 1) + psi(0, 3)]
        self.of_t = [t(1, 0), t(0, 1)]
        self.friction, self.conduction = psi(4, 0) + 2 * psi(2, 2) + psi(0, 4), t(2, 0) + t(0, 2)

    def solve(self, rayleigh, b, a):
        """Coefficients of the rolls, from those of rolls nearby."""
        def row(values, matrix):
            return values[:, None] * matrix

        (U, W, OX, OZ), (TX, TZ) = self.of_psi, self.of_t
        for _ in range(30):
            u, w, ox, oz, tx, tz = *(m @ b for m in self.of_psi), TX @ a, TZ @ a - 1
            residual = np.concatenate([u * tx + w * tz - self.conduction @ a,
                                       u * ox + w * oz - PRANDTL * (self.friction @ b - rayleigh * tx)])
            step = np.linalg.solve(np.block([
                [row(tx, U) + row(tz, W), row(u, TX) + row(w, TZ) - self.conduction],
                [row(ox, U) + row(u, OX) + row(oz, W) + row(w, OZ) - PRANDTL * self.friction, PRANDTL * rayleigh * TX],
            ]), residual)
            b, a = b - step[:b.size], a - step[b.size:]
            if abs(step).max() < 1e-9 * abs(b).max():
                return b, a
        raise SystemExit(f"convection_rolls.py: Newton's method found no rolls at Ra {rayleigh}")

    def nusselt(self, rayleigh, b, a):
        """At the lower plate, in the middle, at the upper plate, and by dissipation."""
        waves, size = self.shape
        levels = np.array([-1, 0, 1])
        w = -np.kron(along(1, waves, self.x, 1), across(2, size, levels, 0)) @ b
        t = np.kron(along(0, waves, self.x, 0), across(1, size, levels, 0)) @ a
        flux = 1 - across(1, size, levels, 1) @ a[:size] + (w * t).reshape(waves, 3).mean(axis=0)
        means = [Chebyshev.basis(m).integ()(1) - Chebyshev.basis(m).integ()(-1) for m in range(size)]
        weights = np.linalg.solve([Chebyshev.basis(m)(self.s) for m in range(size)], means) / 2
        squares = np.square(self.o @ b).reshape(waves, size).mean(axis=0)
        return [*flux, 1 + squares @ weights / rayleigh]


if __name__ == "__main__":
    print("N x M,Ra,lower plate,middle,upper plate,dissipation,Clever & Busse")
    for waves, size in ((4, 8), (6, 12), (8, 16), (12, 24), (16, 32), (24, 40)):
        rolls, (b, a) = Rolls(waves, size), np.zeros((2, waves * size))
        b[0], a[size] = -3, 0.3
        for rayleigh, published in PUBLISHED.items():
            b, a = rolls.solve(rayleigh, b, a)
            found = ",".join(f"{value:.5f}" for value in rolls.nusselt(rayleigh, b, a))
            print(f"{waves} x {size},{rayleigh},{found},{published}")
