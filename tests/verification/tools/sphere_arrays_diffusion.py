#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Effective diffusivity of cubic arrays of spheres that let nothing pass: the exact values of docs/diffusion.md.

    sphere_arrays_diffusion.py                      (NumPy and SciPy >= 1.15; half a minute)

D_eff over the free diffusivity, by the method of Rayleigh (Phil. Mag. 34 (1892) 481) with multipoles of all odd orders
up to 43, as McPhedran and McKenzie (Proc. R. Soc. A 359 (1978) 45) and Sangani and Acrivos (Proc. R. Soc. A 386 (1983)
263) have it. Around each sphere the concentration is sum (c_lm R_lm + b_lm S_lm) with the regular and singular solid
harmonics R and S. No flux: c_lm = (l + 1) / l (l - m)! (l + m)! / a^(2 l + 1) b_lm, a: radius. The other spheres make
c_lm = sum (-1)^(l + m) b_l'm' T_(l + l', m' - m), with the lattice sums T of S, and the mean gradient adds to c_10.

`series` is the series of Sangani and Acrivos to c^(25/3), c: share of the spheres. Its coefficients are those that
Andrianov and Topol (arXiv:1106.1783, eq. 157) quote, at third hand; but the fourth one of face-centred arrays is 0.242
here. They have 0.0420, with which the series is off by 1e-4 at c = 0.3, where it now agrees within 1e-6.
"""

import math

import numpy as np
from scipy.special import sph_harm_y

# Centres in a cube, distance of neighbours, share of touching spheres, coefficients of the series.
ARRAYS = {
    "simple_cubic": ([(0, 0, 0)], 1, math.pi / 6, (1.305, 0.231, 0.405, 0.0723, 0.153, 0.0105)),
    "body_centred": ([(0, 0, 0), (0.5, 0.5, 0.5)], math.sqrt(3) / 2, math.pi * math.sqrt(3) / 8,
                     (0.129, -0.413, 0.764, 0.257, 0.0113, 0.00562)),
    "face_centred": ([(0, 0, 0), (0, 0.5, 0.5), (0.5, 0, 0.5), (0.5, 0.5, 0)], math.sqrt(2) / 2,
                     math.pi * math.sqrt(2) / 6, (0.0753, 0.697, -0.741, 0.242, 0.0231, 9.14e-7)),
}
ORDERS = (17, 25, 33, 43)


def lattice_sums(centres, distance, most):
    """T_LM x distance^(L + 1) / sqrt((L - M)! (L + M)!) for even L >= 4; that of L = 2 is 0 in a large sphere."""
    sums = {}
    for cells, orders in ((40, range(4, 10, 2)), (8, range(10, most + 1, 2))):
        corners = np.mgrid[-cells:cells + 1, -cells:cells + 1, -cells:cells + 1].reshape(3, -1).T
        places = np.concatenate([corners + np.array(centre) for centre in centres]) / distance
        r = np.linalg.norm(places, axis=1)
        near = (r > 0.5) & (r < cells / distance)
        r, places = r[near], places[near]
        polar, azimuth = np.arccos(np.clip(places[:, 2] / r, -1, 1)), np.arctan2(places[:, 1], places[:, 0])
        for l in orders:
            for m in range(0, l + 1, 4):
                terms = r ** (-l - 1.0) * sph_harm_y(l, m, polar, azimuth).real
                sums[l, m] = sums[l, -m] = terms.sum() * math.sqrt(4 * math.pi / (2 * l + 1))
    return sums


def multipoles(sums, spheres, distance, share, order):
    radius = (3 * share / (4 * math.pi * spheres)) ** (1 / 3)
    modes = [(l, m) for l in range(1, order + 1, 2) for m in range(-(l // 4) * 4, l + 1, 4)]
    matrix, log = np.zeros((len(modes),) * 2), math.lgamma
    for i, (l, m) in enumerate(modes):
        matrix[i, i] = (l + 1) / l
        for j, (k, n) in enumerate(modes):
            if l + k > 2:
                factorials = (log(l + k - n + m + 1) + log(l + k + n - m + 1) - log(l - m + 1) - log(l + m + 1)
                              - log(k - n + 1) - log(k + n + 1)) / 2
                matrix[i, j] -= (-1) ** (l + m) * sums[l + k, n - m] * math.exp(
                    factorials + (l + k + 1) * math.log(radius / distance))
    local = np.zeros(len(modes))  # a gradient of 1 around the sphere
    local[modes.index((1, 0))] = radius
    dipole = 4 * math.pi * spheres * radius**2 * np.linalg.solve(matrix, local)[modes.index((1, 0))]
    return 1 - dipole / (1 + dipole / 3)  # the mean gradient is larger than the local one (Lorentz)


def series(coefficients, c):
    a1, a2, a3, a4, a5, a6 = coefficients
    l1, l2, l3, l4, l5 = (-(2 * i - 1) / (2 * i) for i in range(1, 6))  # (k - 1) / (k + 2 i / (2 i - 1)), k = 0
    return 1 - 3 * c / (-1 / l1 + c + a1 * l2 * c ** (10 / 3) * (1 + a2 * l3 * c ** (11 / 3)) / (1 - a3 * l2 * c ** (7 / 3))
                        + a4 * l3 * c ** (14 / 3) + a5 * l4 * c**6 + a6 * l5 * c ** (22 / 3))


if __name__ == "__main__":
    print("array,share of spheres," + ",".join(f"order {order}" for order in ORDERS) + ",series")
    for kind, (centres, distance, touching, coefficients) in ARRAYS.items():
        sums = lattice_sums(centres, distance, 2 * max(ORDERS))
        for share in (0.1, 0.3, 0.45, 0.6, touching):
            if share <= touching:
                found = [multipoles(sums, len(centres), distance, share, order) for order in ORDERS]
                print(f"{kind},{share:.4f}," + ",".join(f"{v:.5f}" for v in [*found, series(coefficients, share)]))
