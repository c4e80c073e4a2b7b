# SPDX-License-Identifier: Apache-2.0
"""The JSON Schema of cases: takes what the program takes, and refuses what editors should mark."""

import pathlib
import re
import typing

import pytest

from lbm.schema import case_schema

jsonschema = pytest.importorskip("jsonschema")
yaml = pytest.importorskip("yaml")
CASES = sorted((pathlib.Path(__file__).resolve().parents[2] / "cases").glob("*.yaml"))


class Loader(yaml.SafeLoader):  # type: ignore[misc,name-defined]
    """Reads 1e6 as a number, as YAML 1.2 does."""


NUMBER = re.compile(r"[-+]?(\.\d+|\d+(\.\d*)?)([eE][-+]?\d+)?$")
Loader.add_implicit_resolver("tag:yaml.org,2002:float", NUMBER, list("-+.0123456789"))


def wrong(text: str) -> list[str]:
    """The places that an editor marks."""
    errors = jsonschema.Draft7Validator(case_schema()).iter_errors(yaml.load(text, Loader))
    return [error.json_path for error in errors]


@pytest.mark.parametrize("case", CASES, ids=lambda path: str(path.stem))
def test_cases_of_the_library_are_valid(case: pathlib.Path) -> None:
    assert wrong(case.read_text(encoding="utf-8")) == []


@pytest.mark.parametrize(
    ("text", "place"),
    [
        ("fluid: {reynold: 3}", "$.fluid"),
        ("fluid: {tau: 0.5}", "$.fluid.tau"),
        ("lattice: {storage: fp31}", "$.lattice.storage"),
        ("grid: {cells: [1, 2]}", "$.grid.cells"),
        ("grid: {cells: [0, 2, 2]}", "$.grid.cells[0]"),
        ("boundaries: {x_min: periodic, x_max: walls}", "$.boundaries.x_max"),
        ("bodies: {ball: {radios: 3}}", "$.bodies.ball"),
    ],
)
def test_mistakes_are_marked(text: str, place: str) -> None:
    assert wrong(text) == [place]


def test_what_else_the_program_takes() -> None:
    text = "tiling: {steps_per_visit: auto}\noutput:\nrun: {steps: 1e3}\ndevice: {memory: 8 GB}"
    assert wrong(text) == []


def test_meaning_and_default_of_a_key() -> None:
    schema: typing.Any = case_schema()
    key = schema["properties"]["lattice"]["properties"]["storage"]
    assert key["default"] == "fp32" and key["description"]
