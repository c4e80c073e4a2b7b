# SPDX-License-Identifier: Apache-2.0
"""Tests of a simulation: its functions one by one, and its errors."""

import pathlib

import lbm
import numpy
import pytest

from conftest import SMALL_CASE


@pytest.fixture
def case() -> lbm.Case:
    return lbm.Case.from_text(SMALL_CASE)


@pytest.fixture
def simulation(case):
    with lbm.Simulation(case) as simulation:
        yield simulation


def test_it_begins_at_rest(simulation):
    assert (simulation.step, simulation.steps, simulation.time) == (0, 40, 0)
    assert simulation.cells == (16, 12, 20)
    assert not simulation.done
    assert simulation.out is None
    assert numpy.all(simulation.velocity() == 0)
    assert numpy.all(simulation.density() == 1)
    assert simulation.forces == {}


def test_advance_gives_a_report(simulation):
    report = simulation.advance(10)
    assert report.steps == simulation.step == 10
    assert report.exit_reason == "running"
    assert report.last_look.step == 10
    assert report.last_look.kinetic_energy > 0
    assert simulation.time == pytest.approx(10 * 0.1 / 16)
    report = simulation.advance()
    assert (report.steps, report.exit_reason) == (40, "completed")
    assert simulation.done


def test_a_cascade_needs_a_directory(case, tmp_path):
    cascade = case.replace({"run.cascade": 2})
    message = "run.cascade: a run without a directory has no place for its coarser grids: give a"
    with pytest.raises(lbm.UsageError, match=message):
        lbm.Simulation(cascade)
    with lbm.Simulation(cascade, out=tmp_path / "out") as simulation:
        assert simulation.advance().coarser_grids[0].factor == 2


def test_run_gives_reports(simulation):
    assert [report.steps for report in simulation.run(15)] == [15, 30, 40]
    assert list(simulation.run()) == []


def test_run_without_a_number_gives_twenty(simulation):
    simulation.advance(1)
    assert [report.steps for report in simulation.run()] == list(range(3, 41, 2)) + [40]


def test_a_run_that_is_left_goes_on(simulation):
    for report in simulation.run(7):
        if report.steps >= 14:
            break
    assert simulation.step == 14
    simulation.advance()
    assert simulation.step == 40


def test_fields_of_a_part(simulation):
    simulation.advance(20)
    whole = simulation.velocity()
    assert whole.shape == (20, 12, 16, 3)
    assert whole.dtype == numpy.float32
    assert simulation.velocity(((2, 9), None, 4)).shape == (1, 12, 7, 3)
    cuts = [
        (((2, 9), None, 4), numpy.s_[4:5, :, 2:9]),
        ((-1, slice(3, None), (0, -2)), numpy.s_[0:18, 3:, 15:]),
        ((numpy.int64(3), (None, 5), [1, None]), numpy.s_[1:, :5, 3:4]),
    ]
    for box, cut in cuts:
        assert numpy.array_equal(simulation.velocity(box), whole[cut])
    assert numpy.array_equal(simulation.velocity(stride=3), whole[::3, ::3, ::3])
    vorticity = simulation.field("vorticity")
    some = simulation.field("vorticity", ((1, 16), None, (2, 19)), 4)
    assert numpy.array_equal(some, vorticity[2:19:4, ::4, 1:16:4])
    planes = list(simulation.planes("velocity", (None, (2, 4), (5, 17)), 2))
    assert numpy.array_equal(numpy.stack(planes), whole[5:17:2, 2:4:2, ::2])


def test_units_of_fields(simulation):
    simulation.advance(20)
    reference = simulation.velocity()
    assert numpy.allclose(simulation.velocity(units="lattice"), 0.1 * reference, rtol=1e-6)
    assert numpy.array_equal(simulation.velocity(units="reference"), reference)
    si = lbm.Case.from_text(
        SMALL_CASE.replace("reynolds: 20,", "viscosity: 1e-3, velocity: 2, length: 0.01,")
        .replace("fluid:", "units: si\nfluid:")
        .replace("cells: [16, 12, 20]", "cells: [16, 12, 20], spacing: 6.25e-4")
        .replace("velocity: [1, 0, 0]", "velocity: [2, 0, 0]")
    )
    with lbm.Simulation(si) as other:
        other.advance(20)
        assert numpy.allclose(other.velocity(), 2 * reference, rtol=1e-4, atol=1e-5)
        assert numpy.allclose(other.velocity(units="reference"), reference, rtol=1e-4, atol=1e-5)
        assert other.probe([[0.005, 0.00375, 0.0124]]).velocity[0, 0] > 1  # near the lid


def test_a_probe_at_a_cell_centre_is_that_cell(simulation):
    simulation.advance(20)
    values = simulation.probe([3.5, 4.5, 17.5])
    assert values.velocity.shape == (1, 3)
    assert numpy.allclose(values.velocity[0], simulation.velocity((3, 4, 17))[0, 0, 0], atol=1e-7)
    assert values.pressure[0] == pytest.approx(float(simulation.pressure((3, 4, 17))[0, 0, 0]), rel=1e-5)


def test_a_checkpoint_goes_on(case, simulation, tmp_path):
    simulation.advance(13)
    file = simulation.checkpoint(tmp_path / "here.h5")
    assert file == tmp_path / "here.h5"
    assert file.exists()
    with pytest.raises(lbm.UsageError, match="here.h5: there is a file of this name already"):
        simulation.checkpoint(file)
    simulation.advance()
    with lbm.Simulation(case, restart=file) as again:
        assert again.step == 13
        again.advance()
        assert numpy.array_equal(again.velocity(), simulation.velocity())


def test_a_run_in_a_directory_goes_on_there(case, tmp_path):
    out = tmp_path / "out"
    with lbm.Simulation(case, out=out) as first:
        first.advance(25)
        assert first.checkpoint().parent == out
    assert lbm.open(out).report.exit_reason == "closed after step 25 of 40"
    with lbm.Simulation(case, out=out, restart=out) as second:
        assert second.step == 25
        second.advance()
    assert lbm.open(out).report.exit_reason == "completed"
    with lbm.Simulation(case, out=tmp_path / "whole") as whole:
        whole.advance()
    name = "fields_000000040.hdf"
    assert (out / name).read_bytes() == (tmp_path / "whole" / name).read_bytes()


def test_results_are_never_overwritten(case, tmp_path):
    with lbm.Simulation(case, out=tmp_path) as simulation:
        simulation.advance()
    before = (tmp_path / "report.json").read_bytes()
    with pytest.raises(lbm.UsageError, match="overwrite=True.*out="):
        lbm.Simulation(case, out=tmp_path)
    assert (tmp_path / "report.json").read_bytes() == before
    with lbm.Simulation(case, out=tmp_path, overwrite=True) as simulation:
        simulation.advance()
    assert (tmp_path / "old-1" / "report.json").read_bytes() == before


def test_without_a_directory_there_are_no_files(case, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    case.bodies = {"ball": lbm.Body(shape="sphere", center=[8, 6, 10], radius=3)}
    case.output.monitor = 5
    with lbm.Simulation(case) as simulation:
        simulation.advance()
        assert simulation.report.files == []
        assert simulation.forces["ball"].force.any()
    assert list(tmp_path.iterdir()) == []


def test_what_a_case_writes_is_not_lost_in_silence(case):
    case.output.every_steps = 10
    with pytest.warns(lbm.CaseWarning, match="there is no directory for them.*give out="):
        lbm.Simulation(case).close()


def test_a_later_change_of_the_case_has_no_effect(case):
    with lbm.Simulation(case) as simulation:
        case.run.steps = 7
        assert simulation.steps == 40


def test_a_path_is_a_case(tmp_path):
    (tmp_path / "small.yaml").write_text(SMALL_CASE)
    with lbm.Simulation(tmp_path / "small.yaml") as simulation:
        assert simulation.steps == 40


def test_progress_is_told(case):
    told: list[tuple[int, int]] = []
    case.grid.cells = [48, 48, 64]
    with lbm.Simulation(case, progress=lambda step, last: told.append((step, last))) as simulation:
        simulation.advance(30)
    assert told[-1] == (30, 30)
    assert [step for step, _ in told] == sorted(step for step, _ in told)


def test_errors_in_progress_end_the_run(case):
    def fail(step: int, last: int) -> None:
        raise RuntimeError("enough")

    case.grid.cells = [48, 48, 64]
    with lbm.Simulation(case, progress=fail) as simulation:
        with pytest.raises(RuntimeError, match="enough"):
            simulation.advance()


@pytest.mark.parametrize(
    ("ask", "message"),
    [
        (lambda s: s.advance(41), "advance: found 41 steps, must be from 1 to 40.*run.steps"),
        (lambda s: s.advance(0), "advance: found 0 steps, must be from 1"),
        (lambda s: s.advance(-3), "advance: found -3 steps"),
        (lambda s: s.advance(1.5), "advance: found 1.5, must be a whole number"),
        (lambda s: s.advance("all"), "advance: found 'all', must be a whole number"),
        (lambda s: s.advance(True), "advance: found True, must be a whole number"),
        (lambda s: s.run(0), "every: found 0, must be at least 1"),
        (lambda s: s.field("speed"), 'field: found "speed", must be one of density, pressure'),
        (lambda s: s.velocity(((5, 3), None, None)), "box: found cells 5 to 3 along x"),
        (lambda s: s.velocity((16, None, None)), "box: found cells 16 to 17 along x.*0 to 16"),
        (lambda s: s.velocity((None, None, (0, 21))), "along z, must be a part of 0 to 20"),
        (lambda s: s.velocity((1, 2)), "box: found 2 axes, must be None, a cell"),
        (lambda s: s.velocity(5), "box: found 5, must be"),
        (lambda s: s.velocity(("a", 1, 2)), "box: found 'a' along x"),
        (lambda s: s.velocity(((1, 2, 3), 1, 2)), r"box: found \(1, 2, 3\) along x"),
        (lambda s: s.velocity((slice(0, 4, 2), 1, 2)), "stride= instead"),
        (lambda s: s.velocity(stride=0), "stride: found 0, must be at least 1"),
        (lambda s: s.velocity(stride=0.5), "stride: found 0.5, must be a whole number"),
        (lambda s: s.velocity(units="furlongs"), 'units: found "furlongs", must be reference'),
        (lambda s: s.velocity(units="physical"), "or physical in a case with units: si"),
        (lambda s: s.probe([1, 2]), r"probe: found an array \(2,\), must be \(n, 3\)"),
        (lambda s: s.probe("there"), "probe: found 'there'"),
        (lambda s: s.probe([1, 2, 20.5]), "probe: found z = 20.5, must be from 0 to 20"),
        (lambda s: s.probe([1, float("nan"), 2]), "probe: found y = nan"),
        (lambda s: s.checkpoint(), "checkpoint: missing: a path"),
        (lambda s: s.checkpoint(5), "path: found 5, must be a path"),
        (lambda s: s.field(3), "name: found 3, must be a text"),
        (lambda s: s.velocity(units=3), "units: found 3, must be a text"),
        (lambda s: s.advance(1, progress="x"), "progress: found 'x', must be True, False, None"),
    ],
)
def test_wrong_arguments_say_what_is_right(simulation, ask, message):
    with pytest.raises(lbm.UsageError, match=message) as error:
        ask(simulation)
    assert "\n" not in str(error.value)
    simulation.advance(1)  # nothing is lost
    assert simulation.step == 1


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: lbm.Simulation("nowhere.yaml"), "nowhere.yaml: cannot read the case file"),
        (lambda: lbm.Simulation(42), "case: found 42, must be a lbm.Case or the path"),
        (lambda: lbm.Simulation(lbm.Case()), "grid.cells"),
        (lambda: lbm.Simulation(lbm.Case.from_text(SMALL_CASE), out=5), "out: found 5, must be a path"),
        (lambda: lbm.Simulation(lbm.Case.from_text(SMALL_CASE), out=""), "out: found '', must be"),
        (lambda: lbm.Simulation(lbm.Case.from_text(SMALL_CASE), restart=5), "restart: found 5"),
        (lambda: lbm.Simulation(lbm.Case.from_text(SMALL_CASE), progress=3), "progress: found 3"),
        (
            lambda: lbm.Simulation(lbm.Case.from_text(SMALL_CASE), restart="nowhere.h5"),
            "nowhere.h5",
        ),
        (
            lambda: lbm.Simulation(lbm.Case.from_text(SMALL_CASE), out="/proc/here"),
            "/proc/here",
        ),
    ],
)
def test_what_cannot_be_made_says_why(make, message):
    with pytest.raises(lbm.Error, match=message) as error:
        make()
    assert "\n" not in str(error.value)


def test_too_little_memory_is_refused(case):
    case.grid.cells = [1000, 1000, 100000]
    with pytest.raises(lbm.ResourceError) as error:
        lbm.Simulation(case)
    assert isinstance(error.value, MemoryError)


def test_a_flow_that_diverges_says_so(case, tmp_path):
    case.fluid.reynolds, case.fluid.lattice_velocity = 1e7, 0.17
    case.run.steps = 20000
    simulation = lbm.Simulation(case, out=tmp_path / "out")
    with pytest.raises(lbm.DivergedError, match="diverged"):
        simulation.advance()
    assert "diverged" in lbm.open(tmp_path / "out").report.exit_reason
    for ask in (simulation.velocity, lambda: simulation.probe([1, 2, 3]), lambda: simulation.checkpoint("x")):
        with pytest.raises(lbm.UsageError, match="ended with an error; make a new one"):
            ask()
    with pytest.raises(lbm.UsageError, match="diverged.*make a new Simulation"):
        simulation.advance(1)
    simulation.close()


def test_a_run_that_is_over_says_so(simulation):
    simulation.advance()
    with pytest.raises(lbm.UsageError, match="the run is over .completed at step 40.*longer case"):
        simulation.advance(1)
    assert simulation.velocity().any()


def test_a_closed_simulation_says_so(simulation):
    simulation.close()
    simulation.close()
    assert simulation.closed
    assert "closed" in repr(simulation)
    for name in ("step", "steps", "time", "done", "out", "forces", "report"):
        with pytest.raises(lbm.UsageError, match="closed; make a new one: lbm.Simulation.case."):
            getattr(simulation, name)
    for ask in (simulation.advance, simulation.velocity, simulation.checkpoint, simulation.run):
        with pytest.raises(lbm.UsageError, match="closed"):
            ask()


def test_errors_are_of_the_usual_kinds_too():
    assert issubclass(lbm.UsageError, ValueError)
    assert issubclass(lbm.DivergedError, ArithmeticError)
    with pytest.raises(FileNotFoundError):
        lbm.Simulation(pathlib.Path("nowhere.yaml"))
