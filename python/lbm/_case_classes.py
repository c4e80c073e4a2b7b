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
    Turbulence,
)
from lbm._groups import Group, Named
from lbm._result_classes import (
    Checkpoint,
    Expectation,
    FieldOutput,
    Output,
    Probe,
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
    "Run",
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
    """What the numbers of the case are measured in. `lattice`: cells and dimensionless numbers;
    `si`: metres, seconds, kilograms. docs/units.md lists both. Word; default: lattice."""
    grid: Grid = field(default_factory=Grid)
    boundaries: Boundaries = field(default_factory=Boundaries)
    fluid: Fluid = field(default_factory=Fluid)
    lattice: Lattice = field(default_factory=Lattice)
    bodies: dict[str, Body] = field(default_factory=functools.partial(Named, Body))
    force: Force = field(default_factory=Force)
    initial: Initial = field(default_factory=Initial)
    run: Run = field(default_factory=Run)
    tiling: Tiling = field(default_factory=Tiling)
    device: Device = field(default_factory=Device)
    host: Host = field(default_factory=Host)
    output: Output = field(default_factory=Output)
    outputs: dict[str, FieldOutput] = field(default_factory=functools.partial(Named, FieldOutput))
    statistics: dict[str, Statistics] = field(default_factory=functools.partial(Named, Statistics))
    probes: dict[str, Probe] = field(default_factory=functools.partial(Named, Probe))
    checkpoint: Checkpoint = field(default_factory=Checkpoint)
    expect: dict[str, Expectation] = field(default_factory=functools.partial(Named, Expectation))
