# SPDX-License-Identifier: Apache-2.0
"""Labels of axes, curves and colour bars: a quantity and its unit."""

from __future__ import annotations

import re

from lbm.results.table import Table

# Columns of tables: their quantity, and its unit in lattice units and in SI (docs/output.md).
COLUMNS = (
    (r"time", "time", "L/U", "s"),
    (r"[xyz]", "", "L", "m"),
    (r"u[xyz](_\d+)?", "velocity", "U", "m/s"),
    (r"speed_max", "speed", "U", "m/s"),
    (r"p_\d+", "pressure", "rho0 U^2", "Pa"),
    (r"kinetic_energy", "kinetic energy", "rho0 U^2", "J/m^3"),
    (r"momentum_[xyz]", "momentum", "rho0 U", "kg/(m^2 s)"),
    (r"density(_min|_max)?", "density", "rho0", "rho0"),
    (r"f[xyz]", "force", "rho0 U^2 L^2", "N"),
    (r"t[xyz]", "torque", "rho0 U^2 L^3", "N m"),
    (r"c[xyz]", "force coefficient", "", ""),
    (r"ct[xyz]", "torque coefficient", "", ""),
)
_MOST_CASE = 1 << 20  # characters of a case: a case file has no more
_RAISED = str.maketrans("0123456789", "⁰¹²³⁴⁵⁶⁷⁸⁹")


def words(name: str) -> str:
    """The name of a field or column as text."""
    return name.replace("q_criterion", "Q criterion").replace("_", " ")


def labelled(label: str, unit: str) -> str:
    """`speed / U` for units of the flow, `speed [m/s]` for others; the label without a unit."""
    if not unit or not label:
        return label
    shown = re.sub(r"\^(\d+)", lambda found: found[1].translate(_RAISED), unit)
    shown = shown.replace("rho0", "ρ₀")
    if not re.fullmatch(r"(rho0|U|L|\^\d|[ /])+", unit):
        return f"{label} [{shown}]"
    return f"{label} / ({shown})" if " " in unit or "/" in unit else f"{label} / {shown}"


def is_si(table: Table) -> bool:
    """True if a table of a run is in SI units, by its head or by the case beside it."""
    head = " ".join(table.comments[:2])
    if re.search(r"position in|convective times|, N m;", head):
        return "position in m," in head or ", N m;" in head
    path = table.path.parent / "effective_case.yaml"
    try:
        if not path.is_file():  # a pipe would keep the reader waiting
            return False
        with path.open(encoding="utf-8", errors="replace") as file:
            case = file.read(_MOST_CASE)
    except OSError:
        return False
    return re.search(r"^units: *si\b", case, re.MULTILINE) is not None


def column_label(table: Table, name: str) -> tuple[str, str]:
    """The quantity of a column and its unit; the name and no unit where they are not known."""
    for pattern, quantity, reference, si in COLUMNS:
        if re.fullmatch(pattern, name):
            return quantity or name, si if is_si(table) else reference
    return words(name), ""
