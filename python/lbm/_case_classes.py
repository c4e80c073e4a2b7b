# SPDX-License-Identifier: Apache-2.0
"""The groups of a case, their attributes the keys of the key table: all of them.

Generated; to change it, change the table in cases/case/schema/keys_*.cpp, then
python -m lbm.generate_case_classes python/lbm
"""

import typing
from dataclasses import dataclass

from lbm._box_classes import (
    Body,
    Boundaries,
    Face,
    Grid,
    Patch,
    Sponge,
    Turbulence,
)
from lbm._groups import (
    Group, PathLike, Resets, Settable, SettableNamed, Takes, group, named, unless_given,
)
from lbm._result_classes import (
    Checkpoint,
    Expectation,
    FieldOutput,
    Output,
    Picture,
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
    "Picture",
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

    name: Takes[str, PathLike] = unless_given("case")
    """Name of the case; results go to `out/<name>` unless `output.directory` says otherwise.
    Text, 1 to 100 letters, digits, `_`, `-` or `.`, the first a letter, digit or `_`; default:
    case."""
    units: Resets[typing.Literal["lattice", "si"]] = unless_given("lattice")
    """Units of all numbers in the case. `lattice`: cells and dimensionless numbers; `si`:
    metres, seconds, kilograms. docs/units.md lists both. Word; default: lattice."""
    grid: Settable[Grid] = group(Grid)
    boundaries: Settable[Boundaries] = group(Boundaries)
    sponge: Settable[Sponge] = group(Sponge)
    fluid: Settable[Fluid] = group(Fluid)
    lattice: Settable[Lattice] = group(Lattice)
    bodies: SettableNamed[Body] = named(Body)
    force: Settable[Force] = group(Force)
    initial: Settable[Initial] = group(Initial)
    run: Settable[Run] = group(Run)
    tiling: Settable[Tiling] = group(Tiling)
    device: Settable[Device] = group(Device)
    host: Settable[Host] = group(Host)
    output: Settable[Output] = group(Output)
    outputs: SettableNamed[FieldOutput] = named(FieldOutput)
    statistics: SettableNamed[Statistics] = named(Statistics)
    probes: SettableNamed[Probe] = named(Probe)
    pictures: SettableNamed[Picture] = named(Picture)
    quantities: SettableNamed[Quantity] = named(Quantity)
    checkpoint: Settable[Checkpoint] = group(Checkpoint)
    expect: SettableNamed[Expectation] = named(Expectation)
