# SPDX-License-Identifier: Apache-2.0
"""Three runs of a case, driven along x, y and z, which give its permeability tensor."""

from __future__ import annotations

import json
import math
from pathlib import Path
from typing import Any

import numpy as np

from lbm._arguments import PathLike, path_text
from lbm._case_classes import Quantity
from lbm._files import write_atomically
from lbm.case import Case, as_case
from lbm.errors import UsageError
from lbm.porous.image_case import check_faces
from lbm.porous.tensor import AXES, KIND, PermeabilityTensor
from lbm.progress import Progress
from lbm.results import Results
from lbm.studies import StudyTable, sweep

_DRIVEN = ("permeability", "tortuosity", "pore_velocity", "pore_reynolds")
_REGION = ("box_from", "box_to", "slice", "at")
_SUMMARY, _TABLE = "permeability.json", "permeability.csv"


def permeability_tensor(
    case: Case | PathLike,
    out: PathLike | None = None,
    *,
    voxel: float | None = None,
    checkpoint_minutes: float | None = 15,
    progress: Progress = None,
) -> PermeabilityTensor:
    """Runs a case three times, with its force along x, y and z, and returns the tensor.

    case: a Case or the path of a YAML file, such as that of image_case. Its faces are all periodic;
        the length of `force.acceleration` drives each run. Its quantity of kind `permeability`, if
        there is one, says over which region the tensor is taken; quantities that are missing are
        added. Without `run.until_steady` each run goes on to its last step.
    out: the directory of the study, default out/NAME_permeability; each run has a directory in it,
        and permeability.json and permeability.csv have the numbers.
    voxel: edge of a cell in m, for cases in lattice units; that of a case in SI units is known.
    checkpoint_minutes, progress: as for lbm.sweep.

    A second call, in the same process or another, does not repeat finished runs, continues a
    stopped run from its checkpoint, and replaces no results.

    Raises UsageError before any run for a case that cannot give a tensor, and for a directory of
    other results; the error of a run that fails.
    """
    base = as_case(case)
    check_faces(base, "permeability_tensor")
    strength = _strength(base)
    names = _quantity_names(base)
    study = Path("out", f"{base.name}_permeability") if out is None else Path(path_text(out, "out"))
    _check_summary(study)
    spacing = _spacing(base, voxel)
    base = base.replace({})
    _add_quantities(base, names)
    runs = [{"force.acceleration": [strength * (i == j) for i in range(3)]} for j in range(3)]
    table = sweep(
        base,
        runs,
        study,
        measure=lambda results: _measured(results, names),
        checkpoint_minutes=checkpoint_minutes,
        raise_errors=True,
        progress=progress,
    )
    found = _tensor(table, spacing, base.units == "si")
    write_atomically(study / _SUMMARY, json.dumps(found.as_dict(), indent=1) + "\n")
    write_atomically(study / _TABLE, found.csv())  # second: the summary says whose files these are
    return found


def _strength(case: Case) -> float:
    """The length of the acceleration. Raises UsageError where the case has none."""
    given = case.force.acceleration
    numbers = [value for value in given or () if isinstance(value, (int, float))]
    strength = math.hypot(*numbers) if len(numbers) == 3 else 0.0
    if strength == 0:
        raise UsageError(
            f"permeability_tensor: force.acceleration: found {given!r}, must be three numbers, not all"
            " 0: the length of this vector drives each run"
        )
    return strength


def _quantity_names(case: Case) -> dict[str, str]:
    """The name of the quantity of each kind, and of the mean velocities as velocity.x, .y, .z."""
    kinds = [name for name, asked in case.quantities.items() if asked.kind == "permeability"]
    if len(kinds) > 1:
        raise UsageError(
            f"permeability_tensor: quantities: found {', '.join(kinds)} of kind permeability, must be"
            " one: the tensor is that of its region"
        )
    names = {kind: kind for kind in (*_DRIVEN[1:], "porosity")}
    names = {"permeability": kinds[0] if kinds else "permeability", **names}
    names |= {f"velocity.{axis}": f"mean_velocity_{axis}" for axis in AXES}
    return names


def _add_quantities(case: Case, names: dict[str, str]) -> None:
    """Adds what is missing over the region of the permeability. Raises UsageError where a name is
    taken by another quantity."""
    if names["permeability"] not in case.quantities:
        case.quantities[names["permeability"]] = Quantity(kind="permeability")
    region = {key: getattr(case.quantities[names["permeability"]], key) for key in _REGION}
    for what, name in names.items():
        field = what if what.startswith("velocity.") else None
        wanted: dict[str, Any] = {"kind": "mean" if field else what, "field": field, **region}
        if name not in case.quantities:
            case.quantities[name] = Quantity(**wanted)
        there = case.quantities[name]
        for key, value in wanted.items():
            if getattr(there, key) != value:
                raise UsageError(
                    f"permeability_tensor: quantities.{name}.{key}: found {getattr(there, key)!r}, must"
                    f" be {value!r} or not given: rename this quantity"
                )


def _spacing(case: Case, voxel: float | None) -> float | None:
    """The edge of a cell in m, where it is known."""
    if case.units != "si":
        if voxel is not None and not voxel > 0:
            raise UsageError(f"voxel: found {voxel!r}, must be > 0, the edge of a cell in m")
        return voxel
    spacing = case.grid.spacing or (case.fluid.length or 0) / (case.grid.cells_per_length or 1)
    if voxel is not None and not math.isclose(voxel, spacing, rel_tol=1e-6):
        raise UsageError(
            f"voxel: found {voxel!r}, must be {spacing!r} as in the case, or not given"
        )
    return spacing


def _check_summary(study: Path) -> None:
    """Raises UsageError where the summary would replace a file of something else."""
    for name in (_SUMMARY, _TABLE):
        if (study / name).exists() and not _is_ours(study):
            raise UsageError(
                f"{study / name}: was not written by permeability_tensor; take another out="
            )


def _is_ours(study: Path) -> bool:
    try:
        content = json.loads((study / _SUMMARY).read_text(encoding="utf-8"))
    except (OSError, ValueError, RecursionError):
        return False
    return isinstance(content, dict) and content.get("kind") == KIND


def _measured(results: Results, names: dict[str, str]) -> dict[str, float]:
    """The values at the end of a run by kind."""
    values = {one["name"]: one["value"] for one in results.report["quantities"]}
    return {kind: values[name] for kind, name in names.items()}


def _tensor(table: StudyTable, spacing: float | None, si: bool) -> PermeabilityTensor:
    """The tensor of the three rows."""
    columns = []
    for j, row in enumerate(table.rows):
        velocity = np.array([row[f"velocity.{axis}"] for axis in AXES], dtype=np.float64)
        # The permeability along the force has the units of the program; the mean velocities of the
        # same cells have those of each other.
        along = velocity[j]
        columns.append(row["permeability"] * velocity / along if along else np.zeros(3))
    k = np.array(columns).T
    if si and spacing is not None:
        k = k / spacing**2

    def of_runs(name: str) -> Any:
        return tuple(row[name] for row in table.rows)

    return PermeabilityTensor(
        cells2=k,
        voxel=spacing,
        porosity=table.rows[0]["porosity"],
        tortuosity=of_runs("tortuosity"),
        pore_velocity=of_runs("pore_velocity"),
        pore_reynolds=of_runs("pore_reynolds"),
        steps=of_runs("steps"),
        status=of_runs("status"),
        directories=of_runs("directory"),
    )
