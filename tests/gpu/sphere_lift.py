#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Drag, lift and Strouhal number of tests/gpu/sphere_far_field.yaml, beside Johnson & Patel (1999).

    sphere_lift.py RESULT_DIR... [--start T]

Needs the forces of the run (forces_sphere.csv); samples from T on (default 60, in convective times) count. The lift is
the component across the stream in the plane of the wake, the direction of its mean. The spurious lateral mode is the
largest amplitude of the lift, across both axes, at 0.45 to 1.2 periods per convective time, where sound between the
sides of the box swings, and shedding and its overtones hardly do.
"""

import argparse
import csv
import math
import os

KNOWN = {"drag": 0.656, "lift": 0.069, "Strouhal number": 0.137}


def coefficients(directory):
    """Columns of forces_sphere.csv by name."""
    with open(os.path.join(directory, "forces_sphere.csv"), encoding="utf-8", newline="") as file:
        names, *rows = csv.reader(line for line in file if not line.startswith("#"))
    return {name: [float(row[i]) for row in rows] for i, name in enumerate(names)}


def amplitude(times, values, frequency):
    """Amplitude of a sine of this frequency in the series, with a Hann window."""
    mean, duration = sum(values) / len(values), times[-1] - times[0]
    real = imaginary = weight = 0.0
    for t, v in zip(times, values):
        w = 1 - math.cos(2 * math.pi * (t - times[0]) / duration)
        real += w * (v - mean) * math.cos(2 * math.pi * frequency * t)
        imaginary += w * (v - mean) * math.sin(2 * math.pi * frequency * t)
        weight += w
    return 2 * math.hypot(real, imaginary) / weight


def strongest(times, values, low, high):
    """Frequency and amplitude of the strongest sine between two frequencies."""
    step = 0.25 / (times[-1] - times[0])
    trials = [low + i * step for i in range(int((high - low) / step) + 1)]
    return max(((f, amplitude(times, values, f)) for f in trials), key=lambda pair: pair[1])


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("directories", nargs="+", metavar="RESULT_DIR")
    parser.add_argument("--start", type=float, default=60)
    asked = parser.parse_args()
    for directory in asked.directories:
        table = coefficients(directory)
        rows = [i for i, t in enumerate(table["time"]) if t >= asked.start]
        times, x, y, z = ([table[name][i] for i in rows] for name in ("time", "cx", "cy", "cz"))
        mean_x, mean_y = sum(x) / len(x), sum(y) / len(y)
        lift = math.hypot(mean_x, mean_y)
        along = [(a * mean_x + b * mean_y) / lift for a, b in zip(x, y)]
        across = [(b * mean_x - a * mean_y) / lift for a, b in zip(x, y)]
        shedding, swing = strongest(times, along, 0.05, 0.25)
        print(f"{directory}: {times[0]:g} to {times[-1]:g} convective times")
        for name, value in (("drag", sum(z) / len(z)), ("lift", lift), ("Strouhal number", shedding)):
            print(f"  {name:16} {value:.4f}, known {KNOWN[name]}: {100 * (value / KNOWN[name] - 1):+.1f} %")
        print(f"  swing of the lift at this frequency {swing:.4f}")
        for name, series in (("in the plane of the wake", along), ("across it", across)):
            frequency, size = strongest(times, series, 0.45, 1.2)
            print(f"  lateral mode {name}: {size:.5f} at {frequency:.3f}, {100 * size / lift:.2f} % of the mean lift")


if __name__ == "__main__":
    main()
