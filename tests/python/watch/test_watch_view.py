# SPDX-License-Identifier: Apache-2.0
"""The view in three dimensions in a real browser: what is drawn, and how it is turned."""

import pathlib
import shutil
import time
import typing

import h5py
import numpy as np
import pytest
from chromium import Browser, find, keep, no_trouble
from field_files import write
from served import Served, serve

pytest.importorskip("matplotlib")
pytest.importorskip("jinja2")
pytestmark = pytest.mark.skipif(
    find() is None, reason="no Chromium: apt-get install chromium, for the page in a real browser"
)

WORDS = "document.querySelector('#surface .words').textContent"
WHERE = "document.querySelector('#surface .where').textContent"
CHOOSE = (
    "(() => {{ const one = document.querySelector('#surface [name={}]'); one.value = {!r}; "
    "one.dispatchEvent(new Event('change')); }})()"
)
# Shares of the pixels: transparent, coloured, grey (bodies, lines of the box); and a sum of all.
PIXELS = """(() => {
  const canvas = document.querySelector('#surface canvas');
  const { data } = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height);
  let none = 0, coloured = 0, sum = 0;
  for (let i = 0; i < data.length; i += 4) {
    const [r, g, b, a] = data.subarray(i, i + 4);
    if (a < 250) none += 1;
    else if (Math.max(r, g, b) - Math.min(r, g, b) > 40) coloured += 1;
    sum = (sum * 31 + r + 256 * g + 65536 * b) % 4294967291;
  }
  const all = data.length / 4;
  return [none / all, coloured / all, 1 - (none + coloured) / all, sum];
})()"""


class Look(typing.NamedTuple):
    none: float
    coloured: float
    grey: float
    sum: float


def look(browser: Browser) -> Look:
    """The pixels of the view in numbers, once the view no longer changes."""
    before = None
    for _ in range(100):
        found = Look(*browser.run(PIXELS))
        if found == before:
            return found
        before = found
        time.sleep(0.4)
    raise AssertionError("it does not come to rest")


def middle(browser: Browser) -> tuple[float, float]:
    """The middle of the view, in the window."""
    x, y = browser.run(
        "(() => { const box = document.querySelector('#surface canvas').getBoundingClientRect();"
        " return [box.x + box.width / 2, box.y + box.height / 2]; })()"
    )
    return x, y


def opened(browser: Browser, served: Served, shown: str) -> None:
    browser.open(served.server.url)
    browser.wait("document.querySelector('#surface')")
    browser.run("document.querySelector('#surface').scrollIntoView()")
    browser.wait(f"document.querySelector('#surface').textContent.includes({shown!r})")


@pytest.fixture
def ball(root: pathlib.Path) -> pathlib.Path:
    """A block in a flow whose speed is the distance from a place."""
    z, y, x = np.meshgrid(*((np.arange(n) + 0.5) / 32 for n in (20, 24, 32)), indexing="ij")
    velocity = np.stack([x - 0.4, y - 0.375, z - 0.3], axis=-1)
    solid = np.zeros(x.shape, "u1")
    solid[4:16, 6:18, 24:30] = 1
    write(root / "fields_000000007.hdf", x.shape, velocity=velocity, solid=solid, density=1 + x)
    return root


def test_the_view_is_filled_and_turns(ball: pathlib.Path, browser: Browser) -> None:
    """By mouse, wheel, two fingers, keys and buttons; back at first by Reset."""
    with serve(ball) as served:
        opened(browser, served, "t = 2.5 L/U, step 7")
        first = look(browser)
        assert first.none > 0.3 and first.coloured > 0.03 and first.grey > 0.005, first
        keep(browser, "view")
        assert "speed / U = " in browser.run(WHERE)
        text = browser.run("document.querySelector('#surface .view').textContent")
        for words in ("x / L", "y / L", "z / L", "pressure / (ρ₀ U²)"):
            assert words in text, text

        at = middle(browser)
        browser.drag(*at, 150, 60)
        turned = look(browser)
        assert turned.sum != first.sum and turned.coloured > 0.03
        browser.drag(at[0], at[1], -150, -60)
        assert look(browser) == first, "turned back"
        browser.drag(*at, 0, 2000)  # to the top, and not beyond
        top = look(browser)
        browser.drag(*at, 0, 500)
        assert look(browser) == top

        def back() -> None:
            browser.run("document.querySelector('#surface .zoom button:last-child').click()")
            assert look(browser) == first

        back()
        browser.wheel(*at, -200)
        nearer = look(browser)
        assert nearer.coloured > 1.2 * first.coloured, "nearer"
        back()
        browser.pinch(*at, 100, 200)
        assert look(browser).coloured > 1.5 * first.coloured
        back()
        for key in ("ArrowLeft", "ArrowRight", "ArrowUp", "ArrowDown", "+", "-"):
            browser.press(key)
            assert look(browser).sum != first.sum, key
            browser.press("0")
            assert look(browser) == first, key
        browser.run("document.activeElement.blur()")
        before = browser.run("scrollY")
        browser.wheel(*at, -200)
        browser.wait(f"scrollY < {before}")  # without the focus the wheel is the page's
        assert look(browser) == first
        no_trouble(browser, served.port)


def test_quantity_value_colours_and_bodies_are_chosen(ball: pathlib.Path, browser: Browser) -> None:
    with serve(ball) as served:
        opened(browser, served, "t = 2.5 L/U, step 7")
        first = look(browser)
        slide = (
            "(() => {{ const one = document.querySelector('#surface input[type=range]'); "
            "one.value = {}; one.dispatchEvent(new Event('input')); }})()"
        )
        browser.run(slide.format(150))
        browser.wait(f"!{WHERE}.includes({browser.run(WHERE)!r})")
        assert look(browser).coloured < 0.6 * first.coloured, "a smaller ball"
        browser.run(CHOOSE.format("colour", "velocity_y"))
        browser.wait("document.querySelector('#surface .view').textContent.includes('along y')")
        browser.run(CHOOSE.format("surface", "density"))
        browser.wait(f"{WHERE}.startsWith('density / ρ₀')")
        plane = look(browser)
        assert plane.coloured > 0.03
        browser.run("document.querySelector('#surface input[type=checkbox]').click()")
        bare = look(browser)
        assert bare.grey < 0.7 * plane.grey, "without bodies"
        assert "Grey" not in browser.run(WORDS)
        no_trouble(browser, served.port)


def test_a_newer_file_is_shown_from_the_same_side(ball: pathlib.Path, browser: Browser) -> None:
    browser.hurry()
    with serve(ball) as served:
        opened(browser, served, "t = 2.5 L/U, step 7")
        first = look(browser)
        browser.drag(*middle(browser), 120, 40)
        before = look(browser)
        assert before.sum != first.sum

        def newer(step: int) -> Look:
            copy = ball / f"copy{step}"
            shutil.copy(ball / "fields_000000007.hdf", copy)
            with h5py.File(copy, "r+") as file:
                file["VTKHDF"].attrs["step"] = step
            copy.rename(ball / f"fields_{step:09d}.hdf")
            browser.wait(f"{WORDS}.includes('step {step}')")
            return look(browser)

        assert newer(8) == before, "the same flow looks the same"
        shutil.copy(ball / "fields_000000007.hdf", ball / "other_000000007.hdf")
        (ball / "fields_000000009.hdf").write_bytes(b"\x89HDF\r\n\x1a\n half of it")
        browser.wait(f"{WORDS}.includes('fields_000000009.hdf')")
        assert look(browser) == before, "what was there stays, although there is another output"
        (ball / "fields_000000009.hdf").unlink()
        browser.wait(f"{WORDS}.includes('step 8')")


def test_a_run_without_fields_says_what_to_set(root: pathlib.Path, browser: Browser) -> None:
    (root / "run.log").write_text("2026-01-01 00:00:00 lbm 1.0: a.yaml\n")
    browser.hurry()
    with serve(root) as served:
        opened(browser, served, "output.every_steps")
        assert browser.run("document.querySelector('#surface canvas').offsetParent === null")
        values = np.ones((1, 8, 8))
        write(root / "mid_000000007.hdf", values.shape, pressure=values)
        browser.wait(f"{WORDS}.includes('an output without slice')")
        no_trouble(browser, served.port)


def test_hostile_names_are_shown_and_not_run(ball: pathlib.Path, browser: Browser) -> None:
    evil = "<img src=x onerror=window.hacked=1><script>window.hacked=1<_script>"
    (ball / "fields_000000007.hdf").rename(ball / f"{evil}_000000007.hdf")
    write(ball / "two_000000007.hdf", (6, 6, 6), density=np.random.default_rng(1).random((6, 6, 6)))
    with h5py.File(ball / f"{evil}_000000007.hdf", "r+") as file:
        values = np.random.default_rng(1).random((20, 24, 32))
        file["VTKHDF/PointData"][evil] = values
        file["VTKHDF/PointData"][evil].attrs["unit"] = evil
        file["VTKHDF"].attrs["units"] = evil
    with serve(ball) as served:
        opened(browser, served, "step 7")
        browser.run(CHOOSE.format("surface", evil))
        browser.wait(f"{WHERE}.includes('<img src=x')")
        browser.run(CHOOSE.format("colour", evil))
        browser.wait("document.querySelector('#surface .view').textContent.includes('<img')")
        assert look(browser).coloured > 0.01
        assert browser.run("document.querySelectorAll('script').length") == 1
        assert browser.run("document.querySelectorAll('img').length") == 0
        assert browser.run("window.hacked === undefined")
        no_trouble(browser, served.port)


def test_what_is_near_hides_what_is_far(ball: pathlib.Path, browser: Browser) -> None:
    """Two squares, one behind the other, in both orders; lines before, between and behind them."""
    script = """(async () => {
      const { Camera, Raster, palette, project } = await import('/raster.js');
      const camera = new Camera(0, 0, 30); // from +x
      const colours = palette(['#ff0000', '#0000ff']);
      const corners = [[-1, -1], [1, -1], [1, 1], [-1, 1]];
      const square = (x, shade) => ({
        points: Float32Array.from(corners.flatMap(([y, z]) => [x, y / 2, z / 2])),
        normals: Int8Array.from([1, 2, 3, 4].flatMap(() => [127, 0, 0])),
        quads: Uint32Array.from([0, 1, 2, 3]),
        shades: new Uint8Array(4).fill(shade),
      });
      const near = square(0.4, 254), far = square(-0.4, 0), found = [];
      for (const meshes of [[near], [near, far], [far, near], [far]]) {
        const raster = new Raster(60, 50);
        raster.clear();
        for (const mesh of meshes) raster.mesh(mesh, camera, colours);
        const count = [0, 0];
        for (const pixel of raster.pixels) if (pixel) count[(pixel >> 16 & 255) > 99 ? 1 : 0] += 1;
        for (const x of [-0.8, 0, 0.8]) {
          const ends = Float32Array.from([x, -0.4, 0, x, 0.4, 0]);
          const at = project(ends, camera, 60, 50);
          raster.line(at.subarray(0, 3), at.subarray(3), 0xff00ff00, 1);
          count.push(raster.pixels.filter((pixel) => pixel === 0xff00ff00).length > 10);
        }
        found.push(count);
      }
      return found;
    })()"""
    with serve(ball) as served:
        opened(browser, served, "t = 2.5 L/U, step 7")
        alone, after, before, behind = browser.run(script)
        assert alone[0] == 0 and alone[1] == pytest.approx(33**2, rel=0.1)
        assert after == before == alone, "blue and near hides red, which is smaller there"
        assert behind[0] == pytest.approx(27**2, rel=0.1) and behind[1] == 0
        assert alone[2:] == [False, False, True] and behind[2:] == [False, True, True]
        no_trouble(browser, served.port)
