# SPDX-License-Identifier: Apache-2.0
"""Scalars of a case by their names: in outputs, probes and the fields of a simulation."""

import pathlib

import numpy as np
import pytest
from conftest import SMALL_CASE

import lbm

WARM = SMALL_CASE + """\
scalars:
  warmth:
    prandtl: 0.7
    reference: 300
    difference: 20
    initial: "310 - 20*z/lz"
    boundaries: {z_min: {type: value, value: 310}, z_max: {type: value, value: 290}}
probes: {p: {points: [[3.5, 4.5, 6.5], [8.5, 4.5, 6.5]]}}
"""


def test_they_are_fields_of_results_and_simulations(tmp_path: pathlib.Path) -> None:
    case = lbm.Case.from_text(WARM)
    case.outputs["cut"] = lbm.FieldOutput(fields=["warmth", "velocity"], slice="y", at=4)
    results = lbm.run(case, tmp_path / "out", progress=False)
    warmth = np.asarray(results.fields[-1]["warmth"])
    assert warmth.shape == (20, 12, 16) and 288 < warmth.min() < 295 and 305 < warmth.max() < 312
    np.testing.assert_array_equal(np.asarray(results["cut"][-1]["warmth"])[:, 0], warmth[:, 4])
    probe = results.probes["p"]
    np.testing.assert_allclose(probe.scalar("warmth")[-1], [warmth[6, 4, 3], warmth[6, 4, 8]], rtol=1e-6)
    assert probe.velocity.shape == (40, 2, 3)
    with pytest.raises(lbm.errors.Error, match="there is no scalar 'dye'; there are: warmth"):
        probe.scalar("dye")
    del case.outputs["cut"], case.probes["p"]
    with lbm.Simulation(case) as simulation:
        simulation.advance()
        np.testing.assert_array_equal(simulation.field("warmth"), warmth)
        stored = simulation.field("warmth", units="lattice")
        np.testing.assert_allclose(300 + 20 * stored, warmth, rtol=1e-6)
        with pytest.raises(lbm.UsageError, match="must be one of .*solid, warmth"):
            simulation.field("dye")


def test_a_dataset_has_them_by_default() -> None:
    pytest.importorskip("xarray")
    with lbm.Simulation(lbm.Case.from_text(SMALL_CASE + "scalars: {dye: {prandtl: 1}}\n")) as simulation:
        assert set(simulation.to_xarray(y=4)) == {"density", "velocity", "dye"}
