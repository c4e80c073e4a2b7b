# SPDX-License-Identifier: Apache-2.0
"""Random changes of a case: keys from the table that `lbm keys` prints, values near those of the case."""

import collections
import json
import pathlib
import re
import subprocess

SOURCE = pathlib.Path(__file__).resolve().parents[2]
FACES = [f"{axis}_{side}" for axis in "xyz" for side in ("min", "max")]
# How often a section of the reference is drawn from.
SECTIONS = {"fluid": 7, "lattice": 7, "boundaries": 6, "bodies": 5, "initial": 3, "grid": 3, "run": 2, "tiling": 2, "force": 2,
            "output": 1, "outputs": 1, "statistics": 1, "probes": 1, "quantities": 1}
# Keys that are not drawn: they describe the machine or files, or have no effect on the flow.
LEFT_OUT = re.compile(r"\.file$|directory|walltime|\.solids$|\.of$|\.bodies$|on_error|exchange|\.units$|quantities\.NAME\.patch")
# Keys that users change first are drawn four times as often as the others of their section.
FIRST = re.compile(r"reynolds|lattice_velocity|viscosity|tau$|collision|storage|representation|FACE\.(type|velocity|pressure)$|walls"
                   r"|radius|center$|from$|to$|scheme|steps_per_visit|cells$|acceleration|initial\.(flow|velocity)|pressure_drop")
FACTORS = [0.1, 0.3, 0.5, 0.8, 1.25, 2, 3, 10]
FORMULAS = ["1 - exp(-t)", "1 + 0.5*sin(t)", "cos(t)"]

Key = collections.namedtuple("Key", "path type allowed only_si")


def call(command):
    return subprocess.run([str(word) for word in command], capture_output=True, text=True, check=False, timeout=1800)


def flags(settings):
    return [word for s in settings for word in ("--set", s)]


def small_cases():
    """Settings that make the shipped cases small, by name: the table of tests/cases/library_cases.hpp."""
    text = re.sub(r"^\s*//.*$", "", (SOURCE / "tests/cases/library_cases.hpp").read_text(), flags=re.M)
    entry = re.compile(r'\{"(\w+)",\s*\{((?:\s*"(?:[^"\\]|\\.)*",?)*)\s*\}\}')
    found = {name: re.findall(r'"((?:[^"\\]|\\.)*)"', sets) for name, sets in entry.findall(text)}
    shipped = {path.stem for path in (SOURCE / "cases").glob("*.yaml")}
    if set(found) != shipped:
        raise RuntimeError(f"tests/cases/library_cases.hpp: read {sorted(found)}, must name {sorted(shipped)}")
    return found


def key_table(lbm):
    """All keys of the reference whose values can be drawn."""
    rows = re.findall(r"^\| `([\w.]+)` \| ([^|]+) \| [^|]+ \| ([^|]+) \| ([^|]*)", call([lbm, "keys"]).stdout, flags=re.M)
    keys = [Key(path, kind.strip(), allowed.strip(), "`units: si` only" in meaning) for path, kind, allowed, meaning in rows]
    return [key for key in keys if key.path.split(".")[0] in SECTIONS and not LEFT_OUT.search(key.path)]


def value_at(tree, path):
    for word in path.split("."):
        tree = tree.get(word) if isinstance(tree, dict) else None
    return tree


class Drawer:
    """Draws changes of one case. effective: effective_case.yaml of a run; checked: `lbm check --json`."""

    def __init__(self, keys, effective, checked):
        si = effective["units"] == "si"
        self.keys = [key for key in keys if self.places(key.path, effective) and (si or not key.only_si)]
        self.effective = effective
        rows = {row["name"]: row["value"] for row in checked["units"]["rows"]}
        self.known = {"fluid.reynolds": checked["reynolds"], "fluid.tau": checked["tau"],
                      "fluid.viscosity": rows["viscosity"]}
        self.velocity, self.length, self.time = (rows[n] for n in ("reference velocity", "reference length", "convective time"))

    @staticmethod
    def places(path, effective):
        """The paths that a key of the reference stands for in this case."""
        path = path.replace("boundaries.FACE.patches", "boundaries.*.patches")
        if "FACE" in path:
            return [path.replace("FACE", face) for face in FACES]
        if "*" in path:
            faces = effective.get("boundaries") or {}
            return [path.replace("*", face).replace("NAME", name) for face in faces for name in faces[face].get("patches") or {}]
        if "NAME" not in path:
            return [path]
        section = path.split(".")[0]
        return [path.replace("NAME", name) for name in effective.get(section) or {}]

    def draw(self, rng):
        """Settings of one change; empty where the drawn key has no value to start from."""
        sections = sorted({key.path.split(".")[0] for key in self.keys})
        section = rng.choices(sections, [SECTIONS[s] for s in sections])[0]
        keys = [k for k in self.keys if k.path.split(".")[0] == section]
        key = rng.choices(keys, [4 if FIRST.search(k.path) else 1 for k in keys])[0]
        path = rng.choice(self.places(key.path, self.effective))
        value = self.value(rng, key, path)
        if value is None:
            return []
        settings = [f"{path}={value}"]
        if value == "periodic":  # of both faces of an axis, or of neither
            other = path.replace("_min", "_MAX").replace("_max", "_min").replace("_MAX", "_max")
            settings.append(f"{other}={value}")
        if value == "velocity" or (path, value) == ("initial.flow", "uniform"):
            item = path.removesuffix(".type").removesuffix(".flow")
            along = rng.randrange(3) if item == "initial" else "xyz".index(path.split(".")[1][0])
            speed = self.velocity * rng.choice([0.3, 1]) * (-1 if "_max" in path else 1)
            settings.append(f"{item}.velocity={[speed if i == along else 0 for i in range(3)]}")
        return settings

    def value(self, rng, key, path):
        now = value_at(self.effective, path)
        if key.type == "word":
            others = [word for word in key.allowed.split(", ") if word != now]
            return rng.choice(others) if others else None
        if key.type == "switch":
            return rng.choice(["true", "false"])
        if key.type == "formula":
            return f'"{rng.choice(FORMULAS)}"' if path.endswith("velocity_factor") else None
        if key.type in ("number", "whole number"):
            return self.number(rng, key, path, now)
        if key.type.startswith("list of"):
            return self.numbers(rng, path, now)
        return None

    def number(self, rng, key, path, now):
        now = self.known.get(path, now)
        if isinstance(now, (int, float)) and not isinstance(now, bool) and now != 0:
            low = 0.5 if path == "fluid.tau" else 0
            value = low + (now - low) * rng.choice(FACTORS if path != "fluid.reynolds" else [*FACTORS, 30, 100])
        elif key.type == "whole number":
            value = rng.choice([1, 2, 3, 7, 20, 100])
        elif re.search(r"period|time|start|average_from", path):
            value = rng.choice([0.3, 1, 3]) * self.time
        elif re.search(r"pressure|drop", path):
            value = rng.choice([-1, -0.1, 0.1, 1]) * self.velocity ** 2
        elif re.search(r"length|radius|thickness|\.at$", path):
            value = rng.choice([0.2, 0.5, 1]) * self.length
        elif path.endswith("tolerance"):
            value = rng.choice([1e-3, 1e-6])
        else:
            value = rng.choice([0.05, 0.1, 0.2, 0.5])
        return str(max(1, round(value))) if key.type == "whole number" else f"{value:.6g}"

    def numbers(self, rng, path, now):
        if path == "grid.cells" and now:
            factor, axes = rng.choice([0.5, 0.75, 1.25, 1.5]), rng.choice([[0], [1], [2], [0, 1, 2]])
            return json.dumps([max(2, round(n * factor)) if i in axes else n for i, n in enumerate(now)])
        if now is None and path.endswith("angular_velocity"):
            now = [0, rng.choice([-1, 0.5, 1]) * self.velocity / self.length, 0]
        elif now is None and re.search(r"velocity|acceleration", path):
            now = [0, 0, 0]
            now[rng.randrange(3)] = rng.choice([-0.5, 0.1, 0.5, 1]) * self.velocity
        if not isinstance(now, list) or not now or any(isinstance(n, (str, list, dict)) for n in now):
            return None
        way = rng.choice(["scale", "one", "turn", "negate"])
        if way == "scale":
            factor = rng.choice([0.3, 0.5, 0.8, 1.25, 2, 3])
            now = [n * factor for n in now]
        elif way == "one":
            now = list(now)
            now[rng.randrange(len(now))] *= rng.choice([0.5, 0.9, 1.1, 1.5])
        elif way == "turn":
            now = now[1:] + now[:1]
        else:
            now = [-n for n in now]
        return "[" + ", ".join(f"{n:.6g}" for n in now) + "]"
