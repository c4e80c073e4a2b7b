# SPDX-License-Identifier: Apache-2.0
"""The case that is disturbed: every kind of file that a run writes, in half a second."""

CASE = """
name: faults
grid: {cells: [24, 16, 27]}
boundaries:
  x_min: {type: wall, velocity: [0, 0.5, 0.2], period: 3.7}
  y_min: periodic
  y_max: periodic
  z_min: {type: velocity, velocity: [0, 0, 0.6], turbulence: {intensity: 0.1, length: 4}}
  z_max: outflow
bodies:
  ball: {shape: sphere, center: [12, 8, 10], radius: 3.6, angular_velocity: [0, 1, 0]}
fluid: {reynolds: 40, length: 9, lattice_velocity: 0.08}
run: {steps: 240}
output: {every_steps: 60, monitor: 10}
outputs:
  slice: {fields: [velocity, vorticity], slice: y, at: 8, every_steps: 40}
  image: {fields: [density], every_steps: 80, format: FORMAT}
probes:
  wake: {points: [[12, 8, 20]], every_steps: 5}
statistics:
  means: {start: 0.1, every_steps: 4, write_every_steps: 100}
checkpoint: {every_steps: 20}
device: {backend: cpu}
expect:
  drag: {quantity: coefficient.z, body: ball, value: 1, tolerance: 0.5, average_from: 0.3}
"""

# Storage, representation and collision belong to the physics: a restart may not change them.
PHYSICS = [
    {"lattice.storage": "fp32", "lattice.collision": "bgk"},
    {"lattice.storage": "fp64", "lattice.collision": "trt"},
    {"lattice.storage": "fp16", "lattice.collision": "bgk"},
    {"lattice.storage": "fp32", "lattice.collision": "regularised", "lattice.representation": "moments"},
    {"lattice.storage": "fp64", "lattice.collision": "regularised", "lattice.representation": "moments"},
    {"lattice.storage": "fp16", "lattice.collision": "regularised", "lattice.representation": "moments"},
]

# How a run computes: may change at each restart, and changes no result.
SCHEMES = [
    {"tiling.scheme": "in_core"},
    {"tiling.scheme": "wavefront", "tiling.steps_per_visit": 7},
    {"tiling.scheme": "wavefront", "tiling.steps_per_visit": 33, "device.threads": 1},
    {"tiling.scheme": "halo", "tiling.steps_per_visit": 3, "tiling.planes_per_visit": 2},
]

# Chunks of a compressed file lie in the order in which ranks sent them, so only one rank compresses.
COMPRESSED = {"outputs.slice.compression": 3}


def options(keys):
    """The keys of a case as arguments of `lbm run`."""
    return [word for key, value in keys.items() for word in ("--set", f"{key}={value}")]


def name_of(keys):
    return "/".join(str(value) for value in keys.values())
