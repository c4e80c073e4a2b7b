"""The groups of a case, their attributes the keys of the key table: all of them.

Generated; to change it, change the table in cases/case/schema/keys_*.cpp, then
python -m lbm.generate_case_classes python/lbm
"""

import functools
import typing
from dataclasses import dataclass, field

from lbm._box_classes import (
    Body,
    Boundaries,
    Face,
    Grid,
    Patch,
    Sponge,
    Turbulence,
)
from lbm._groups import Group, Named, Settable, group
from lbm._result_classes import (
    Checkpoint,
    Expectation,
    FieldOutput,
    Output,
    Probe,
    Quantity,
    Statistics,
)
from lbm._run_classes import (
    Device,
    Fluid,
    Force,
    Host,
    Initial,
    Lattice,
    Run,
    Tiling,
    UntilSteady,
)

__all__ = [
    "Body",
    "Boundaries",
    "Checkpoint",
    "Device",
    "Expectation",
    "Face",
    "FieldOutput",
    "Fluid",
    "Force",
    "Grid",
    "Host",
    "Initial",
    "Lattice",
    "Output",
    "Patch",
    "Probe",
    "Quantity",
    "Run",
    "Sponge",
    "Statistics",
    "Tiling",
    "Turbulence",
    "UntilSteady",
]


@dataclass(kw_only=True, repr=False)
class CaseKeys(Group, path=""):
    """The keys of a case; see `lbm.Case`."""

    name: str = "case"
    """Name of the case; results go to `out/<name>` unless `output.directory` says otherwise.
    Text, 1 to 100 letters, digits, `_`, `-` or `.`, the first a letter, digit or `_`; default:
    case."""
    units: typing.Literal["lattice", "si"] = "lattice"
    """Units of all numbers in the case. `lattice`: cells and dimensionless numbers; `si`:
    metres, seconds, kilograms. docs/units.md lists both. Word; default: lattice."""
    grid: Settable[Grid] = group(Grid)
    boundaries: Settable[Boundaries] = group(Boundaries)
    sponge: Settable[Sponge] = group(Sponge)
    fluid: Settable[Fluid] = group(Fluid)
    lattice: Settable[Lattice] = group(Lattice)
    bodies: dict[str, Body] = field(default_factory=functools.partial(Named, Body))
    force: Settable[Force] = group(Force)
    initial: Settable[Initial] = group(Initial)
    run: Settable[Run] = group(Run)
    tiling: Settable[Tiling] = group(Tiling)
    device: Settable[Device] = group(Device)
    host: Settable[Host] = group(Host)
    output: Settable[Output] = group(Output)
    outputs: dict[str, FieldOutput] = field(default_factory=functools.partial(Named, FieldOutput))
    statistics: dict[str, Statistics] = field(default_factory=functools.partial(Named, Statistics))
    probes: dict[str, Probe] = field(default_factory=functools.partial(Named, Probe))
    quantities: dict[str, Quantity] = field(default_factory=functools.partial(Named, Quantity))
    checkpoint: Settable[Checkpoint] = group(Checkpoint)
    expect: dict[str, Expectation] = field(default_factory=functools.partial(Named, Expectation))
