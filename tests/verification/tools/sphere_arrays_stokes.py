#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Drag of periodic arrays of spheres in Stokes flow: the table tests/verification/data/sphere_arrays.csv.

    sphere_arrays_stokes.py > tests/verification/data/sphere_arrays.csv     (NumPy and SciPy; half a minute)

K = F / (6 pi mu a U) with the radius a, the force F on a sphere with the part of the mean pressure gradient, and the
superficial velocity U. The method is that of Zick and Homsy (J. Fluid Mech. 115 (1982) 13): the traction on a sphere
is a sum of spherical harmonics, the velocity follows from it by the periodic Green's function of Hasimoto (J. Fluid
Mech. 5 (1959) 317), and a Galerkin method makes it constant on the sphere. The sum over the reciprocal lattice is
split as Ewald's: high wave numbers see one sphere alone. That is exact but for exp(-(alpha x gap)^2).

The last column is K of Sangani and Acrivos (Int. J. Multiphase Flow 8 (1982) 343) for body-centred arrays, by the
series in (share / share of touching spheres)^(1/3) whose coefficients waLBerla's PermeabilityTest.cpp has, and of Zick
and Homsy, table 2, for simple cubic ones, as Basilisk's spheres.c has it. The papers themselves were not at hand.
"""

import math

import numpy as np
from scipy.special import lpmv, roots_legendre, spherical_jn

# Spheres in a cube, and which reciprocal vectors 2 pi n / L belong to the lattice.
LATTICES = {
    "simple_cubic": (1, lambda x, y, z: np.full(x.shape, True)),
    "body_centred": (2, lambda x, y, z: (x + y + z) % 2 == 0),
    "face_centred": (4, lambda x, y, z: (x % 2 == y % 2) & (y % 2 == z % 2)),
}
TOUCHING = {"simple_cubic": math.pi / 6, "body_centred": math.sqrt(3) * math.pi / 8,
            "face_centred": math.sqrt(2) * math.pi / 6}
SHARES = {
    "simple_cubic": (0.027, 0.064, 0.125, 0.216, 0.343, 0.45),
    "body_centred": (0.027, 0.064, 0.125, 0.216, 0.343, 0.45, 0.6),
    "face_centred": (0.027, 0.064, 0.125, 0.216, 0.343, 0.45, 0.6),
}
SANGANI_ACRIVOS_BODY_CENTRED = (
    1.0, 1.575834, 2.483254, 3.233022, 4.022864, 4.650320, 5.281412, 5.826374, 6.258376, 6.544504, 6.878396, 7.190839,
    7.268068, 7.304025, 7.301217, 7.236410, 7.298014, 7.369849, 7.109497, 6.228418, 5.235796, 4.476874, 3.541982,
    2.939353, 3.935484, 5.179097, 3.959872, 2.227627, 3.393390, 4.491369, 2.200686)
ZICK_HOMSY_SIMPLE_CUBIC = {0.027: 2.008, 0.064: 2.810, 0.125: 4.292, 0.216: 7.442, 0.343: 15.4, 0.45: 28.1}


def traction_basis(degree):
    """(l, m, whether along z) of the tractions that have the symmetry of the flow along z."""
    along = [(l, m, True) for l in range(0, degree + 1, 2) for m in range(0, l + 1, 4)]
    across = [(l, m, False) for l in range(2, degree + 1, 2) for m in range(1, l + 1, 2)]
    return along + across


def norm(l, m):
    return math.exp((math.lgamma(l - m + 1) - math.lgamma(l + m + 1)) / 2)


def directions(basis, cosine, azimuth):
    """The basis in directions: [basis][3][directions]."""
    values = np.zeros((len(basis), 3, len(cosine)))
    legendre = {}
    for i, (l, m, along) in enumerate(basis):
        if (l, m) not in legendre:
            legendre[l, m] = norm(l, m) * lpmv(m, l, cosine)
        if along:
            values[i, 2] = legendre[l, m] * np.cos(m * azimuth)
        else:  # y as x, mirrored at the diagonal
            values[i, 0] = legendre[l, m] * np.cos(m * azimuth)
            values[i, 1] = legendre[l, m] * np.cos(m * (math.pi / 2 - azimuth))
    return values


def across_wave(values, wave):
    """Less their components along unit vectors [3][n]."""
    return values - np.einsum("iaj,aj->ij", values, wave)[:, None, :] * wave


def angular_products(basis, degree):
    """Integrals over all directions of the products of the parts across the wave vector."""
    cosine, weight = roots_legendre(2 * degree + 4)
    azimuth = np.arange(4 * degree + 8) * 2 * math.pi / (4 * degree + 8)
    c, p = (a.ravel() for a in np.meshgrid(cosine, azimuth, indexing="ij"))
    w = np.repeat(weight, len(azimuth)) * 2 * math.pi / len(azimuth)
    s = np.sqrt(1 - c * c)
    values = across_wave(directions(basis, c, p), np.array([s * np.cos(p), s * np.sin(p), c]))
    return np.einsum("iaj,kaj,j->ik", values, values, w)


def low_pass(k, alpha):
    return (1 + (k / (2 * alpha)) ** 2) * np.exp(-((k / (2 * alpha)) ** 2))


def reciprocal_sum(basis, lattice, edge, alpha, k_max):
    """Sum over the vectors of the reciprocal lattice but 0, by symmetry over those with x >= y >= 0, z >= 0."""
    unit, most = 2 * math.pi / edge, int(k_max * edge / (2 * math.pi))
    total = np.zeros((len(basis), len(basis)))
    x, y = (a.ravel() for a in np.meshgrid(np.arange(most + 1), np.arange(most + 1), indexing="ij"))
    x, y = x[x >= y], y[x >= y]
    weight = np.where(x == y, 1, 2) * np.where(x > 0, 2, 1) * np.where(y > 0, 2, 1)
    sign = np.array([(-1) ** (l // 2) for l, _, _ in basis])
    degrees = sorted({l for l, _, _ in basis})
    for z in range(most + 1):
        square = x * x + y * y + z * z
        chosen = (square > 0) & (square <= most * most) & LATTICES[lattice][1](x, y, np.full(x.shape, z))
        for part in np.array_split(np.nonzero(chosen)[0], 1 + np.count_nonzero(chosen) // 5000):
            n = np.sqrt(square[part])
            k = unit * n
            values = across_wave(directions(basis, z / n, np.arctan2(y[part], x[part])),
                                 np.array([x[part], y[part], np.full(part.shape, z)]) / n)
            bessel = {l: spherical_jn(l, k) for l in degrees}
            factor = np.array([bessel[l] for l, _, _ in basis]) * sign[:, None] * 4 * math.pi
            factor *= np.sqrt(weight[part] * (2 if z else 1) * low_pass(k, alpha)) / k
            values = (values * factor[:, None, :]).reshape(len(basis), -1)
            total += values @ values.T
    return total


def alone(basis, products, alpha, k_max):
    """The part that one sphere alone adds beyond the low wave numbers."""
    k, weight = np.polynomial.legendre.leggauss(200)
    panels = int(k_max / 20) + 1
    k = np.concatenate([(i + (k + 1) / 2) * k_max / panels for i in range(panels)])
    weight = np.tile(weight * k_max / panels / 2, panels) * low_pass(k, alpha)
    degrees = sorted({l for l, _, _ in basis})
    bessel = np.array([spherical_jn(l, k) for l in degrees])
    radial = np.diag([math.pi / 2 / (2 * l + 1) for l in degrees]) - (bessel * weight) @ bessel.T
    at = [degrees.index(l) for l, _, _ in basis]
    sign = np.array([(-1) ** (l // 2) for l, _, _ in basis])
    return products * radial[np.ix_(at, at)] * np.outer(sign, sign) * 2 / math.pi


def drag(lattice, share, degree=16):
    """K for the share of solid in the volume, from harmonics up to a degree: at a share of 0.6 that of degree 24 differs
    by 1e-5."""
    volume = 4 * math.pi / 3 / share  # of a sphere, of radius 1, and the fluid around
    edge = (volume * LATTICES[lattice][0]) ** (1 / 3)
    gap = 2 * ((TOUCHING[lattice] / share) ** (1 / 3) - 1)
    alpha = max(3.0, 3.4 / gap)
    k_max = 7.5 * alpha
    basis = traction_basis(degree)
    products = angular_products(basis, degree)
    matrix = reciprocal_sum(basis, lattice, edge, alpha, k_max) / volume + alone(basis, products, alpha, k_max)
    right = np.zeros(len(basis))
    right[0] = 4 * math.pi
    force = 4 * math.pi * np.linalg.solve(matrix, right)[0]
    return force / (6 * math.pi)


def published(lattice, share):
    """K of the papers; empty where it is not at hand."""
    if lattice == "simple_cubic":
        return f"{ZICK_HOMSY_SIMPLE_CUBIC[share]:.5g}"
    if lattice == "face_centred":
        return ""
    chi = (share / TOUCHING[lattice]) ** (1 / 3)
    return f"{sum(q * chi ** s for s, q in enumerate(SANGANI_ACRIVOS_BODY_CENTRED)):.5g}"


def main():
    print("# K = F / (6 pi mu a U) of periodic arrays of spheres in Stokes flow, over the share of solid.")
    print("# Made by tests/verification/tools/sphere_arrays_stokes.py: its head says how, and whose the last column is.")
    print("array,solid_share,drag,published")
    for lattice, shares in SHARES.items():
        for share in shares:
            print(f"{lattice},{share},{drag(lattice, share):.6g},{published(lattice, share)}", flush=True)


if __name__ == "__main__":
    main()
