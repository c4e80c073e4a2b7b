# SPDX-License-Identifier: Apache-2.0
"""Cases built in Python: the same as files, judged at once, with readable errors."""

import copy
import math
import pathlib
import pickle
import typing

import numpy
import pytest

import lbm


def small(**groups: typing.Any) -> lbm.Case:
    """The least that a case must say, and more."""
    least = {"grid": {"cells": [8, 9, 10]}, "fluid": {"reynolds": 100}, "run": {"steps": 50}}
    return lbm.Case(**{**least, **groups})


BY_FILE = """\
name: mixed
grid: {cells: [16, 16, 32]}
boundaries:
  x_min: periodic
  x_max: periodic
  z_min: {type: velocity, velocity: [0, 0, 1], turbulence: {intensity: 0.1, length: 4}}
  z_max:
    type: outflow
    patches: {b: {box: [0, 4, 0, 4]}, a: {center: [8, 8], radius: 2}}
fluid: {tau: 0.8, length: 8}
lattice: {storage: fp16, smagorinsky: 0.1}
bodies:
  z: {shape: cylinder, from: [8, 0, 16], to: [8, 16, 16], radius: 3}
  a: {shape: sphere, center: [8, 8, 16], radius: 2, rotate: [[0, 0, 1, 45]]}
run: {steps: 100, until_steady: {tolerance: 1e-6}}
device: {memory: 8 GB}
outputs: {cut: {fields: [velocity, pressure], slice: y, at: 8, every_steps: 10}}
probes: {p: {points: [[1, 2, 3], [4, 5, 6]]}}
expect: {drag: {quantity: force.z, body: a, value: 1, tolerance: 0.5}}
"""


def by_python() -> lbm.Case:
    """The same."""
    case = lbm.Case(name="mixed", grid=lbm.Grid(cells=[16, 16, 32]))
    case.boundaries.x_min = case.boundaries.x_max = "periodic"  # type: ignore[assignment]
    case.boundaries.z_min = lbm.Face(type="velocity", velocity=[0, 0, 1])
    case.boundaries.z_min.turbulence.intensity = 0.1
    case.boundaries.z_min.turbulence.length = 4
    case["boundaries.z_max"] = {"type": "outflow", "patches": {"b": {"box": (0, 4, 0, 4)}}}
    case.boundaries.z_max.patches["a"] = lbm.Patch(center=[8, 8], radius=2)
    case.fluid = lbm.Fluid(tau=0.8, length=8)
    case.lattice.storage = "fp16"
    case.lattice.smagorinsky = 0.1
    case.bodies["z"] = lbm.Body(shape="cylinder", from_=[8, 0, 16], to=[8, 16, 16], radius=3)
    case["bodies.a.shape"] = "sphere"
    case.bodies["a"].center = numpy.array([8, 8, 16])  # type: ignore[assignment]
    case.bodies["a"].radius = numpy.float32(2)  # type: ignore[assignment]
    case.bodies["a"].rotate = [[0, 0, 1, 45]]
    case.run = lbm.Run(steps=100, until_steady=lbm.UntilSteady(tolerance=1e-6))
    case.device.memory = "8 GB"
    case.outputs["cut"] = lbm.FieldOutput(
        fields=["velocity", "pressure"], slice="y", at=8, every_steps=10
    )
    case.probes["p"] = lbm.Probe(points=[[1, 2, 3], [4, 5, 6]])
    case.expect["drag"] = lbm.Expectation(quantity="force.z", body="a", value=1, tolerance=0.5)
    return case


def test_a_case_in_python_is_the_one_of_the_file() -> None:
    case, read = by_python(), lbm.Case.from_text(BY_FILE)
    assert case == read
    assert case.to_yaml() == read.to_yaml()
    assert list(case.bodies) == ["z", "a"] and list(case.boundaries.z_max.patches) == ["b", "a"]
    assert case.check().tau == pytest.approx(0.8)


def test_the_order_of_bodies_counts() -> None:
    case, other = by_python(), by_python()
    other.bodies = dict(reversed(other.bodies.items()))
    assert case != other


def refused(case: lbm.Case, path: str, value: typing.Any) -> str:
    """The message that refuses the value. The case must not change."""
    before = repr(case)
    with pytest.raises(lbm.UsageError) as caught:
        case[path] = value
    assert repr(case) == before
    return str(caught.value)


@pytest.mark.parametrize(
    ("path", "value", "message"),
    [
        ("fluid.reynolds", -5, 'found "-5", must be a number > 0'),
        ("fluid.reynolds", math.nan, 'found "NaN", must be a number > 0'),
        ("fluid.reynolds", True, 'found "true", must be a number > 0'),
        ("fluid.reynolds", [1], 'found "[1]", must be a number > 0'),
        ("fluid.reynold", 5, "unknown key, did you mean reynolds?"),
        ("grid.cells", (8, 8), 'found "[8, 8]", must be a list of three whole numbers from 1 to'),
        ("grid.cells", [8, 8.5, 8], 'found "[8, 8.5, 8]", must be a list of three whole numbers'),
        ("lattice.storage", "fp8", 'found "fp8", must be one of fp32, fp16, fp64'),
        ("output.at_end", 1, 'found "1", must be one of true, false'),
        ("device.memory", "8 XB", 'found "8 XB", must be bytes'),
        ("tiling.steps_per_visit", "many", 'found "many", must be a whole number from 1 to 1024'),
        ("boundaries.z_max", "wal", 'found "wal", must be one of wall, periodic, velocity'),
        ("boundaries.z_max.velocity", [1, 0], "must be a list of three numbers or formulas such as"),
        ("bodies.ball.raduis", 3, "unknown key, did you mean radius?"),
        ("bodies.ball.radius", -3, 'found "-3", must be a number > 0'),
        ("bodies.ball.from", print, "found <built-in function print>"),
        ("grid", 5, "found 5 (int), must be an lbm.Grid or a mapping of cells, size"),
        ("bodies", [1], "found [1] (list), must be a mapping of names to lbm.Body"),
        ("bodies.ball", lbm.Patch(), "found Patch() (Patch), must be an lbm.Body or a mapping"),
        ("grd", 5, "unknown key, did you mean grid?"),
    ],
)
def test_wrong_values_are_refused_at_once(path: str, value: typing.Any, message: str) -> None:
    case = small(bodies={"ball": {"shape": "sphere", "center": [4, 4, 4], "radius": 2}})
    said = refused(case, path, value)
    assert said.startswith(f"case.{path}: {message}") or (
        said.startswith(f"case.{path}: ") and message in said
    )
    assert "\n" not in said


def test_errors_outside_of_a_case_name_the_class() -> None:
    with pytest.raises(lbm.UsageError, match=r'^Body.radius: found "-1", must be a number > 0$'):
        lbm.Body(radius=-1)
    with pytest.raises(lbm.UsageError, match=r"^Body.raduis: unknown key, did you mean radius\?$"):
        lbm.Body(raduis=1)  # type: ignore[call-arg]
    with pytest.raises(lbm.UsageError, match=r"^case.fluid.reynolds: "):
        lbm.Fluid(reynolds=0)
    with pytest.raises(TypeError, match="by name"):
        lbm.Fluid(100)  # type: ignore[call-arg]
    face = lbm.Face()
    small().boundaries.y_max = face
    with pytest.raises(lbm.UsageError, match=r"^case.boundaries.y_max.turbulence.length: "):
        face.turbulence.length = 0


def test_names_of_the_user_are_judged() -> None:
    case = small()
    for name in ("my ball", "1st", "", "a.b", 5):
        with pytest.raises(lbm.UsageError, match="as a name, must be 1 to 64 letters"):
            case.bodies[name] = lbm.Body()  # type: ignore[index]
    case.expect["empty"] = {}  # type: ignore[assignment]
    with pytest.raises(lbm.UsageError, match="^case.expect.empty: found an empty map, must be"):
        case.check()


def test_every_way_into_a_named_group_is_judged() -> None:
    ball: typing.Any = {"shape": "sphere", "center": (4, 4, 4), "radius": 2}
    case = small(bodies={"a": ball})
    case.bodies.update(b=ball)
    case.bodies |= {"c": ball}
    assert case.bodies.setdefault("d", ball).radius == 2
    case.bodies = {"e": lbm.Body(**ball), **case.bodies}
    assert list(case.bodies) == ["e", "a", "b", "c", "d"]
    assert all(isinstance(body, lbm.Body) for body in case.bodies.values())
    bad: typing.Any = {"x": {**ball, "radius": 0}}
    for assign in (case.bodies.update, case.bodies.__ior__):
        with pytest.raises(lbm.UsageError, match="^case.bodies.x.radius: found"):
            assign(bad)
    del case.bodies["e"]
    assert "\n  e:" not in case.to_yaml() and "\n  d:" in case.to_yaml()


def test_whole_numbers_may_be_floats_that_are_whole() -> None:
    case = small()
    case.run.steps = 1e6  # type: ignore[assignment]
    case.device.memory = 8e9  # type: ignore[assignment]
    case.grid.cells = numpy.array([8.0, 9.0, 16.0])  # type: ignore[assignment]
    assert (case.run.steps, case.device.memory) == (1000000, 8000000000)
    assert case.grid.cells == [8, 9, 16] and type(case.run.steps) is int
    assert case.check().steps == 1000000


def test_lists_changed_in_place_are_caught_at_use() -> None:
    case = small()
    assert case.grid.cells is not None
    case.grid.cells[0] = -1
    with pytest.raises(lbm.UsageError, match=r'^case.grid.cells: found "\[-1, 9, 10\]", must be a'):
        case.check()
    case.grid.cells[0] = object()  # type: ignore[call-overload]
    with pytest.raises(lbm.UsageError, match=r"^case.grid.cells: found \[<object"):
        case.to_yaml()


def test_alternatives_are_judged_at_use_and_replaced_by_replace() -> None:
    case = small()
    changed = case.replace({"fluid.tau": 0.7, "boundaries.z_max.velocity": [1, 0, 0]})
    assert (changed.fluid.tau, changed.fluid.reynolds) == (0.7, None)
    assert (case.fluid.tau, case.fluid.reynolds) == (None, 100)
    assert case.boundaries.z_max.velocity == [0, 0, 0]
    case.fluid.tau = 0.7
    with pytest.raises(lbm.UsageError, match="^case.fluid.tau: conflicts with fluid.reynolds"):
        case.check()
    case.fluid.reynolds = None
    assert case.check().tau == pytest.approx(0.7)
    with pytest.raises(lbm.UsageError, match="^case: missing: one of fluid.reynolds"):
        case.replace({"fluid": {}}).to_yaml()
    with pytest.raises(lbm.UsageError, match="did you mean tau"):
        case.replace({"fluid.tauu": 0.7})


def test_none_brings_the_default_back() -> None:
    case = small(lattice={"storage": "fp64"}, run={"steps": 3, "density_range": [0.9, 1.1]})
    case.lattice.storage = None  # type: ignore[assignment]
    case.run.density_range = None  # type: ignore[assignment]
    case.boundaries.x_min = None  # type: ignore[assignment]
    assert case == small(run={"steps": 3})
    assert case.run.density_range == [0.5, 2.0]
    case.run.density_range[0] = 0.6  # a list of its own
    assert lbm.Run().density_range == [0.5, 2.0]


def test_values_are_those_of_the_key_table() -> None:
    case = small(grid={"cells": numpy.array([8, 9, 10], dtype=numpy.int32)})
    assert case.grid.cells == [8, 9, 10] and type(case.grid.cells[0]) is int
    case.fluid.reynolds = numpy.float64(7)
    assert type(case.fluid.reynolds) is float
    case.output.times = range(1, 4)  # type: ignore[assignment]
    assert case.output.times == [1.0, 2.0, 3.0]
    case.device.memory = "2 GiB"
    assert case["device.memory"] == 2 << 30
    case.output.at_end = numpy.bool_(False)  # type: ignore[assignment]
    assert case.output.at_end is False
    case.output.directory = pathlib.Path("a") / 'b "c"'  # type: ignore[assignment]
    assert case.output.directory == 'a/b "c"'
    assert lbm.Case.from_text(case.to_yaml()).output.directory == case.output.directory


def test_paths_reach_everything() -> None:
    case = by_python()
    assert case["bodies.z.from"] == [8.0, 0.0, 16.0] == case.bodies["z"].from_
    assert case["boundaries.z_max.patches.a"] is case.boundaries.z_max.patches["a"]
    case["bodies.new.shape"] = "sphere"
    assert list(case.bodies) == ["z", "a", "new"]
    with pytest.raises(lbm.UsageError, match="^case.bodies.none: unknown name, must be one of"):
        case["bodies.none.shape"]
    with pytest.raises(lbm.UsageError, match="^case.fluid.tau.x: unknown key, fluid.tau is"):
        case["fluid.tau.x"]


def test_copies_are_equal_and_apart() -> None:
    case = by_python()
    for twin in (copy.deepcopy(case), pickle.loads(pickle.dumps(case))):
        assert twin == case and repr(twin) == repr(case)
        twin.bodies["a"].radius = 1
        twin.boundaries.z_max.patches["a"].radius = 1
        assert case.bodies["a"].radius == 2 and case.boundaries.z_max.patches["a"].radius == 2
        assert refused(twin, "bodies.a.radius", 0).startswith("case.bodies.a.radius: ")


def test_repr_is_python_that_gives_the_case_again() -> None:
    case = by_python()
    assert eval(repr(case), vars(lbm)) == case
    assert repr(small().fluid) == "Fluid(reynolds=100.0)"
    assert repr(lbm.Case()) == "Case(\n)"


def test_records_say_what_they_have() -> None:
    record = lbm.Record({"a": {"b": [1, {"c": 2.5}]}, "steps": 3}, "text")
    assert record.a.b[1].c == 2.5 == record["a"]["b"][1]["c"]
    assert str(record) == "text" and list(record.keys()) == ["a", "steps"] == list(record)
    assert record.as_dict() == {"a": {"b": [1, {"c": 2.5}]}, "steps": 3}
    assert repr(record) == "Record(a=Record(b=[1, Record(c=2.5)]), steps=3)"
    with pytest.raises(AttributeError, match="there is no 'step' here, only steps"):
        record.step
    with pytest.raises(KeyError):
        record["none"]
    assert pickle.loads(pickle.dumps(record)) == record == copy.deepcopy(record)


def test_formulas_are_strings_and_stay_as_they_are() -> None:
    case = small(initial={"flow": "formula", "velocity": ["sin(y)", 0, 1e-2], "pressure": 0.5})
    case.boundaries.z_min = lbm.Face(type="velocity", velocity=[0, 0, "1 - (2*x/lx - 1)^2"])
    case.boundaries.z_min.velocity_factor = "1 - exp(-t)"
    case.boundaries.z_max = "outflow"
    case.force.acceleration = ["0.1*cos(t)", "0", "0"]
    assert case.initial.velocity == ["sin(y)", "0", "0.01"]
    assert case.initial.pressure == "0.5"
    assert case.boundaries.y_min.velocity == [0.0, 0.0, 0.0]
    again = lbm.Case.from_text(case.to_yaml())
    assert again == case
    assert again.force.acceleration == ["0.1*cos(t)", "0", "0"]
    assert eval(repr(case), vars(lbm)) == case
    case.check()
    case.boundaries.z_min.velocity = [0, 0, "foo*x"]
    with pytest.raises(lbm.UsageError, match='uz: position 1 of "foo.x": found "foo"'):
        case.check()
    with pytest.raises(lbm.UsageError, match="must be a list of three numbers or formulas"):
        case.force.acceleration = ["t", 0]
