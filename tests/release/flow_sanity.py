# SPDX-License-Identifier: Apache-2.0
"""Is a flow one that could be? Judged from the fields in lattice units, beside the numbers of the program.

Every function returns sentences about what is wrong; none: nothing was found.
"""

import csv
import math
import re

import numpy as np

# Limits for a flow that is nearly incompressible.
DENSITY, MACH = 0.2, 0.5
# Between bodies the flow is faster than at the inlet: the pores of the packing are a quarter of the cross-section.
OVER_SPEED, OVER_SPEED_AT_BODIES = 2.5, 6
# sin^2(k/2) over all waves: 0 smooth, 1/2 waves of four cells or white noise, 1 a wave of two cells.
ALTERNATION = 0.8
LEAST_SHARE = 0.02  # of the energy in the wave of two cells, for that
ROUNDING = 1e-8  # rms of a velocity on the lattice below which it is rounding
MASS = {"fp16": 2e-3, "fp32": 1e-4, "fp64": 1e-6}
REPORT_AGREES = 0.02
OTHER_MODEL = 0.35  # difference of the velocity from that of another collision model, of its root mean square
OPEN = ("velocity", "pressure", "outflow", "far_field")


def not_finite(tree, where="report"):
    if isinstance(tree, dict):
        return [text for key, value in tree.items() for text in not_finite(value, f"{where}.{key}")]
    if isinstance(tree, list):
        return [text for i, value in enumerate(tree) for text in not_finite(value, f"{where}[{i}]")]
    return [f"{where} is {tree}"] if isinstance(tree, float) and not math.isfinite(tree) else []


def field_values(density, velocity, fluid):
    """Arrays [nz][ny][nx], of velocity [nz][ny][nx][3]; fluid: where there is no solid."""
    if not fluid.any():
        return ["no cell is fluid"]
    rho, speed = density[fluid], np.linalg.norm(velocity[fluid], axis=-1)
    if not np.isfinite(rho).all() or not np.isfinite(speed).all():
        return ["the fields are not finite"]
    found = []
    if rho.min() < 1 - DENSITY or rho.max() > 1 + DENSITY:
        found.append(f"density from {rho.min():.3f} to {rho.max():.3f}")
    if speed.max() * 3 ** 0.5 > MACH:
        found.append(f"Mach {speed.max() * 3 ** 0.5:.2f}")
    return found


def checkerboard(velocity, fluid):
    """Waves of two cells along an axis, where three cells in a row are fluid."""
    found = []
    for axis, name in ((2, "x"), (1, "y"), (0, "z")):
        if velocity.shape[axis] < 4:
            continue
        u, solid = np.moveaxis(velocity, axis, 0), ~np.moveaxis(fluid, axis, 0)
        here = ~(solid[:-2] | solid[1:-1] | solid[2:])
        second = np.sum((u[:-2] - 2 * u[1:-1] + u[2:])[here] ** 2)
        first = np.sum((u[2:] - u[:-2])[here] ** 2)
        energy = np.sum(u[1:-1][here] ** 2)
        if energy <= np.count_nonzero(here) * ROUNDING ** 2 or second / 16 < LEAST_SHARE * energy:
            continue
        alternation = second / (first + second)
        if alternation > ALTERNATION:
            found.append(f"alternation {alternation:.2f} along {name}, {second / 16 / energy:.0%} of the energy")
    return found


def conditions(case):
    """All faces and patches, each as a map."""
    for face in (case.get("boundaries") or {}).values():
        yield face
        yield from (face.get("patches") or {}).values()


def mass_of_closed_box(case, report, density, fluid):
    """Only where nothing may flow out, and no wall may lose mass."""
    if any(c["type"] in OPEN for c in conditions(case)):
        return []
    walls = [body.get("walls", "auto") for body in (case.get("bodies") or {}).values()]
    initial = case["initial"]["flow"]
    if any(w not in ("auto", "conserving", "staircase") for w in walls):
        return []
    # Only then the run began with the mean density 1: bodies take parts out of a vortex.
    if initial in ("file", "formula", "arrays") or (initial == "taylor_green" and walls):
        return []
    mass = float(density[fluid].mean(dtype=np.float64)) - 1
    if abs(mass) > MASS[report["storage"]]:
        return [f"the mass of a closed box changed by {mass:.2e}"]
    return []


def numbers_of(vector):
    """None where one is a formula."""
    return None if any(isinstance(u, str) for u in vector) else np.array(vector, dtype=float)


def steady_stream(case):
    """The direction of the only thing that drives the flow: one inlet or one force, both constant; None otherwise."""
    force = case.get("force") or {}
    found = []
    for c in conditions(case):
        u = numbers_of(c.get("velocity") or [0, 0, 0])
        if c.get("velocity_factor") or c.get("period") or c.get("pressure") or c.get("pressure_drop") or c.get("file") or u is None:
            return None
        if u.any():
            found.append(u if c["type"] == "velocity" else None)
    if force.get("amplitude"):
        return None
    if force.get("acceleration"):
        found.append(numbers_of(force["acceleration"]))
    for body in (case.get("bodies") or {}).values():
        if body.get("velocity") or body.get("angular_velocity"):
            return None
    return found[0] / np.linalg.norm(found[0]) if len(found) == 1 and found[0] is not None and found[0].any() else None


def sign_of_drag(case, folder, convective_times):
    """A round body in a constant stream is dragged along by it. A mean over the second half of the run."""
    stream = steady_stream(case)
    if stream is None or convective_times < 3 or case["initial"]["flow"] not in ("rest", "uniform"):
        return []
    found = []
    for name, body in (case.get("bodies") or {}).items():
        if body["shape"] not in ("sphere", "cylinder", "capsule", "stl") or not (folder / f"forces_{name}.csv").exists():
            continue
        with open(folder / f"forces_{name}.csv", encoding="utf-8", newline="") as file:
            rows = list(csv.DictReader(line for line in file if not line.startswith("#")))
        forces = np.array([[float(row[c]) for c in ("fx", "fy", "fz")] for row in rows[len(rows) // 2:]])
        if len(forces) >= 5 and forces.mean(axis=0) @ stream < 0:
            found.append(f"the drag of {name} points against the stream: {forces.mean(axis=0) @ stream:.3g}")
    return found


def speed_of_drive(case, velocity, fluid, scale, body_count):
    """Walls and inlets cannot make a flow much faster than themselves. scale: cells per step of a velocity of 1."""
    if case.get("force") or case["initial"]["flow"] != "rest":
        return []
    speeds = []
    for c in conditions(case):
        u = numbers_of(c.get("velocity") or [0, 0, 0])
        if c.get("pressure") or c.get("pressure_drop") or c.get("file") or c.get("velocity_factor") or u is None:
            return []
        speeds.append(np.linalg.norm(u))
    for body in (case.get("bodies") or {}).values():
        if body.get("velocity") or body.get("angular_velocity"):
            return []
    driven, fastest = max(speeds, default=0) * scale, np.linalg.norm(velocity[fluid], axis=-1).max()
    if driven > 0 and fastest > (OVER_SPEED_AT_BODIES if body_count else OVER_SPEED) * driven:
        return [f"speed {fastest:.3g}, driven by {driven:.3g}"]
    if driven == 0 and fastest > 0.05 * scale:
        return [f"speed {fastest / scale:.3g}, driven by nothing"]
    return []


def report_agrees(report, density, velocity, fluid, scale):
    """The numbers of the last sample against those of the fields of the same step."""
    last = report["last_look"]
    if not last or last["step"] != report["steps"]:
        return []
    fastest = np.linalg.norm(velocity[fluid], axis=-1).max() / scale
    found = []
    if abs(last["speed_max"] - fastest) > REPORT_AGREES * max(fastest, 1e-3):
        found.append(f"report.json has speed_max {last['speed_max']:.4g}, the fields have {fastest:.4g}")
    for name, value in (("density_min", density[fluid].min()), ("density_max", density[fluid].max())):
        if abs(last[name] - value) > 2e-3:
            found.append(f"report.json has {name} {last[name]:.4f}, the fields have {value:.4f}")
    return found


def differs(velocity, fluid, other, scale):
    """From the velocity of another collision model in double precision, in reference velocities."""
    rms = np.sqrt(np.mean(np.sum(other[fluid] ** 2, axis=-1)))
    off = np.sqrt(np.mean(np.sum((velocity - other)[fluid] ** 2, axis=-1)))
    # A flow that has hardly begun, or is at rest in theory, has no scale of its own.
    if rms > 0.01 * scale and off > OTHER_MODEL * rms:
        return [f"the velocity differs by {off / rms:.0%} from the same case with another collision model in fp64"]
    return []


def remedies(text, lattice_velocity):
    """Lists of settings, one for each remedy that a warning or the message of a diverged run names."""
    found = []
    for names in re.findall(r"(?:take|try) lattice\.collision: (\w+(?: or \w+)?)", text):
        found += [[f"lattice.collision={name}"] for name in names.split(" or ") if name != "a"]
    for names in re.findall(r"or take lattice\.collision: (\w+)", text):
        if [f"lattice.collision={names}"] not in found:
            found.append([f"lattice.collision={names}"])
    found += [[f"fluid.lattice_velocity={value}"] for value in re.findall(r"fluid\.lattice_velocity to ([\d.e-]+)", text)]
    if re.search(r"(smaller|lower) fluid\.lattice_velocity(?! to)", text):
        mach = [float(m) for m in re.findall(r"Mach ([\d.]+)(?:, above 0\.[24]| is above)", text)]
        factor = min([0.5, *(0.19 / m for m in mach)])
        found.append([f"fluid.lattice_velocity={lattice_velocity * factor:.4g}"])
    found += [("smaller", key, float(f)) for key, f in re.findall(
        r"(\S+): it may drive the flow [^;]*?make it ([\d.]+) times smaller", text)]
    if "ramp_time of inlets" in text:
        found.append("ramp")
    found += [("finer", float(f)) for f in re.findall(r"a grid ([\d.]+) times finer", text)]
    if "a finer grid" in text:
        found.append(("finer", 2.0))
    return found
