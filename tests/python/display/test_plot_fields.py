# SPDX-License-Identifier: Apache-2.0
"""Pictures of fields: what is in the artists."""

import pathlib
import subprocess
import sys

import numpy as np
import pytest
from conftest import SMALL_CASE, RunCase

import lbm

pytest.importorskip("matplotlib")
from matplotlib.figure import Figure  # noqa: E402

from lbm import plot  # noqa: E402
from lbm.results import Results  # noqa: E402


@pytest.fixture
def results(sample: pathlib.Path) -> Results:
    return lbm.open(sample)


def axes(**how: object) -> object:
    return Figure().subplots(subplot_kw=how)


def test_a_slice_shows_the_cells(results: Results) -> None:
    image = results.fields[-1]
    given = axes()
    ax = plot.slice(image, "velocity", "y", 0.4, component="x", ax=given, vmin=-1, cmap="RdBu")
    assert ax is given
    (picture,) = ax.images
    np.testing.assert_array_equal(picture.get_array(), image.velocity[:, 6, :, 0])
    np.testing.assert_allclose(picture.get_extent(), (0, 1, 0, 1.25), atol=1e-12)
    assert picture.origin == "lower" and picture.get_clim()[0] == -1
    assert (ax.get_xlabel(), ax.get_ylabel()) == ("x / L", "z / L")
    assert "y = 0.4062" in ax.get_title() and "t = 0.25" in ax.get_title()


def test_of_vectors_it_shows_the_length(results: Results) -> None:
    image = results["mid"][-1]
    ax = plot.slice(image, ax=axes(), colorbar=False)
    speed = np.sqrt((np.asarray(image.velocity[:, 0], np.float64) ** 2).sum(axis=-1))
    np.testing.assert_allclose(ax.images[0].get_array(), speed, rtol=1e-12)
    assert len(ax.figure.axes) == 1
    cut = results.fields[-1].slice("z", index=3)
    shown = plot.slice(cut, "density", ax=axes()).images[0].get_array()
    np.testing.assert_array_equal(shown, results.fields[-1].density[3])
    array = np.arange(12.0).reshape(3, 4)
    np.testing.assert_array_equal(plot.slice(array, ax=axes()).images[0].get_array(), array)


TUNNEL = """\
name: tunnel
grid: {cells: [16, 1, 40]}
boundaries:
  x_min: slip
  x_max: slip
  y_min: periodic
  y_max: periodic
  z_min: {type: velocity, velocity: [0, 0, 1]}
  z_max: outflow
bodies:
  rod: {shape: cylinder, from: [8, -1, 12], to: [8, 2, 12], radius: 3}
fluid: {reynolds: 20, length: 6}
run: {steps: 200}
output: {every_steps: 100, monitor: 50}
outputs:
  all: {fields: [velocity, pressure, solid], every_steps: 100}
device: {backend: cpu}
"""


@pytest.fixture(scope="module")
def tunnels(program: str, tmp_path_factory: pytest.TempPathFactory) -> dict[str, Results]:
    """A flow past a rod, in units of the flow and in SI."""
    cases = {
        "flow": TUNNEL,
        "si": TUNNEL.replace("fluid: {reynolds: 20, length: 6}", SI_FLUID)
        .replace("cells: [16, 1, 40]", "cells: [16, 1, 40], spacing: 1e-3")
        .replace("[0, 0, 1]", "[0, 0, 2]")
        .replace("[8, -1, 12], to: [8, 2, 12], radius: 3", "[8e-3, -1e-3, 12e-3], "
                 "to: [8e-3, 2e-3, 12e-3], radius: 3e-3"),
    }  # fmt: skip
    made = {}
    for name, text in cases.items():
        folder = tmp_path_factory.mktemp(name)
        (folder / "case.yaml").write_text(text)
        command = [
            program,
            "run",
            str(folder / "case.yaml"),
            "--quiet",
            "--out",
            str(folder / "out"),
        ]
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
        made[name] = lbm.open(folder / "out")
    return made


SI_FLUID = "fluid: {viscosity: 6e-4, velocity: 2, length: 6e-3, density: 1.2}\nunits: si"


def test_bodies_are_grey_and_not_in_the_colours(tunnels: dict[str, Results]) -> None:
    image = tunnels["flow"]["all"][-1]
    solid = np.asarray(image.solid)[:, 0] == 1
    assert solid.sum() > 20
    for field in (image, tunnels["flow"].fields[-1]):  # with and without the field `solid`
        (picture,) = plot.slice(field, "velocity", ax=axes()).images
        np.testing.assert_array_equal(np.ma.getmaskarray(picture.get_array()), solid)
        assert picture.get_clim()[0] > 0, "the speed 0 in the body is not in the range"
        shown = picture.to_rgba(picture.get_array())
        np.testing.assert_allclose(shown[solid], [[0.6, 0.6, 0.6, 1]] * solid.sum(), atol=0.01)
        assert picture.get_cmap().name == "viridis"
    red = plot.slice(image, "pressure", ax=axes(), body="red", cmap="magma").images[0]
    assert red.to_rgba(red.get_array())[solid][0].tolist() == [1, 0, 0, 1]
    plain = plot.slice(image, "velocity", ax=axes(), body=None).images[0].get_array()
    assert not np.ma.is_masked(plain) and (plain[solid] == 0).all()


def test_fluid_at_rest_is_not_grey(tunnels: dict[str, Results], run_case: RunCase) -> None:
    assert not np.ma.is_masked(
        plot.slice(tunnels["flow"].fields[0], ax=axes()).images[0].get_array()
    )
    still = lbm.open(run_case(SMALL_CASE.replace("velocity: [1, 0, 0]", ""), "run.steps=200"))
    assert not np.ma.is_masked(
        plot.slice(still.fields[-1], axis="y", ax=axes()).images[0].get_array()
    )
    early = lbm.open(run_case(SMALL_CASE, "run.steps=3", out="early")).fields[-1]
    assert (np.asarray(early.velocity)[:10] == 0).all()
    assert not np.ma.is_masked(plot.slice(early, axis="y", ax=axes()).images[0].get_array())


def test_the_long_axis_may_run_from_left_to_right(
    tunnels: dict[str, Results], tmp_path: pathlib.Path
) -> None:
    image = tunnels["flow"]["all"][-1]
    how = {"save": tmp_path / "a.png", "overwrite": True}
    tall = plot.slice(image, "pressure", **how)
    wide = plot.slice(image, "pressure", horizontal="z", **how)
    assert (wide.get_xlabel(), wide.get_ylabel()) == ("z / L", "x / L")
    np.testing.assert_array_equal(wide.images[0].get_array(), tall.images[0].get_array().T)
    np.testing.assert_allclose(wide.images[0].get_extent(), (0, 40 / 6, 0, 16 / 6))
    width, height = wide.figure.get_size_inches()
    assert width > height and tall.figure.get_size_inches()[1] > tall.figure.get_size_inches()[0]
    same = plot.slice(image, "pressure", horizontal="x", ax=axes())
    np.testing.assert_array_equal(same.images[0].get_array(), tall.images[0].get_array())
    with pytest.raises(lbm.UsageError, match="horizontal: found 'y', must be one of z, x"):
        plot.slice(image, horizontal="y")


def test_labels_have_quantity_and_unit(tunnels: dict[str, Results]) -> None:
    wanted = {
        "flow": ("x / L", "speed / U", "pressure / (ρ₀ U²)", "uz / U", "z / L", "time / (L/U)"),
        "si": ("x [m]", "speed [m/s]", "pressure [Pa]", "uz [m/s]", "z [m]", "time [s]"),
    }
    energy = {"flow": "kinetic energy / (ρ₀ U²)", "si": "kinetic energy [J/m³]"}
    force = {"flow": "force / (ρ₀ U² L²)", "si": "force [N]"}
    for system, (along, speed, pressure, column, place, time) in wanted.items():
        results = tunnels[system]
        image = results["all"][-1]
        ax = plot.slice(image, ax=axes())
        assert ax.get_xlabel() == along and ax.figure.axes[1].get_ylabel() == speed
        assert plot.slice(image, "pressure", ax=axes()).figure.axes[1].get_ylabel() == pressure
        ax = plot.profile(results.profiles["z"], "uz", ax=axes())
        assert (ax.get_xlabel(), ax.get_ylabel()) == (place, column)
        ax = plot.profile(image.line("z"), "pressure", ax=axes())
        assert (ax.get_xlabel(), ax.get_ylabel()) == (place, pressure)
        ax = plot.history(results.monitor, "kinetic_energy", ax=axes())
        assert (ax.get_xlabel(), ax.get_ylabel()) == (time, energy[system])
        ax = plot.history(results.monitor, ["kinetic_energy", "speed_max"], ax=axes())
        labels = [line.get_label() for line in ax.lines]
        assert labels[1] == speed.replace("speed", "speed_max") and not ax.get_ylabel()
        assert plot.forces(results.forces["rod"], "force", ax=axes()).get_ylabel() == force[system]


def test_a_new_figure_fits_its_slice(results: Results, tmp_path: pathlib.Path) -> None:
    image = results.fields[-1]
    for part, shape in ((image.box(x=slice(0, 3)), (3, 20)), (image.box(z=slice(0, 3)), (16, 3))):
        ax = plot.slice(part, "velocity", "y", save=tmp_path / "a.png", overwrite=True)
        bar = ax.figure.axes[1]
        assert bar.get_ylabel() + bar.get_xlabel() == "speed / U"
        ax.figure.draw_without_rendering()
        box, (width, height) = ax.get_position(), ax.figure.get_size_inches()
        assert box.width * width / (box.height * height) == pytest.approx(shape[0] / shape[1])
        assert (1 - box.width) * width < 2.5 and (1 - box.height) * height < 1.7, "in inches"


def test_a_profile_beside_references(results: Results, tmp_path: pathlib.Path) -> None:
    (tmp_path / "known.csv").write_text("# of a paper\nz,ux\n0.1,0.2\n0.3,0.4\n")
    table = results.profiles["z"]
    known = {"paper": tmp_path / "known.csv", "other": ([0, 1], [2, 3])}
    ax = plot.profile(table, "ux", reference=known, upright=True, ax=axes())
    curve, paper, other = ax.lines
    np.testing.assert_array_equal(curve.get_xdata(), table.ux)
    np.testing.assert_array_equal(curve.get_ydata(), table.z)
    assert paper.get_xydata().tolist() == [[0.2, 0.1], [0.4, 0.3]]
    assert other.get_xydata().tolist() == [[2, 0], [3, 1]]
    assert [t.get_text() for t in ax.get_legend().get_texts()] == ["ux", "paper", "other"]
    assert (ax.get_xlabel(), ax.get_ylabel()) == ("ux / U", "z / L")


def test_a_profile_of_an_image(results: Results, root: pathlib.Path) -> None:
    line = results.fields[-1].line("z")
    ax = plot.profile(line, component="x", ax=axes(), color="red")
    np.testing.assert_array_equal(ax.lines[0].get_xdata(), results.fields[-1].z)
    np.testing.assert_allclose(ax.lines[0].get_ydata(), results.profiles["z"].ux, rtol=1e-12)
    assert ax.lines[0].get_color() == "red"
    file = sorted((root / "cases" / "data").glob("*.csv"))[0]
    ax = plot.profile(([0, 1], [1, 2]), reference=file, ax=axes())
    rows = [line for line in file.read_text().splitlines() if line and line[0] not in "#xyz"]
    expected = [[float(v) for v in row.split(",")[:2]] for row in rows if row[0] in "-.0123456789"]
    assert ax.lines[1].get_xydata().tolist() == expected and expected


def test_forces_over_time(results: Results) -> None:
    table = results.forces["ball"]
    ax = plot.forces(table, "torque", components="xz", ax=axes())
    assert [line.get_label() for line in ax.lines] == ["tx", "tz"]
    assert (ax.get_xlabel(), ax.get_ylabel()) == ("time / (L/U)", "torque / (ρ₀ U² L³)")
    assert plot.forces(table, ax=axes()).get_ylabel() == "force coefficient"
    assert plot.history(results.probes["behind"], "p_1", ax=axes()).get_xlabel() == "time / (L/U)"
    for line in ax.lines:
        np.testing.assert_array_equal(line.get_xdata(), table.time)
        np.testing.assert_array_equal(line.get_ydata(), table[line.get_label()])
    ax = plot.history(results.monitor, "kinetic_energy", ax=axes())
    np.testing.assert_array_equal(ax.lines[0].get_ydata(), results.monitor.kinetic_energy)


def triangles_of(ax: object) -> np.ndarray:
    """Corners of what is drawn, [triangles, 3, 3]."""
    (collection,) = ax.collections  # type: ignore[attr-defined]
    corners = collection._faces
    return np.asarray(corners)


def test_a_surface_of_the_run_is_drawn(sample_vtk: pathlib.Path) -> None:
    surface = lbm.open(sample_vtk)["surface"][-1]
    ax = plot.isosurface(surface, color="#ff0000", ax=axes(projection="3d"))
    np.testing.assert_allclose(triangles_of(ax), surface.points[surface.triangles])
    faces = ax.collections[0].get_facecolor()
    assert (faces[:, 1:3] == 0).all() and np.ptp(faces[:, 0]) > 0.2, "red, by its shading"
    assert 0.34 < faces[:, 0].min() and faces[:, 0].max() <= 1
    ax = plot.isosurface(surface, color_by="velocity", ax=axes(projection="3d"))
    assert len(np.unique(ax.collections[0].get_facecolor()[:, 1])) > 10


def test_the_surface_of_an_image_is_that_of_the_run(sample_vtk: pathlib.Path) -> None:
    pytest.importorskip("skimage")
    results = lbm.open(sample_vtk)
    image, surface = results.fields[-1], results["surface"][-1]
    ax = plot.isosurface(image, "density", 1.01, color_by="velocity", ax=axes(projection="3d"))
    drawn = triangles_of(ax)

    def area(corners: np.ndarray) -> float:
        sides = corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0]
        return float(np.linalg.norm(np.cross(*sides), axis=1).sum() / 2)

    expected = surface.points[surface.triangles].astype(float)
    np.testing.assert_allclose(drawn.min(axis=(0, 1)), expected.min(axis=(0, 1)), atol=1e-5)
    np.testing.assert_allclose(drawn.max(axis=(0, 1)), expected.max(axis=(0, 1)), atol=1e-5)
    assert area(drawn) == pytest.approx(area(expected), rel=0.02)
    same = plot.isosurface(
        np.asarray(image.density),
        value=1.01,
        color_by=np.asarray(image.velocity),
        ax=axes(projection="3d"),
    )
    assert len(same.collections[0].get_facecolor()) == len(ax.collections[0].get_facecolor())
    np.testing.assert_allclose(
        same.collections[0].get_facecolor(), ax.collections[0].get_facecolor(), atol=0.02
    )
    assert ax.get_xlim()[1] - image.x[0] == pytest.approx(same.get_xlim()[1] * image.spacing[0])
    half = plot.isosurface(image, "density", 1.01, stride=2, ax=axes(projection="3d"))
    assert 0 < len(triangles_of(half)) < len(drawn) / 2
    for wrong in (
        lambda: plot.isosurface(image, "density"),
        lambda: plot.isosurface(image, "density", 7),
        lambda: plot.isosurface(np.ones((3, 3, 3)), value=1.5),
        lambda: plot.isosurface(np.ones((3, 3)), value=1.5),
        lambda: plot.isosurface(np.ones((3, 3, 3)), value=1.5, color_by="velocity"),
        lambda: plot.isosurface(image, "density", 1.01, color_by=np.ones(3)),
        lambda: plot.isosurface(surface, ax=axes()),
        lambda: plot.isosurface(results["mid"][-1], "velocity", 0.1),
    ):
        with pytest.raises(lbm.UsageError) as error:
            wrong()
        assert "\n" not in str(error.value)


def test_an_empty_surface_is_an_empty_picture(sample_vtk: pathlib.Path) -> None:
    surface = lbm.open(sample_vtk)["empty"][-1]
    ax = plot.isosurface(surface, color_by="velocity", ax=axes(projection="3d"))
    assert len(ax.collections) == 0 and ax.get_xlabel() == "x / L"


def test_colours_have_a_bar_with_their_range(sample_vtk: pathlib.Path) -> None:
    surface = lbm.open(sample_vtk)["surface"][-1]
    ax = plot.isosurface(surface, color_by="velocity", vmin=0, ax=axes(projection="3d"))
    bar = ax.figure.axes[1]
    speed = np.linalg.norm(surface.velocity.astype(float), axis=1)
    means = speed[surface.triangles].mean(axis=1)
    assert bar.get_ylabel() == "speed / U"
    np.testing.assert_allclose(bar.get_ylim(), (0, means.max()), rtol=1e-6)


def test_wrong_arguments_are_one_line(results: Results, tmp_path: pathlib.Path) -> None:
    table = results.profiles["z"]
    (tmp_path / "bad.csv").write_text("z,ux\n1,2\n3,up\n")
    (tmp_path / "empty.csv").write_text("")
    image = results.fields[-1]
    for wrong in (
        lambda: plot.slice(image),
        lambda: plot.slice(image, "velocity", "y", component="w"),
        lambda: plot.slice(image, "density", "y", component="x"),
        lambda: plot.slice(results["means"][-1], "strain_rate", "y"),
        lambda: plot.slice(np.zeros(3)),
        lambda: plot.profile(image.slice("y")),
        lambda: plot.profile((1, 2, 3)),
        lambda: plot.profile(([1, 2], [1, 2, 3])),
        lambda: plot.profile(table, reference=tmp_path / "bad.csv"),
        lambda: plot.profile(table, reference=tmp_path / "empty.csv"),
        lambda: plot.profile(table, reference=tmp_path / "none.csv"),
        lambda: plot.profile(table, "density_", reference=([0], [1])),
        lambda: plot.forces(results.forces["ball"], "lift"),
        lambda: plot.forces(results.forces["ball"], components="w"),
    ):
        with pytest.raises(lbm.UsageError) as error:
            wrong()
        assert "\n" not in str(error.value)


def test_a_picture_is_not_overwritten_unasked(results: Results, tmp_path: pathlib.Path) -> None:
    import matplotlib.pyplot as plt

    file = tmp_path / "a.png"
    open_before = plt.get_fignums()
    plot.slice(results["mid"][-1], save=file)
    first = file.read_bytes()
    assert first.startswith(b"\x89PNG") and plt.get_fignums() == open_before
    with pytest.raises(lbm.UsageError, match="overwrite=True"):
        plot.forces(results.forces["ball"], save=file)
    assert file.read_bytes() == first
    plot.forces(results.forces["ball"], save=file, overwrite=True)
    assert file.read_bytes() != first
    for wrong in (tmp_path / "none" / "a.png", tmp_path / "a.text"):
        with pytest.raises(lbm.UsageError, match="cannot save"):
            plot.slice(results["mid"][-1], save=wrong)


def test_no_display_is_needed(sample: pathlib.Path, tmp_path: pathlib.Path) -> None:
    code = f"""
import os
for name in ("DISPLAY", "WAYLAND_DISPLAY", "MPLBACKEND"):
    os.environ.pop(name, None)
import lbm
ax = lbm.plot.slice(lbm.open({str(sample)!r})["mid"][-1])
ax.figure.savefig({str(tmp_path / "a.png")!r})
"""
    subprocess.run([sys.executable, "-c", code], check=True)
    assert (tmp_path / "a.png").stat().st_size > 1000


def test_missing_packages_are_named(
    sample_vtk: pathlib.Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    results = lbm.open(sample_vtk)
    for module, package, draw in (
        ("skimage.measure", "scikit-image",
         lambda: plot.isosurface(results.fields[-1], "density", 1.01)),
        ("matplotlib", "matplotlib", lambda: plot.slice(results["mid"][-1])),
    ):  # fmt: skip
        with monkeypatch.context() as patch:
            patch.setitem(sys.modules, module, None)
            with pytest.raises(ImportError, match=f"pip install {package}") as error:
                draw()
            assert isinstance(error.value, lbm.Error)
