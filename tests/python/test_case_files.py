# SPDX-License-Identifier: Apache-2.0
"""Cases from files: the same as the program's, and back."""

import functools
import json
import pathlib
import re
import subprocess
import typing

import pytest

import lbm

CASES = sorted((pathlib.Path(__file__).resolve().parents[2] / "cases").glob("*.yaml"))
assert len(CASES) > 15


def said(program: str, *arguments: str) -> dict[str, typing.Any]:
    """The JSON that a command prints."""
    done = subprocess.run([program, *arguments], check=True, stdout=subprocess.PIPE)
    return typing.cast(dict[str, typing.Any], json.loads(done.stdout))


def but(record: dict[str, typing.Any], *names: str) -> dict[str, typing.Any]:
    """Without what cannot be the same."""
    return {name: value for name, value in record.items() if name not in names}


@functools.cache
def device_name(program: str) -> str:
    """The name of the CPU."""
    devices = said(program, "info", "--json")["devices"]
    return str(next(device["name"] for device in devices if device["backend"] == "cpu"))


@pytest.fixture(autouse=True)
def known_speeds(program: str, tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The same speeds of the CPU for the program and for the package: nothing is measured."""
    update = {"bytes_per_second": 2e10, "launch_seconds": 0.0, "blocked_bytes_per_second": 3e10}
    copies = dict.fromkeys(["copy", "link_in", "link_out", "link_in_both", "link_out_both"], 4e10)
    cache = tmp_path / "cache"
    cache.mkdir()
    device = device_name(program)
    for part, file in (("", program), ("_python", lbm._lbm.__file__)):
        stat = pathlib.Path(file).resolve().stat()
        seconds, nanoseconds = divmod(stat.st_mtime_ns, 10**9)
        kept = {
            "program": f"{lbm.__version__} {stat.st_size} {seconds}.{nanoseconds}",
            "device": device,
            "when": "2026-11-23 12:00:00 UTC",
            "load": 0.0,
            **copies,
            "system_link": dict.fromkeys(["in", "out", "in_both", "out_both"], 0.0),
            "queues_overlap": False,
            **dict.fromkeys(["fp16", "fp32", "fp64"], update),
            **dict.fromkeys(["moments_fp16", "moments_fp32", "moments_fp64"], update),
            "models": {"D3Q19 trt": 1.9e10},
        }
        name = f"speeds_{re.sub('[^A-Za-z0-9]', '_', device)}{part}.json"
        (cache / name).write_text(json.dumps(kept))
    monkeypatch.setenv("LBM_CACHE_DIR", str(cache))


@pytest.mark.parametrize("path", CASES, ids=lambda path: path.stem)
def test_library_cases_come_back(path: pathlib.Path, tmp_path: pathlib.Path) -> None:
    case = lbm.Case.from_yaml(path)
    text = case.to_yaml(tmp_path / "again.yaml")
    again = lbm.Case.from_yaml(tmp_path / "again.yaml")
    assert again.to_yaml() == text == (tmp_path / "again.yaml").read_text()
    if case.grid.size is None:  # it is written as the cells that it became
        assert again == case
    assert lbm.Case.from_text(text) == again


@pytest.mark.parametrize("path", CASES, ids=lambda path: path.stem)
def test_check_says_what_the_program_says(
    path: pathlib.Path, program: str, tmp_path: pathlib.Path
) -> None:
    sets = {"device.backend": "cpu", "host.memory_limit": "1 TB"}
    case = lbm.Case.from_yaml(path, set=sets)
    given = [part for key, value in sets.items() for part in ("--set", f"{key}={value}")]
    by_program = said(program, "check", "--json", str(path), *given)
    by_package = case.check().as_dict()
    for report in by_package, by_program:  # a case in Python has no lines: case.KEY, not FILE:LINE: KEY
        report["warnings"] = [re.sub(r"^(case\.|\S+:\d+: )", "", text) for text in report["warnings"]]
    assert but(by_package, "file") == but(by_program, "file")


def test_check_prints_what_the_program_prints(program: str, root: pathlib.Path) -> None:
    path = root / "cases/channel_les.yaml"
    # Memory that is free whatever else runs: what is free changes between the two.
    given = ["device.backend=cpu", "host.memory_limit=1 TB", "device.memory=1 GB"]
    command = [program, "check", str(path), *(part for one in given for part in ("--set", one))]
    printed = subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True).stdout
    case = lbm.Case.from_yaml(path, set=given)
    assert f"{path}: valid\n" in printed  # a case in Python has a name alone
    assert str(case.check()) == printed.replace(f"{path}: valid\n", "channel_les: valid\n")


def test_effective_case_is_the_programs_to_the_bit(
    run_case: typing.Callable[..., pathlib.Path], root: pathlib.Path, tmp_path: pathlib.Path
) -> None:
    text = (root / "cases/lid_driven_cavity_2d.yaml").read_text()
    (tmp_path / "data").symlink_to(root / "cases/data")
    sets = ["grid.cells=[16,2,16]", "run={steps: 2}", "device.backend=cpu", "output.times=[]"]
    sets.append("lattice.representation=populations")  # auto is written as the choice it becomes
    out = run_case(text, *sets)
    case = lbm.Case.from_yaml(tmp_path / "out.yaml", set=sets)
    assert case.to_yaml() == (out / "effective_case.yaml").read_text()


def test_an_si_case_keeps_its_size(root: pathlib.Path) -> None:
    case = lbm.Case.from_yaml(root / "cases/stl_body_in_wind_tunnel.yaml")
    assert case.grid.cells is None and case.grid.size is not None
    cells = case.check().cells
    assert case.replace({"grid.spacing": 2 * case["grid.spacing"]}).check().cells == [
        round(n / 2) for n in cells
    ]


def test_files_are_found_from_elsewhere(
    root: pathlib.Path, tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(root / "cases")
    case = lbm.Case.from_yaml("stl_body_in_wind_tunnel.yaml")
    file = next(body.file for body in case.bodies.values() if body.file)
    monkeypatch.chdir(tmp_path)
    assert pathlib.Path(file).is_absolute() and pathlib.Path(file).exists()
    assert case.check().steps > 0


def test_file_names_in_python_are_from_the_current_directory(
    root: pathlib.Path, tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    case = lbm.Case.from_yaml(root / "cases/stl_body_in_wind_tunnel.yaml")
    name = next(name for name, body in case.bodies.items() if body.file)
    (tmp_path / "it.stl").write_bytes(pathlib.Path(case.bodies[name].file or "").read_bytes())
    monkeypatch.chdir(tmp_path)
    case.bodies[name].file = "it.stl"
    assert case.check().steps > 0
    assert f'file: "{tmp_path}/it.stl"' in case.to_yaml()
    monkeypatch.chdir(root)
    with pytest.raises(lbm.UsageError, match=rf"^case.bodies.{name}.file: found it.stl, .*current"):
        case.check()


def test_set_is_that_of_the_command_line(tmp_path: pathlib.Path) -> None:
    text = "grid: {cells: [8, 8, 8]}\nfluid: {reynolds: x}\nrun: {steps: 3}\n"
    (tmp_path / "c.yaml").write_text(text)
    case = lbm.Case.from_yaml(tmp_path / "c.yaml", set={"fluid.tau": 0.8, "grid.cells": (8, 9, 8)})
    assert (case.fluid.tau, case.fluid.reynolds, case.grid.cells) == (0.8, None, [8, 9, 8])
    assert case == lbm.Case.from_yaml(tmp_path / "c.yaml", ["fluid.tau=0.8", "grid.cells=[8,9,8]"])
    with pytest.raises(lbm.UsageError, match=r"c.yaml:2: fluid.reynolds: found \"x\""):
        lbm.Case.from_yaml(tmp_path / "c.yaml")
    with pytest.raises(lbm.UsageError, match="--set fluid.reynold=5: unknown key, did you mean"):
        lbm.Case.from_yaml(tmp_path / "c.yaml", set={"fluid.reynold": 5})


def test_a_missing_file_is_a_file_not_found_error(program: str, tmp_path: pathlib.Path) -> None:
    path = tmp_path / "none.yaml"
    with pytest.raises(FileNotFoundError) as caught:
        lbm.Case.from_yaml(path)
    assert isinstance(caught.value, lbm.UsageError)
    done = subprocess.run([program, "check", str(path)], stderr=subprocess.PIPE, text=True)
    assert done.stderr == f"lbm: {caught.value}\n"


def test_existing_files_stay(tmp_path: pathlib.Path) -> None:
    case = lbm.Case.from_text("{grid: {cells: [8, 8, 8]}, fluid: {tau: 0.8}, run: {steps: 1}}")
    path = tmp_path / "case.yaml"
    path.write_text("mine")
    with pytest.raises(lbm.UsageError, match="is already there"):
        case.to_yaml(path)
    assert path.read_text() == "mine"
    assert case.to_yaml(path, overwrite=True) == path.read_text()
    with pytest.raises(lbm.UsageError, match="cannot be written: No such file"):
        case.to_yaml(tmp_path / "no" / "case.yaml")
    assert [entry.name for entry in tmp_path.glob("*.*")] == ["case.yaml"]


def test_plan_says_what_the_program_says(program: str, root: pathlib.Path) -> None:
    sets = {"device.backend": "cpu", "host.memory_limit": "8 GB", "device.memory": "1 GB"}
    path = root / "cases/lid_driven_cavity.yaml"
    plan = lbm.Case.from_yaml(path, set=sets).plan(processes=2)
    given = [part for key, value in sets.items() for part in ("--set", f"{key}={value}")]
    by_program = said(program, "plan", "--json", "--processes", "2", str(path), *given)
    others = ("case_file", "device_bytes_free")  # the latter as other programs leave it
    assert but(plan.as_dict(), *others) == but(by_program, *others)
    assert list(plan) == list(by_program)
    assert plan.fits and plan.processes == 2 and plan.cell_count == by_program["cell_count"]
    assert str(plan).startswith("lid_driven_cavity: ") and plan.mlups > 0


def test_a_plan_that_does_not_fit_says_so(root: pathlib.Path) -> None:
    case = lbm.Case.from_yaml(root / "cases/lid_driven_cavity.yaml", set={"device.backend": "cpu"})
    plan = case.replace({"host.memory_limit": "1 MB"}).plan()
    assert not plan.fits and "memory" in plan.refusal
    with pytest.raises(lbm.ResourceError):
        case.replace({"host.memory_limit": "1 MB"}).check()
    assert case.plan(machine="gb10").machine == "gb10"
    with pytest.raises(lbm.UsageError, match="^found machine gb11, must be gh200, "):
        case.plan(machine="gb11")
    with pytest.raises(lbm.UsageError, match="^per_host: found -1, must be at least 0"):
        case.plan(per_host=-1)
