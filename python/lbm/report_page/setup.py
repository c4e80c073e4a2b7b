# SPDX-License-Identifier: Apache-2.0
"""The setup of a run: grid, numbers of the flow, faces, bodies, units."""

from __future__ import annotations

from typing import Any

from lbm.report_page.outcome import grid_text
from lbm.report_page.page import Cell, Panel, Table, cells, finite, measured, number, unit_text
from lbm.report_page.source import Source

FACES = ("x_min", "x_max", "y_min", "y_max", "z_min", "z_max")
_TYPES = {
    "wall": "wall",
    "slip": "free slip: a side without friction",
    "periodic": "periodic: continues at the opposite face",
    "velocity": "inlet or outlet of given velocity",
    "pressure": "pressure is given",
    "outflow": "outflow: lets waves out",
    "far_field": "far field: velocity and pressure far away",
}
_COLLISIONS = {
    "bgk": "BGK (one relaxation time)",
    "trt": "TRT (two relaxation times)",
    "regularised": "regularised",
    "regularised_filtered": "regularised, filtered",
}
_BODY_DEFAULTS = {"solid": True, "walls": "auto"}
_LENGTHS = {"radius", "center", "from", "to", "translate", "length", "thickness", "size", "width"}
_MOST_BODIES = 30


def setup_panel(source: Source) -> Panel:
    """Tables of what was computed."""
    panel = Panel("Setup")
    if not source.entries and not source.report:
        panel.empty = "There is neither an effective case nor a report that could be read."
        return panel
    panel.tables.append(Table([], [row for row in _rows(source) if row[1].text not in ("", "–")]))
    if faces := _faces(source):
        panel.tables.append(Table(["Face", "Condition", "Values"], faces, "Faces of the box"))
    if bodies := _bodies(source):
        panel.tables.append(Table(["Body", "Shape", "Values"], bodies, "Bodies"))
    if source.units:
        panel.tables.append(_units(source))
    if source.case_text:
        panel.folded.append(("The whole case, with all defaults", source.case_text))
    return panel


def _rows(source: Source) -> list[list[Cell]]:
    flow, entries, report = source.flow, source.entries, source.report
    count = finite(report.get("cell_count"))
    total = f" = {number(count)} cells" if count else ""
    collision = str(report.get("collision") or entries.get("lattice.collision") or "")
    les = finite(entries.get("lattice.smagorinsky"))
    turbulence = f", Smagorinsky model with constant {number(les)}" if les else ""
    rows = [
        ("Grid", grid_text(source) + total, "cells along x, y, z"),
        ("Box", _box(source), "edges along x, y, z"),
        ("Solid cells", _solid(source), "cells inside bodies"),
        ("Reynolds number", number(flow.get("reynolds")), "velocity × length / viscosity"),
        ("Target Reynolds number", number(flow.get("target_reynolds")), source.caution),
        ("Mach number", number(flow.get("mach")), "velocity / speed of sound on the lattice; "
         "errors of compression are of the order of its square"),
        ("Relaxation time τ", number(flow.get("tau"), 6), "1/2 + 3 × viscosity on the lattice"),
        ("Collision", _COLLISIONS.get(collision, collision) + turbulence, "model of viscosity"),
        ("Storage", _storage(source), "numbers that are kept for each cell"),
        ("Driving force", _force(source), "acceleration of the fluid"),
        ("Flow at the start", str(entries.get("initial.flow", "")), ""),
        ("End of the run", _end(source), ""),
    ]  # fmt: skip
    return [[Cell(name, hint=hint), Cell(text), Cell(hint, "hint")] for name, text, hint in rows]


def _box(source: Source) -> str:
    counts = source.report.get("cells") or source.entries.get("grid.cells")
    cell = source.units.get("cell")
    length = source.units.get("reference length")
    if not (isinstance(counts, list) and cell and length):
        return ""
    if source.is_si:
        edges = [finite(n) for n in counts]
        return " × ".join(number((n or 0) * cell[0]) for n in edges) + " m"
    edges = [(finite(n) or 0) / length[2] for n in counts]
    return " × ".join(number(n) for n in edges) + " L"


def _solid(source: Source) -> str:
    solid = finite(source.report.get("solid_cells"))
    porosity = finite(source.report.get("porosity"))
    if not solid or porosity is None:
        return ""
    return f"{number(solid)} ({number(100 * (1 - porosity), 3)} % of the box)"


def _storage(source: Source) -> str:
    storage = str(source.report.get("storage") or source.entries.get("lattice.storage") or "")
    kind = source.report.get("representation") or source.entries.get("lattice.representation")
    count = {"populations": "19 populations", "moments": "10 moments"}.get(str(kind), "")
    return f"{count} in {storage}" if count and storage else storage


def _force(source: Source) -> str:
    force = source.entries.get("force.acceleration")
    if not isinstance(force, list) or force == [0.0, 0.0, 0.0]:
        return ""
    return f"{value_text(force)} {'m/s²' if source.is_si else 'U²/L'}"


def _end(source: Source) -> str:
    unit = "s" if source.is_si else "L/U"
    entries = source.entries
    parts = []
    for key, of in (("steps", "steps"), ("convective_times", "L/U"), ("time", unit)):
        if (value := entries.get(f"run.{key}")) is not None:
            parts.append(f"after {value_text(value)} {of}")
    if (steady := entries.get("run.until_steady.tolerance")) is not None:
        parts.append(f"or when steady within {value_text(steady)}")
    return " ".join(parts)


def value_text(value: Any) -> str:
    """A value of a case: (0, 0, 1)."""
    if isinstance(value, (list, tuple)):
        return f"({', '.join(value_text(one) for one in value)})"
    if isinstance(value, bool):
        return "yes" if value else "no"
    return number(value, 6) if finite(value) is not None else str(value)


def _faces(source: Source) -> list[list[Cell]]:
    speed = " m/s" if source.is_si else " U"
    rows = []
    for face in FACES:
        start = f"boundaries.{face}."
        given = {k[len(start) :]: v for k, v in source.entries.items() if k.startswith(start)}
        kind = str(given.pop("type", ""))
        if not kind:
            continue
        if given.get("velocity") == [0.0, 0.0, 0.0]:
            del given["velocity"]
        moving = kind == "wall" and "velocity" in given
        what = "wall that slides" if moving else _TYPES.get(kind, kind)
        if kind == "wall" and not moving:
            what = "wall at rest"
        time = " s" if source.is_si else " L/U"
        units = {"velocity": speed, "pressure": " Pa" if source.is_si else " ρ₀ U²"}
        units |= {"ramp_time": time, "period": time}
        values = [
            f"{k.replace('_', ' ')} {value_text(v)}{units.get(k, '')}" for k, v in given.items()
        ]
        rows.append(cells(face, what, "; ".join(values)))
    return rows


def _bodies(source: Source) -> list[list[Cell]]:
    bodies: dict[str, dict[str, Any]] = {}
    for path, value in source.entries.items():
        group, _, rest = path.partition(".")
        name, _, key = rest.partition(".")
        if group == "bodies" and key:
            bodies.setdefault(name, {})[key] = value
    rows = []
    for name, given in list(bodies.items())[:_MOST_BODIES]:
        shape = str(given.pop("shape", ""))
        values = []
        for key, value in given.items():
            if _BODY_DEFAULTS.get(key) == value:
                continue
            if key == "file":
                value = str(value).rpartition("/")[2]
            unit = (" m" if source.is_si else " cells") if key in _LENGTHS else ""
            values.append(f"{key.replace('_', ' ')} {value_text(value)}{unit}")
        rows.append(cells(name, shape, "; ".join(values)))
    if len(bodies) > _MOST_BODIES:
        rows.append(cells("…", f"{len(bodies) - _MOST_BODIES} more", "in the whole case, below"))
    return rows


def _units(source: Source) -> Table:
    rows = []
    for name, (value, unit, lattice) in source.units.items():
        rows.append(cells(name, measured(value, unit), number(lattice)))
    system = "SI" if source.is_si else "units of the flow"
    return Table(
        ["Quantity", f"In {system}", "On the lattice"],
        rows,
        "Units: what a number of the lattice (cells, steps) stands for",
    )


def unit_sentence(source: Source) -> str:
    """The sentence on the units of this page: SI, or what L, U and ρ₀ are."""
    if source.is_si:
        return "All numbers are in SI units."
    length = source.units.get("reference length")
    cells_of_length = f" ({number(length[2])} cells)" if length else ""
    return (
        f"Numbers are in units of the flow: L is the reference length{cells_of_length}, U the "
        f"reference velocity, {unit_text('rho0')} the initial density; so times are in L/U, "
        f"pressures in {unit_text('rho0 U^2')}."
    )
