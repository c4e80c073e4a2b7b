#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Kinetic energy of the 3D Taylor-Green vortex by a Fourier pseudo-spectral method: the reference
of cases/taylor_green.yaml. Needs numpy.

    taylor_green_spectral.py [POINTS] [REYNOLDS] [TIME]

REYNOLDS with amplitude and wavelength, TIME in wavelengths / amplitude, as in the case.
"""
import sys

import numpy as np


def energy(n, reynolds, end):
    viscosity = 2 * np.pi / reynolds  # wave number 1, amplitude 1
    x = 2 * np.pi * np.arange(n) / n
    x, y, z = np.meshgrid(x, x, x, indexing="ij")
    u = np.array([np.sin(x) * np.cos(y) * np.cos(z), -np.cos(x) * np.sin(y) * np.cos(z), 0 * x])
    whole = np.fft.fftfreq(n, 1 / n)
    k = np.array(np.meshgrid(whole, whole, np.fft.rfftfreq(n, 1 / n), indexing="ij"))
    k2 = np.sum(k * k, axis=0)
    kept = np.all(np.abs(k) < n / 3, axis=0)
    axes = (1, 2, 3)

    def change(v):
        u = np.fft.irfftn(v, s=(n, n, n), axes=axes)
        vorticity = np.fft.irfftn(1j * np.cross(k, v, axis=0), s=(n, n, n), axes=axes)
        c = kept * np.fft.rfftn(np.cross(u, vorticity, axis=0), axes=axes)
        c -= k * np.sum(k * c, axis=0) / np.where(k2 == 0, 1, k2)
        return c - viscosity * k2 * v

    v = np.fft.rfftn(u, axes=axes)
    steps = int(np.ceil(2 * np.pi * end / 0.04))
    dt = 2 * np.pi * end / steps
    for _ in range(steps):
        a = change(v)
        b = change(v + dt / 2 * a)
        c = change(v + dt / 2 * b)
        d = change(v + dt * c)
        v = v + dt / 6 * (a + 2 * b + 2 * c + d)
    u = np.fft.irfftn(v, s=(n, n, n), axes=axes)
    return np.mean(np.sum(u * u, axis=0)) / 2


if __name__ == "__main__":
    arguments = [float(a) for a in sys.argv[1:]] + [32, 100, 2][len(sys.argv) - 1 :]
    print(f"{energy(int(arguments[0]), arguments[1], arguments[2]):.8f}")
