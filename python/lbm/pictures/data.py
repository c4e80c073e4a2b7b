# SPDX-License-Identifier: Apache-2.0
"""Data of pictures: a line of JSON, the head, and then float32; the words and units of a head."""

from __future__ import annotations

import json
from typing import Any

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float32]
Head = dict[str, Any]

# Name, reference unit, SI unit, kind of the numbers: all others; never below 0; of both signs.
QUANTITIES = {
    "speed": ("speed", "U", "m/s", "positive"),
    **{f"velocity_{a}": (f"{a}-velocity", "U", "m/s", "signed") for a in "xyz"},
    "density": ("density", "ρ", "kg/m³", "any"),
    "pressure": ("pressure", "ρU²", "Pa", "any"),
    "vorticity": ("vorticity", "(U/L)", "1/s", "positive"),
    **{f"vorticity_{a}": (f"{a}-vorticity", "(U/L)", "1/s", "signed") for a in "xyz"},
    "q_criterion": ("Q", "(U/L)²", "1/s²", "signed"),
}


def words_of(quantity: str) -> tuple[str, str, str, str]:
    """The row of a quantity; a scalar of the case has its name and no unit."""
    return QUANTITIES.get(quantity, (quantity, "", "", "any"))


def read(content: bytes) -> tuple[Head, Floats]:
    """The head and the numbers. Raises ValueError for other content."""
    line, _, numbers = content.partition(b"\n")
    head = json.loads(line)
    if not isinstance(head, dict):
        raise ValueError("no head")
    return head, np.frombuffer(numbers, dtype="<f4")


def in_units(numbers: npt.NDArray[Any], head: Head) -> npt.NDArray[Any]:
    """Coloured numbers of a file in the units of the picture."""
    values: npt.NDArray[Any] = numbers * head["scale"] + head.get("added", 0)
    return values


def length_text(length: float, units: str) -> str:
    """A length in the units of the picture: `0.5 L`, `20 mm`, `16 cells`."""
    if units != "physical":
        return f"{length:.4g} {'cells' if units == 'lattice' else 'L'}"
    for metres, name in ((1e3, "km"), (1, "m"), (1e-3, "mm"), (1e-6, "µm")):
        if abs(length) >= metres * 0.9999:
            return f"{length / metres:.4g} {name}"
    return f"{length:.4g} m"


def number_text(head: Head) -> str:
    """The coloured number: `speed / U`, `pressure in Pa`."""
    name, reference, physical, _ = words_of(head["quantity"])
    if not reference and head["units"] != "lattice":
        return name
    if head["units"] == "reference":
        return f"{name} / {reference}"
    return f"{name} in {physical if head['units'] == 'physical' else 'lattice units'}"


def place_text(head: Head) -> str:
    """The place that is shown: `slice at y = 0.5 L`, `Q = 0.5 (U/L)²`."""
    if "surface" in head:
        name, reference, physical, _ = words_of(head["surface"])
        unit = {"reference": reference, "physical": physical, "lattice": "in lattice units"}
        return f"{name} = {head['value']:.4g} {unit[head['units']]}".rstrip()
    axis = head["normal"]
    if "by" in head:
        return f"{head['by']} along {'xyz'[axis]}"
    at = (head["begin"][axis] + 0.5) * head["cell"]
    return f"slice at {'xyz'[axis]} = {length_text(at, head['units'])}"


def time_text(head: Head) -> str:
    """The time: `t = 12.5 L/U, step 3000`."""
    if head["units"] == "lattice":
        return f"step {head['step']}"
    unit = "s" if head["units"] == "physical" else "L/U"
    return f"t = {head['time']:.4g} {unit}, step {head['step']}"
