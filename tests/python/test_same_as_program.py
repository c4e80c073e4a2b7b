# SPDX-License-Identifier: Apache-2.0
"""A simulation writes the files of `lbm run`, byte for byte, wherever it stopped in between."""

import pathlib
import re

import lbm
import numpy
import pytest

COMMON = """\
grid: {cells: [20, 12, 30]}
fluid: {reynolds: 20, lattice_velocity: 0.05}
device: {backend: cpu}
"""
CASES = {
    "cavity": COMMON
    + """\
boundaries:
  z_max: {type: wall, velocity: [1, 0, 0]}
run: {steps: 60}
output: {every_steps: 25, monitor: 10}
checkpoint: {at_end: true}
""",
    "body": COMMON
    + """\
boundaries:
  x_min: periodic
  x_max: periodic
  z_min: {type: velocity, velocity: [0, 0, 1]}
  z_max: outflow
bodies:
  ball: {shape: sphere, center: [10, 6, 10], radius: 3}
run: {steps: 45}
outputs:
  wake: {fields: [velocity, vorticity, q_criterion], slice: y, at: 6, every_steps: 20}
statistics:
  mean: {every_steps: 5}
probes:
  line: {line_from: [10, 6, 14.5], line_to: [10, 6, 25], line_points: 5}
lattice: {storage: fp16}
""",
    "steady": COMMON
    + """\
boundaries:
  z_max: {type: wall, velocity: [1, 0, 0]}
run: {steps: 100000, until_steady: {tolerance: 0.1, every: 0.05}}
lattice: {collision: trt}
""",
}
SCHEDULES = [
    {},
    {"tiling.scheme": "wavefront", "tiling.steps_per_visit": 7, "tiling.planes_per_visit": 3},
    {"tiling.scheme": "halo", "tiling.steps_per_visit": 4, "tiling.planes_per_visit": 6},
    {"tiling.scheme": "in_core", "tiling.planes_per_visit": 2},
]


def results_of(directory: pathlib.Path) -> dict[str, bytes]:
    """All files but the report, and the report without what the clock says or the case's name."""
    files = {path.name: path.read_bytes() for path in directory.iterdir() if path.name[0] != "."}
    files.pop("run.log", None)  # of the program only
    report = files.pop("report.json").decode()
    kept = ("exit_reason", "steps", "steps_asked", "scheme", "solid_cells")
    lines = [line for line in report.splitlines() if line.strip(' "').split('"')[0] in kept]
    files["report"] = "\n".join(lines).encode()
    return files


@pytest.mark.parametrize("schedule", SCHEDULES, ids=lambda s: s.get("tiling.scheme", "auto"))
@pytest.mark.parametrize("name", CASES)
def test_files_are_those_of_the_program(name, schedule, run_case, tmp_path):
    program = run_case(CASES[name], *(f"{key}={value}" for key, value in schedule.items()))
    case = lbm.Case.from_yaml(tmp_path / "out.yaml", schedule)
    with lbm.Simulation(case, out=tmp_path / "python") as simulation:
        stops = iter([1, 2, 7, 13] + [31] * 1000)
        while not simulation.done:
            simulation.advance(min(next(stops), simulation.steps - simulation.step))
            simulation.velocity(((3, 9), None, 5))  # reading changes nothing
        steps = simulation.step
    want, got = results_of(program), results_of(tmp_path / "python")
    assert sorted(want) == sorted(got)
    assert len(want) > 4
    assert [file for file in want if want[file] != got[file]] == []
    assert re.search(rf'"steps": {steps},', want["report"].decode())


def test_fields_of_a_run_are_those_in_its_files(run_case, tmp_path):
    kinds = ["density", "pressure", "velocity", "vorticity", "q_criterion", "strain_rate", "solid"]
    text = CASES["body"].replace("[velocity, vorticity, q_criterion], slice: y, at: 6", str(kinds))
    out = run_case(text, "lattice.storage=fp32")
    image = lbm.open(out).series["wake"].at(step=40)
    case = lbm.Case.from_yaml(tmp_path / "out.yaml", {"lattice.storage": "fp32"})
    with pytest.warns(lbm.CaseWarning, match="give out="):
        simulation = lbm.Simulation(case)
    simulation.advance(40)
    for kind in kinds:
        want = numpy.asarray(getattr(image, kind))
        got = simulation.field(kind)
        assert want.size == got.size > 0
        assert got.reshape(want.shape).tobytes() == want.astype(numpy.float32).tobytes(), kind


def test_forces_and_probes_are_those_in_its_files(run_case, tmp_path):
    out = lbm.open(run_case(CASES["body"], "lattice.storage=fp32"))
    case = lbm.Case.from_yaml(tmp_path / "out.yaml", {"lattice.storage": "fp32"})
    case.outputs, case.statistics, case.probes = {}, {}, {}
    with lbm.Simulation(case) as simulation:
        simulation.advance(33)
        row = list(out.forces["ball"]["step"]).index(33)
        forces = simulation.forces["ball"]
        for name, letter in (("force", "f"), ("torque", "t"), ("coefficient", "c")):
            want = [out.forces["ball"][letter + axis][row] for axis in "xyz"]
            assert list(getattr(forces, name)) == want
        assert abs(forces.force[2]) > 0.1

        points = numpy.linspace([10, 6, 14.5], [10, 6, 25], 5)
        values = simulation.probe(points)
        table = out.probes["line"]
        row = list(table["step"]).index(33)
        for i in range(5):
            # The file's come from the sums of the step itself, these from fields in float32.
            assert values.pressure[i] == pytest.approx(table[f"p_{i + 1}"][row], abs=2e-4)
            for a, axis in enumerate("xyz"):
                want = table[f"u{axis}_{i + 1}"][row]
                assert values.velocity[i, a] == pytest.approx(want, abs=2e-6)
        assert values.velocity[:, 2].max() > 0.5
