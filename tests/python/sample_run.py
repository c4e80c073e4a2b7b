# SPDX-License-Identifier: Apache-2.0
"""A run with results of all kinds, for the tests that read and draw them."""

import pathlib
import subprocess

import pytest

CASE = """\
name: sample
grid: {cells: [16, 12, 20]}
boundaries:
  z_max: {type: wall, velocity: [1, 0, 0]}
bodies:
  ball: {shape: sphere, center: [8, 6, 10], radius: 2.5}
fluid: {reynolds: 20, lattice_velocity: 0.1}
run: {steps: 40}
device: {backend: cpu}
output: {every_steps: 20, monitor: 10}
outputs:
  mid: {slice: y, at: 6, fields: [velocity, pressure], every_steps: 10}
  across: {slice: x, at: 3.2, fields: [velocity]}
  floor: {slice: z, at: 19.9, stride: 2, fields: [velocity]}
  twin: {box_from: [2, 2, 4], box_to: [10, 8, 6], fields: [velocity]}
  coarse_twin: {box_from: [2, 2, 4], box_to: [10, 8, 8], stride: 2, fields: [velocity]}
  packed: {fields: [velocity, density, solid], compression: 3}
  half: {fields: [velocity, density], precision: float16, compression: 1}
  means: {average: 2, fields: [velocity, strain_rate]}
  lattice: {slice: y, at: 6, fields: [velocity], units: lattice}
statistics:
  mean: {start: 0, every_steps: 5, write_every_steps: 20}
probes:
  behind: {points: [[8, 6, 15], [4.5, 6.5, 15.5]]}
  along: {line_from: [1, 6, 10], line_to: [15, 6, 10], line_points: 8, every_steps: 10}
quantities:
  drag: {kind: force, bodies: [ball], direction: [0, 0, 2], every_steps: 4}
  open: {kind: porosity}
checkpoint: {every_steps: 20}
"""

# These need a program that was built with VTK.
VTK_OUTPUTS = """\
  surface: {isosurface: density, value: 1.01, fields: [velocity, pressure], every_steps: 20}
  surfacez: {isosurface: density, value: 1.01, fields: [velocity, pressure], compression: 6}
  empty: {isosurface: density, value: 100, fields: [velocity]}
"""


def make(program: str, directory: pathlib.Path, vtk: bool) -> pathlib.Path:
    """Runs the case; skips where the program cannot write the files of VTK."""
    case = directory / "sample.yaml"
    case.write_text(CASE.replace("statistics:", VTK_OUTPUTS + "statistics:") if vtk else CASE)
    command = [program, "run", str(case), "--quiet", "--out", str(directory / "out")]
    done = subprocess.run(command, capture_output=True, text=True)
    if vtk and "built without VTK" in done.stderr:
        pytest.skip("the program was built without VTK")
    assert done.returncode == 0, done.stderr
    return directory / "out"
