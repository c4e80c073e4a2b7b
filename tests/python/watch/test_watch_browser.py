# SPDX-License-Identifier: Apache-2.0
"""The page in a real Chromium, on a run that computes. LBM_WATCH_PICTURES=DIR keeps pictures."""

import contextlib
import os
import pathlib
import re
import shutil
import subprocess
import sys
import typing

import pytest
from served import running, wait

api = pytest.importorskip("playwright.sync_api")
NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome")
PROGRAM = next((path for name in NAMES if (path := shutil.which(name))), None)
pytestmark = pytest.mark.skipif(
    PROGRAM is None, reason="no Chromium: apt-get install chromium, for the page in a real browser"
)
EVIL = "<script>window.hacked=1</script><img src=x onerror=window.hacked=1>"


@pytest.fixture
def page() -> typing.Iterator[typing.Any]:
    """A page of a browser; fails for errors of scripts and of the policy, and other servers."""
    with api.sync_playwright() as play:
        options = ["--no-sandbox", "--enable-unsafe-swiftshader"]  # a test may be run by root
        browser = play.chromium.launch(executable_path=PROGRAM, args=options)
        one = browser.new_page(viewport={"width": 1280, "height": 900})
        trouble: list[str] = []
        one.on("pageerror", lambda error: trouble.append(str(error)))
        one.on("console", lambda said: trouble.append(said.text) if said.type == "error" else None)
        own = re.compile(r"(http://127\.0\.0\.1:\d+/|data:|blob:|about:)")
        one.on("request", lambda r: None if own.match(r.url) else trouble.append(r.url[:80]))
        one.set_default_timeout(90_000)
        yield one
        browser.close()
        # Parts that a run does not have are answered with 422, which a browser calls an error.
        assert [text for text in trouble if "422" not in text and "401" not in text] == []


@contextlib.contextmanager
def served(root: pathlib.Path, *options: str) -> typing.Iterator[str]:
    """The address of `lbm watch`."""
    command = [sys.executable, "-m", "lbm", "watch", str(root), "--port", "0", *options]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    try:
        assert process.stdout is not None
        yield process.stdout.readline().split("open ")[1].strip()
    finally:
        process.kill()
        process.communicate()


def keep(page: typing.Any, name: str) -> None:
    if folder := os.environ.get("LBM_WATCH_PICTURES"):
        page.screenshot(path=pathlib.Path(folder) / f"{name}.png", full_page=True)


def test_a_run_from_its_first_steps_to_its_end(
    program: str, sample: pathlib.Path, root: pathlib.Path, page: typing.Any
) -> None:
    """Every panel is filled, the plane moves, save makes a checkpoint, stop ends it with 130."""
    shutil.copytree(sample, root / "done")
    with served(root, "--allow-control") as url, running(program, root) as process:
        page.goto(url)
        wait(lambda: page.locator("tbody tr").count() == 2)
        for words in ("2 runs", "1 complete", "1 running", "32 × 16 × 16"):
            assert words in page.inner_text("body"), words
        page.fill("#search", "runn")
        assert page.locator("tbody tr:visible").count() == 1
        keep(page, "list")
        page.click("a[data-run=live]")
        page.wait_for_selector("#plane .heatmaplayer image", state="attached")
        for kind in ("monitor", "forces", "probe", "quantity"):
            page.wait_for_selector(f"#{kind} .scatterlayer path.js-line", state="attached")
        page.wait_for_selector("#picture img")
        page.wait_for_selector("#surface canvas", state="attached")
        text = page.inner_text("body")
        for words in ("Running", "of 2,000,000", "Time left", "Kinetic energy", "Force on ball",
                      "Probe behind", "Spectrum of probe behind", "drag", "Reynolds number",
                      "its smallest extent is 6 cells", "(20, 8, 8)", "lbm 1."):  # fmt: skip
            assert words in text, f"{words}\n{text}"

        def words(panel: str) -> str:
            return str(page.inner_text(f"#{panel} > .words"))

        page.locator("#plane input[name=index]").evaluate(
            "(e) => { e.value = 1; e.dispatchEvent(new Event('input', { bubbles: true })); }"
        )
        assert page.locator("#plane label.range output").first.inner_text() == "y = 0.25 L"
        page.select_option("#plane select[name=axis]", "x")
        wait(lambda: page.inner_text("#plane output >> nth=0").startswith("x = "))
        page.select_option("#plane select[name=quantity]", "vorticity")
        wait(lambda: "vorticity / (U/L)" in page.text_content("#plane .chart"))
        page.locator("#surface").scroll_into_view_if_needed()
        before = words("surface")
        assert "Grey: solid bodies" in before
        wait(lambda: words("surface") != before)  # a newer file comes by itself
        page.select_option("#picture select[name=picture]", "wake")
        wait(lambda: words("picture").startswith("wake, step "))
        page.click("#case button")
        wait(lambda: "name: \"live\"" in page.inner_text("#case pre"))
        page.evaluate("scrollTo(0, 0)")
        keep(page, "run")

        page.click("[data-post=save]")
        wait(lambda: "SIGUSR1 was sent" in page.inner_text("#done"))
        wait(lambda: list((root / "live").glob("checkpoint_*.h5")))
        page.once("dialog", lambda dialog: dialog.dismiss())
        page.click("[data-post=stop]")
        assert process.poll() is None, "one click is no wish: it asks first"
        page.once("dialog", lambda dialog: dialog.accept())
        page.click("[data-post=stop]")
        assert process.wait(60) == 130
        wait(lambda: page.inner_text(".state .badge") == "Interrupted")
        page.click("#report button")
        frame = page.frame_locator("#report iframe")
        frame.get_by_text("Provenance").first.wait_for()
        keep(page, "ended")


def test_hostile_texts_are_shown_and_not_run(
    sample: pathlib.Path, root: pathlib.Path, page: typing.Any
) -> None:
    name = EVIL.replace("/", "_")
    run = pathlib.Path(shutil.copytree(sample, root / name))
    report = (run / "report.json").read_text()
    (run / "report.json").write_text(report.replace('"completed"', f'"the flow diverged {EVIL}"'))
    (run / "effective_case.yaml").write_text(f"name: {EVIL}\n")
    (run / "forces_ball.csv").rename(run / f"forces_{name}.csv")
    (run / "mid_000000040.hdf").rename(run / f"{name}_000000040.hdf")
    with served(root) as url:
        page.goto(url)
        page.click("tbody a")
        page.wait_for_selector("#plane .heatmaplayer image", state="attached")
        page.wait_for_selector("#forces path.js-line", state="attached")
        page.click("#case button")
        wait(lambda: "window.hacked" in page.inner_text("#case pre"))
        assert page.inner_text("body").count("<script>window.hacked=1<") >= 3
        assert page.locator("main img, header img").count() == 0
        # The policy is a second wall: what got through the first one would not run.
        page.evaluate(f"document.body.insertAdjacentHTML('beforeend', {EVIL.split('<img')[0]!r})")
        assert page.evaluate("window.hacked === undefined")


def test_without_the_key(sample: pathlib.Path, page: typing.Any) -> None:
    with served(sample) as url:
        page.goto(url.replace("key=", "key=old"))
        wait(lambda: "of another start" in page.inner_text("#head"))
        page.goto(url)
        wait(lambda: page.locator("h1").count() and page.inner_text("h1") == "sample")
