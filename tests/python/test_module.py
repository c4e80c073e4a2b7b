# SPDX-License-Identifier: Apache-2.0
"""`python -m lbm` is the program."""

import os
import pathlib
import shutil
import signal
import subprocess
import sys
import time

import pytest
from conftest import SMALL_CASE

import lbm

Environment = dict[str, str]


@pytest.fixture
def environment() -> Environment:
    """Without LBM_PROGRAM."""
    return {name: text for name, text in os.environ.items() if name != "LBM_PROGRAM"}


def module(*arguments: str, env: Environment) -> "subprocess.CompletedProcess[str]":
    return subprocess.run(
        [sys.executable, "-m", "lbm", *arguments], env=env, capture_output=True, text=True
    )


def test_it_is_the_program(program: str, environment: Environment) -> None:
    environment["PATH"] = f"{pathlib.Path(program).parent}:{environment['PATH']}"
    assert module("--version", env=environment).stdout == f"lbm {lbm.__version__}\n"
    for what in (["keys"], ["check", "none.yaml"], ["no_command"]):
        here = module(*what, env=environment)
        there = subprocess.run([program, *what], capture_output=True, text=True)
        assert (here.returncode, here.stderr) == (there.returncode, there.stderr)
        assert here.stdout == there.stdout
    assert there.returncode != 0


def test_the_one_of_the_package_comes_first(
    environment: Environment, tmp_path: pathlib.Path
) -> None:
    """The package is copied, so that a program can be put beside it."""
    package = tmp_path / "python" / "lbm"
    shutil.copytree(pathlib.Path(lbm.__file__).parent, package, symlinks=True)
    environment["PYTHONPATH"] = str(package.parent)
    for path in (tmp_path / "path" / "lbm", tmp_path / "lbm", package / "bin" / "lbm"):
        path.parent.mkdir(exist_ok=True)
        path.write_text(f'#!/bin/sh\necho "{path}" "$@"\nexit 7\n')
        path.chmod(0o755)
        environment["PATH"] = f"{tmp_path / 'path'}:{os.environ['PATH']}"
        done = module("run", "a b", env=environment)
        assert (done.stdout, done.returncode) == (f"{path} run a b\n", 7)
    environment["LBM_PROGRAM"] = str(tmp_path / "path" / "lbm")
    assert module(env=environment).stdout.startswith(str(tmp_path / "path" / "lbm"))


def test_without_a_program_it_says_what_to_do(
    environment: Environment, tmp_path: pathlib.Path
) -> None:
    package = tmp_path / "python" / "lbm"
    shutil.copytree(pathlib.Path(lbm.__file__).parent, package, symlinks=True)
    environment["PYTHONPATH"] = str(package.parent)
    script = tmp_path / "lbm"  # would come back to this module
    script.write_text(f"#!{sys.executable}\nimport lbm.__main__\nlbm.__main__.main()\n")
    script.chmod(0o755)
    environment["PATH"] = str(tmp_path)
    done = module("run", env=environment)
    assert done.returncode == 127
    remedy = "put lbm on PATH, or set LBM_PROGRAM to it\n"
    assert done.stderr == f"python -m lbm: found no program lbm: {remedy}"
    environment["LBM_PROGRAM"] = "/none"
    done = module("run", env=environment)
    assert done.stderr == f"python -m lbm: LBM_PROGRAM: found /none, must be a program: {remedy}"


def test_signals_reach_it(program: str, tmp_path: pathlib.Path) -> None:
    """It is the same process: SIGTERM saves a checkpoint, as the program does."""
    case = tmp_path / "case.yaml"
    case.write_text(SMALL_CASE.replace("steps: 40", "steps: 100000000"))
    out = tmp_path / "out"
    command = [sys.executable, "-m", "lbm", "run", str(case), "--quiet", "--out", str(out)]
    environment = {**os.environ, "LBM_PROGRAM": program}
    with subprocess.Popen(command, env=environment, stdout=subprocess.DEVNULL) as process:
        while process.poll() is None and not (out / "effective_case.yaml").exists():
            time.sleep(0.05)
        time.sleep(0.2)
        process.send_signal(signal.SIGTERM)
        assert process.wait(60) not in (0, -signal.SIGTERM)
    assert lbm.open(out).checkpoints


@pytest.mark.skipif(not shutil.which("cmake"), reason="no cmake")
def test_a_build_drops_modules_of_older_versions(root: pathlib.Path, tmp_path: pathlib.Path) -> None:
    source, built = tmp_path / "source", tmp_path / "built"
    for path in ("source/a.py", "source/part/b.py", "built/gone.py", "built/old/c.py", "built/a.py",
                 "built/part/stale.py", "built/_lbm.cpython-311.so", "built/_lbm.pyi",
                 "built/_case_classes.py"):  # fmt: skip
        (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / path).write_text(path)
    script = root / "python" / "copy_package.cmake"
    command = ["cmake", f"-DFROM={source}", f"-DTO={built}", "-P", str(script)]
    subprocess.run(command, check=True, capture_output=True)
    found = {str(path.relative_to(built)) for path in built.rglob("*") if path.is_file()}
    made = {"_lbm.cpython-311.so", "_lbm.pyi", "_case_classes.py"}
    assert found == {"a.py", "part/b.py", *made}
    assert (built / "a.py").read_text() == "source/a.py"
