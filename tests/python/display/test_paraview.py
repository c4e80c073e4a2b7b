# SPDX-License-Identifier: Apache-2.0
"""The script that opens results in ParaView; ParaView itself where it is installed."""

import os
import pathlib
import runpy
import shutil
import subprocess
import sys
import types
import typing

import numpy as np
import pytest
from conftest import ROOT

import lbm


class Recorder:
    """Stands for paraview.simple and all that it returns: takes any call and attribute."""

    def __init__(self, calls: list[tuple[str, tuple[typing.Any, ...]]], name: str = "") -> None:
        vars(self).update(_calls=calls, _name=name)

    def __getattr__(self, name: str) -> "Recorder":
        return Recorder(self._calls, name)

    def __setattr__(self, name: str, value: object) -> None:
        self._calls.append((f"{name} =", (value,)))

    def __call__(self, *arguments: object, **named: object) -> "Recorder":
        self._calls.append((self._name, (*arguments, *named.values())))
        return Recorder(self._calls, f"{self._name}()")


Calls = dict[str, list[tuple[typing.Any, ...]]]


def played(script: pathlib.Path, monkeypatch: pytest.MonkeyPatch, *arguments: str) -> Calls:
    """The calls of a script, by name."""
    calls: list[tuple[str, tuple[typing.Any, ...]]] = []
    module = types.ModuleType("paraview")
    module.simple = Recorder(calls)  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "paraview", module)
    monkeypatch.setattr(sys, "argv", [str(script), *arguments])
    runpy.run_path(str(script), run_name="__main__")
    return {name: [args for what, args in calls if what == name] for name, _ in calls}


def test_the_script_opens_the_last_time(
    sample: pathlib.Path, tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    copied = tmp_path / "moved" / "sample"
    shutil.copytree(sample, copied)
    script = lbm.paraview_script(copied)
    assert script == copied / "open_in_paraview.py"
    copied = copied.rename(tmp_path / "elsewhere")  # the results may be moved with their script
    calls = played(copied / script.name, monkeypatch, "a.png")
    assert calls["OpenDataFile"] == [(str(copied / "fields.hdf.series"),)]
    assert calls["AnimationTime ="] == [(lbm.open(copied).times[-1],)]
    assert calls["Title ="] == [("speed / U",)] and "Contour" not in calls
    assert calls["Normal ="] == [([0.0, 1.0, 0.0],)], "across the shortest axis"
    assert calls["Origin ="][0][0] == pytest.approx([0.5, 0.375, 0.625])
    assert calls["SaveScreenshot"][0][0] == "a.png"
    assert "SaveScreenshot" not in played(copied / script.name, monkeypatch)


def test_bodies_and_surfaces_are_shown(
    sample_vtk: pathlib.Path, tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    script = lbm.paraview_script(lbm.open(sample_vtk), tmp_path / "show.py", series="packed")
    calls = played(script, monkeypatch)
    names = [os.path.relpath(args[0], sample_vtk) for args in calls["OpenDataFile"]]
    assert names == ["packed.hdf.series", "surface.pvd", "surfacez.pvd"], "not the empty surface"
    assert len(calls["Contour"]) == 1 and calls["Contour"][0][1:] == (["POINTS", "solid"], [0.5])
    flat = lbm.paraview_script(sample_vtk, tmp_path / "mid.py", series="mid")
    assert "Slice" not in played(flat, monkeypatch)


def test_what_the_script_refuses(sample: pathlib.Path, tmp_path: pathlib.Path) -> None:
    with pytest.raises(
        lbm.UsageError, match="series: found 'none', must be images of the run: across"
    ):
        lbm.paraview_script(sample, tmp_path / "a.py", series="none")
    lbm.paraview_script(sample, tmp_path / "a.py")
    with pytest.raises(lbm.UsageError, match="overwrite=True"):
        lbm.paraview_script(sample, tmp_path / "a.py")
    lbm.paraview_script(sample, tmp_path / "a.py", overwrite=True)
    (tmp_path / "tables").mkdir()
    shutil.copy(sample / "profile_x.csv", tmp_path / "tables")
    with pytest.raises(lbm.UsageError, match="has neither images nor surfaces"):
        lbm.paraview_script(tmp_path / "tables")


def test_paraview_draws_it(sample_vtk: pathlib.Path, tmp_path: pathlib.Path) -> None:
    pvbatch = shutil.which("pvbatch")
    if not pvbatch:
        pytest.skip("ParaView is not installed")
    image = pytest.importorskip("PIL.Image")
    script = lbm.paraview_script(sample_vtk, tmp_path / "show.py", series="packed")
    command = [pvbatch, str(script), str(tmp_path / "a.png")]
    if not os.environ.get("DISPLAY") and shutil.which("xvfb-run"):
        command = ["xvfb-run", "-a", "-s", "-screen 0 1280x1200x24", *command]
    # ParaView has a Python and libraries of its own.
    environment = {
        n: t for n, t in os.environ.items() if n not in ("PYTHONPATH", "LD_LIBRARY_PATH")
    }
    for _ in range(3):  # the software display of xvfb aborts at times
        done = subprocess.run(command, capture_output=True, text=True, env=environment)
        if done.returncode == 0:
            break
    assert done.returncode == 0, done.stdout[-2000:] + done.stderr[-2000:]
    shown = np.asarray(image.open(tmp_path / "a.png").convert("RGB")).astype(int)
    grey = (np.ptp(shown, axis=-1) < 12) & (shown[..., 0] > 60) & (shown[..., 0] < 200)
    coloured = np.ptp(shown, axis=-1) > 40
    assert shown.shape[1] == 1280 and coloured.mean() > 0.1 and grey.sum() > 1000
    edge = np.concatenate(
        [shown[:3].reshape(-1, 3), shown[:, :3].reshape(-1, 3), shown[:, -3:].reshape(-1, 3)]
    )
    assert (edge == 255).all(), "nothing is cut off"


def test_the_script_is_python_of_paraview(sample: pathlib.Path, tmp_path: pathlib.Path) -> None:
    """It needs no lbm, and nothing of the checkout."""
    text = lbm.paraview_script(sample, tmp_path / "a.py").read_text()
    assert "import lbm" not in text and "from lbm" not in text and "type: ignore" not in text
    assert "paraview --script=a.py" in text and str(ROOT) not in text
