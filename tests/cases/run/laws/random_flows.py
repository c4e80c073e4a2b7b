# SPDX-License-Identifier: Apache-2.0
"""Random cases for tests of what all flows have in common.

A case is a dict; written as JSON it is YAML, too. The same seed gives the same case on every machine.
"""

import random

COLLISIONS = ["bgk", "trt", "regularised", "regularised_filtered"]
FACES = ["x_min", "x_max", "y_min", "y_max", "z_min", "z_max"]


def vector(draw: random.Random, size: float) -> list[float]:
    return [round(draw.uniform(-size, size), 3) for _ in range(3)]


def tangential(draw: random.Random, face: int) -> list[float]:
    velocity = vector(draw, 1)
    velocity[face // 2] = 0
    return velocity


def wall(draw: random.Random, face: int, cells: list[int]) -> object:
    """Rests, slips, slides, swings, starts, or does so in a patch only."""
    kind = draw.choice(["rest", "slip", "slides", "swings", "starts", "formula", "patch"])
    if kind == "rest":
        return "wall"
    if kind == "slip":
        return "slip"
    moving: dict = {"type": "wall", "velocity": tangential(draw, face)}
    motion = draw.choice(["swings", "starts", "formula", ""]) if kind == "patch" else kind
    if motion == "swings":
        moving["period"] = round(draw.uniform(0.3, 2), 3)
    if motion == "starts":
        moving |= {"type": "velocity", "ramp_time": round(draw.uniform(0.2, 1), 3)}
    if motion == "formula":
        wave = "cos(" + " + ".join(f"0.{9 - a} * {'xyz'[a]}" for a in range(3) if a != face // 2) + ")"
        moving |= {"type": "velocity", "velocity": ["0" if v == 0 else f"{v} * {wave}" for v in moving["velocity"]]}
    if kind == "patch":
        n = [cells[a] for a in range(3) if a != face // 2]
        low = [draw.randint(0, m // 2) for m in n]
        high = [draw.randint(a + 2, m) for a, m in zip(low, n)]
        part = draw.choice([{"box": [low[0], high[0], low[1], high[1]]},
                            {"center": [m / 2 for m in n], "radius": round(draw.uniform(2, 4), 2)}])
        return {"type": "wall", "patches": {"p": {**part, **moving}}}
    return moving


def body(draw: random.Random, cells: list[int], walls: list[str]) -> dict:
    """Anywhere in the box, also across its faces."""
    place = [round(draw.uniform(0, n), 3) for n in cells]
    kind = draw.choice(["sphere", "box", "ellipsoid", "capsule", "cylinder"])
    made: dict = {"shape": kind, "walls": draw.choice(walls)}
    if kind in ("sphere",):
        made |= {"center": place, "radius": round(draw.uniform(2, 4), 3)}
    elif kind in ("box", "ellipsoid"):
        made |= {"center": place, "size": [round(draw.uniform(3, 8), 3) for _ in range(3)]}
    else:
        other = [round(p + d, 3) for p, d in zip(place, vector(draw, 4))]
        made |= {"from": place, "to": other, "radius": round(draw.uniform(1.5, 3.5), 3)}
    if draw.random() < 0.7:
        made["angular_velocity"] = vector(draw, 0.5)
    if draw.random() < 0.4:
        made["velocity"] = vector(draw, 0.5)
    if ("velocity" in made or "angular_velocity" in made) and draw.random() < 0.3:
        made["velocity_factor"] = draw.choice(["cos(3*t)", "1 - exp(-2*t)"])
    return made


def force(draw: random.Random, collision: str) -> dict:
    size = vector(draw, 0.05)
    if collision == "regularised_filtered" or draw.random() < 0.5:
        return {"acceleration": size}
    waves = [f"{size[0]} * sin(0.5 * y)", f"z < 5 ? {size[1]} : 0", f"{size[2]} * cos(0.4 * x + 0.3 * z)"]
    return {"acceleration": waves} | draw.choice([{}, {"acceleration_factor": "cos(3 * t)"}])


def closed_box(seed: int) -> dict:
    """A box that nothing enters or leaves; bodies keep their fluid's mass."""
    draw = random.Random(seed)
    cells = [draw.randint(9, 20) for _ in range(3)]
    boundaries = {}
    for axis in range(3):
        periodic = draw.random() < 0.35
        for face in (2 * axis, 2 * axis + 1):
            boundaries[FACES[face]] = "periodic" if periodic else wall(draw, face, cells)
    bodies = {f"b{i}": body(draw, cells, ["staircase", "conserving"]) for i in range(draw.randint(0, 2))}
    collision = draw.choice(COLLISIONS)
    return {
        "name": f"closed_box_{seed}",
        "grid": {"cells": cells},
        "boundaries": boundaries,
        "bodies": bodies,
        "fluid": {"tau": round(draw.uniform(0.58, 1.1), 3), "length": 10, "lattice_velocity": 0.05},
        "lattice": {"collision": collision, "storage": "fp64"},
        "force": force(draw, collision),
        "run": {"convective_times": 2},
    }


def inlet(draw: random.Random, face: int) -> dict:
    inwards = [0.0, 0.0, 0.0]
    inwards[face // 2] = round(draw.uniform(0.2, 0.8), 3) * (1 if face % 2 == 0 else -1)
    made: dict = {"type": "velocity", "velocity": inwards}
    if draw.random() < 0.5:
        made["ramp_time"] = 0.6
    if draw.random() < 0.3:
        made["turbulence"] = {"intensity": 0.1, "length": 4}
    return made


def outlet(draw: random.Random) -> dict:
    return draw.choice([{"type": "outflow"}, {"type": "pressure", "pressure": 0.04}, {"type": "outflow", "pressure": 0.02}])


def any_flow(seed: int) -> dict:
    """Bodies, faces, outputs and records of all kinds."""
    draw = random.Random(1000 + seed)
    case = closed_box(seed)
    cells = case["grid"]["cells"]
    if draw.random() < 0.6:
        axis = draw.randrange(3)
        low, high = FACES[2 * axis], FACES[2 * axis + 1]
        case["boundaries"] |= {low: inlet(draw, 2 * axis), high: outlet(draw)}
        if draw.random() < 0.4:
            case["sponge"] = {"faces": [high], "thickness": 4, "strength": 0.5, "velocity": [0, 0, 0]}
    walls = ["staircase", "interpolated", "conserving", "multireflection"]
    case["bodies"] = {f"b{i}": body(draw, cells, walls) for i in range(draw.randint(0, 2))}
    case["lattice"]["storage"] = draw.choice(["fp64", "fp32", "fp16"])
    if case["lattice"]["collision"].startswith("regularised"):
        case["lattice"]["representation"] = draw.choice(["populations", "moments"])
    case["initial"] = draw.choice([{}, {"flow": "taylor_green"}, {
        "flow": "formula", "velocity": ["0.1 * sin(0.3 * y)", "0", "0.1 * cos(0.2 * x)"], "pressure": "0.01 * z"}])
    inside = [round(draw.uniform(1, n - 1), 2) for n in cells]
    case |= {
        "name": f"any_flow_{seed}",
        "run": {"steps": draw.randint(20, 45)},
        "output": {"monitor": draw.randint(3, 20), "forces": 1, "profiles": True},
        "outputs": {
            "all": {"fields": ["velocity", "pressure", "vorticity"], "every_steps": draw.randint(5, 20)},
            "means": {"fields": ["velocity", "density", "strain_rate"], "every_steps": 7, "average": draw.randint(2, 4)},
        },
        "statistics": {"s": {"every_steps": draw.randint(1, 4), "stresses": draw.random() < 0.5}},
        "probes": {"p": {"line_from": [1, 1, 1], "line_to": inside, "line_points": 4, "every_steps": 1}},
        "quantities": {"flux": {"kind": "flow_rate", "slice": "z", "at": cells[2] // 2 + 0.5, "every_steps": 5}},
        "checkpoint": {"at_end": True},
    }
    return case
