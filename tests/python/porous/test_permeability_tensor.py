# SPDX-License-Identifier: Apache-2.0
"""Cases from images, and the permeability tensor of three runs."""

import csv
import json
import pathlib
import typing

import numpy as np
import pytest

import lbm
from lbm import porous


def on_a_core(case: lbm.Case) -> lbm.Case:
    return case.replace({"device.threads": 1, "device.backend": "cpu"})


@pytest.fixture
def grains(tmp_path: pathlib.Path) -> pathlib.Path:
    """A pack of 20^3 voxels."""
    return porous.save(tmp_path / "grains.npy", porous.overlapping_spheres(20, 5, 0.5, seed=3))


@pytest.fixture
def plates(tmp_path: pathlib.Path) -> pathlib.Path:
    """Plates at 45 degrees to x and z, along y: 8 x 8 voxels of a period of 8 along x and z, 3 solid."""
    z, y, x = np.indices((8, 2, 8))
    return porous.save(tmp_path / "plates.npy", ((x + z) % 8 < 3).astype(np.uint8))


def test_plates_at_an_angle(plates: pathlib.Path, tmp_path: pathlib.Path) -> None:
    """No flow crosses them, whatever drives it: the normal is a principal direction with k = 0."""
    case = on_a_core(porous.image_case(plates)).replace({"lattice.storage": "fp64"})
    found = porous.permeability_tensor(case, tmp_path / "out")
    k = found.cells2
    assert found.status == ("steady",) * 3 and found.porosity == 0.625
    largest = k[1, 1]
    assert largest > 0.3
    assert np.abs(k @ [1, 0, 1]).max() < 1e-5 * largest
    assert np.abs(k[1, [0, 2]]).max() < 1e-9 * largest and k[0, 2] < -0.1
    assert found.asymmetry < 1e-6
    assert found.principal_values[[0, 2]] == pytest.approx([largest, 0], abs=1e-5 * largest)
    across = found.principal_directions[2]
    assert np.abs(across) == pytest.approx([np.sqrt(0.5), 0, np.sqrt(0.5)], abs=1e-5)
    # Along x the fluid goes down the plates: its speed is sqrt(2) times its velocity along x, and
    # more near steps of the wall.
    assert found.tortuosity[1] == pytest.approx(1, abs=1e-6)
    assert 1.41 < found.tortuosity[0] < 1.5


def test_a_tensor_is_symmetric_and_has_all_units(
    grains: pathlib.Path, tmp_path: pathlib.Path
) -> None:
    lattice_case = on_a_core(porous.image_case(grains, tau=1.2))
    found = porous.permeability_tensor(lattice_case, tmp_path / "l", voxel=2e-6)
    assert found.asymmetry < 1e-4
    assert np.abs(found.cells2[0, 1]) > 1e-3 * found.cells2[0, 0]  # there is something to compare
    si_case = on_a_core(porous.image_case(grains, voxel=2e-6, viscosity=3e-6, tau=1.2))
    si = porous.permeability_tensor(si_case, tmp_path / "si")
    np.testing.assert_allclose(si.cells2, found.cells2, rtol=1e-4, atol=1e-4 * found.cells2.max())
    np.testing.assert_allclose(si.darcy, found.cells2 * 4e-12 / 9.869233e-13, rtol=1e-3, atol=1e-4)
    assert si.voxel == 2e-6
    report = lbm.open(si.directories[2]).report
    (k,) = (one for one in report["quantities"] if one["name"] == "permeability")
    assert k["darcy"] == pytest.approx(si.darcy[2, 2], rel=1e-9)
    # Darcy: superficial velocity = k / viscosity x acceleration.
    acceleration = si_case.force.acceleration[2]
    velocity = si.m2[2, 2] / 3e-6 * acceleration
    assert si.pore_velocity[2] * si.porosity == pytest.approx(velocity, rel=1e-6)
    # Both cases are the same on the lattice.
    assert si.steps == found.steps and max(si.pore_reynolds) < 0.1
    assert si.pore_reynolds == pytest.approx(found.pore_reynolds, rel=1e-4)
    # The part of the tensor in its principal directions.
    rows = si.principal_directions
    np.testing.assert_allclose(
        rows @ si.symmetric @ rows.T, np.diag(si.principal_values), atol=1e-9
    )


def test_summary_files(grains: pathlib.Path, tmp_path: pathlib.Path) -> None:
    case = on_a_core(porous.image_case(grains))
    found = porous.permeability_tensor(case, tmp_path / "out", voxel=1e-6)
    content = json.loads((tmp_path / "out" / "permeability.json").read_text())
    assert content == found.as_dict()
    assert content["darcy"] == found.darcy.tolist()
    with (tmp_path / "out" / "permeability.csv").open() as file:
        rows = list(csv.DictReader(file))
    assert [row["along"] for row in rows] == ["x", "y", "z"]
    assert float(rows[1]["k_z_m2"]) == found.m2[2, 1]
    assert [float(row["tortuosity"]) for row in rows] == list(found.tortuosity)
    text = str(found)
    assert "permeability [darcy]" in text and "steps: steady after" in text


def test_finished_runs_are_not_repeated(grains: pathlib.Path, tmp_path: pathlib.Path) -> None:
    case = on_a_core(porous.image_case(grains))
    first = porous.permeability_tensor(case, tmp_path / "out")
    reports = [pathlib.Path(name) / "report.json" for name in first.directories]
    stamps = [file.stat().st_mtime_ns for file in reports]
    for file in pathlib.Path(first.directories[1]).iterdir():
        file.unlink()
    again = porous.permeability_tensor(case, tmp_path / "out")
    np.testing.assert_array_equal(again.cells2, first.cells2)
    after = [file.stat().st_mtime_ns for file in reports]
    assert after[0] == stamps[0] and after[1] > stamps[1] and after[2] == stamps[2]
    other = case.replace({"fluid.tau": 1.1})
    with pytest.raises(lbm.UsageError, match="holds a run of another case: fluid.tau"):
        porous.permeability_tensor(other, tmp_path / "out")


def test_the_region_is_that_of_the_quantity(grains: pathlib.Path, tmp_path: pathlib.Path) -> None:
    case = on_a_core(porous.image_case(grains))
    box: dict[str, list[float]] = {"box_from": [0, 0, 5], "box_to": [20, 20, 15]}
    case.quantities = {"k": {"kind": "permeability", "every_steps": 50, **box}}
    case.run.until_steady.quantities = ["k"]
    found = porous.permeability_tensor(case, tmp_path / "out")
    labels = np.load(grains)
    assert found.porosity == pytest.approx(1 - labels[5:15].mean())
    assert found.porosity != pytest.approx(1 - labels.mean(), abs=1e-4)
    report = lbm.open(found.directories[0]).report
    names = {one["name"]: one["value"] for one in report["quantities"]}
    assert found.cells2[0, 0] == pytest.approx(names["k"], rel=1e-12)
    assert found.cells2[2, 0] == pytest.approx(
        names["k"] * names["mean_velocity_z"] / names["mean_velocity_x"]
    )
    assert list(case.quantities) == ["k"], "the case of the caller is left alone"


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"boundaries.y_max": "slip", "boundaries.y_min": "slip"}, "boundaries.y_min: found slip"),
        ({"force.acceleration": None, "quantities": {}, "run.until_steady": None}, "found None"),
        ({"quantities.k": {"kind": "permeability"}}, "found permeability, k of kind permeability"),
        (
            {"quantities.tortuosity": {"kind": "pore_velocity"}},
            "quantities.tortuosity.kind: found 'pore_velocity', must be 'tortuosity'",
        ),
    ],
)
def test_what_gives_no_tensor(
    grains: pathlib.Path, tmp_path: pathlib.Path, changes: dict[str, typing.Any], message: str
) -> None:
    case = porous.image_case(grains).replace(changes)
    with pytest.raises(lbm.UsageError) as caught:
        porous.permeability_tensor(case, tmp_path / "out")
    assert message in str(caught.value) and "\n" not in str(caught.value)
    assert not (tmp_path / "out").exists()


def test_files_of_others_are_left_alone(grains: pathlib.Path, tmp_path: pathlib.Path) -> None:
    case = porous.image_case(grains)
    for name, text in (("permeability.json", '{"kind": "mine"}'), ("permeability.csv", "a,b\n")):
        (tmp_path / name).mkdir()
        (tmp_path / name / name).write_text(text)
        with pytest.raises(lbm.UsageError, match="was not written by permeability_tensor"):
            porous.permeability_tensor(case, tmp_path / name)
        assert (tmp_path / name / name).read_text() == text
    with pytest.raises(lbm.UsageError, match="voxel: found 0"):
        porous.permeability_tensor(case, tmp_path / "v", voxel=0)
    si = porous.image_case(grains, voxel=2e-6)
    with pytest.raises(lbm.UsageError, match="voxel: found 1e-06, must be 2e-06"):
        porous.permeability_tensor(si, tmp_path / "v", voxel=1e-6)


# Cases from images.


def test_a_case_is_steady_when_it_ends(grains: pathlib.Path) -> None:
    case = on_a_core(porous.image_case(grains, along="x"))
    with lbm.Simulation(case) as simulation:
        simulation.advance()
        ended = simulation.report.quantities[0]
        limit = simulation.report.until_steady[0]
        assert simulation.report.exit_reason == "steady"
        steps = simulation.step
    # Longer, and with another viscosity and force: k is the same.
    longer = on_a_core(porous.image_case(grains, along="x", tau=0.9))
    assert abs(longer.fluid.tau - case.fluid.tau) > 0.2
    longer = longer.replace({"run.until_steady": None, "run.steps": 4 * steps})
    with lbm.Simulation(longer) as simulation:
        simulation.advance()
        # Even and odd steps differ by 7e-5 in this pack, also in fp64.
        known = simulation.report.quantities[0]["value"]
        assert abs(ended["value"] / known - 1) < 2 * limit["error"] < 2e-3


def test_the_start_does_not_change_the_permeability(grains: pathlib.Path) -> None:
    found = []
    for flow in ("darcy", "rest"):
        case = on_a_core(porous.image_case(grains))
        assert case.initial.flow == "darcy"
        case.initial.flow = flow
        case = case.replace({"run.until_steady": None, "run.steps": 1500})
        with lbm.Simulation(case) as simulation:
            simulation.advance()
            found.append(simulation.report.quantities[0]["value"])
    assert found[0] == pytest.approx(found[1], rel=5e-4)


def test_the_prediction_is_of_the_right_size(grains: pathlib.Path) -> None:
    """Plates 6 of 8 voxels apart: a surface of 2 / 8 in a unit of volume, x 2/3."""
    z, _, _ = np.indices((8, 4, 4))
    space = porous.pore_space(z < 2)
    assert space.cells == (4, 4, 8)
    assert (space.porosity, space.surface) == (0.75, pytest.approx(2 / 8 * 2 / 3))
    assert space.diameter == pytest.approx(4 * 0.75 / space.surface)
    labels = np.load(grains)
    turned = porous.pore_space(labels.transpose(2, 0, 1) + 7, fluid=[7])
    assert turned.surface == porous.pore_space(labels).surface
    with pytest.raises(lbm.UsageError, match="found pores in 0 of 64 voxels, must have both"):
        porous.pore_space(np.ones((4, 4, 4), dtype=np.uint8))


def test_a_raw_file_makes_the_same_case(grains: pathlib.Path, tmp_path: pathlib.Path) -> None:
    raw = porous.save(tmp_path / "grains.raw", np.load(grains).astype(np.uint16) * 300)
    one = on_a_core(porous.image_case(grains))
    other = on_a_core(porous.image_case(raw, cells=(20, 20, 20), type="uint16"))
    values = []
    for case in (one, other):
        with lbm.Simulation(case) as simulation:
            simulation.advance(100)
            values.append(simulation.report.last_look.kinetic_energy)
    assert values[0] == values[1] > 0


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda path: porous.image_case(path / "none.npy"), "none.npy: does not exist"),
        (lambda path: porous.image_case(path / "a.raw"), "a.raw: has no header that is known"),
        (lambda path: porous.image_case(path / "text.npy"), "text.npy: is no .npy file"),
        (
            lambda path: porous.image_case(path / "flat.npy"),
            "flat.npy: is an image of sizes (3, 3), must have three axes",
        ),
        (lambda path: porous.image_case(path / "grains.npy", along="w"), "along: found 'w'"),
    ],
)
def test_what_is_no_image(
    grains: pathlib.Path, call: typing.Callable[[pathlib.Path], object], message: str
) -> None:
    (grains.parent / "text.npy").write_text("labels")
    (grains.parent / "a.raw").write_bytes(b"labels")
    np.save(grains.parent / "flat.npy", np.zeros((3, 3), dtype=np.uint8))
    with pytest.raises(lbm.UsageError) as caught:
        call(grains.parent)
    assert message in str(caught.value) and "\n" not in str(caught.value)
