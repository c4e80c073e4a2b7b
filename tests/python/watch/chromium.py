# SPDX-License-Identifier: Apache-2.0
"""A headless Chromium, driven through a pipe by its DevTools protocol: no package is needed."""

import base64
import json
import os
import pathlib
import select
import shutil
import signal
import subprocess
import time
import typing

NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome")


def find() -> str | None:
    """The program; None: it is not installed."""
    return next((path for name in NAMES if (path := shutil.which(name))), None)


class Browser:
    """One page of a browser. Use it in `with`."""

    def __init__(self, folder: pathlib.Path, width: int = 1280, height: int = 900) -> None:
        program = find()
        assert program is not None
        to_browser, self._write = os.pipe()
        self._read, from_browser = os.pipe()
        options = [
            "--headless=new",
            "--no-sandbox",  # a test may be run by root
            "--disable-gpu",
            "--disable-dev-shm-usage",
            "--no-first-run",
            "--disable-background-networking",
            "--disable-component-update",
            "--remote-debugging-pipe",
            f"--user-data-dir={folder / 'profile'}",
            f"--window-size={width},{height}",
        ]
        shell = f'exec "$@" 3<&{to_browser} 4>&{from_browser}'
        self._process = subprocess.Popen(
            ["bash", "-c", shell, "bash", program, *options, "about:blank"],
            pass_fds=(to_browser, from_browser),
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
            env={**os.environ, "HOME": str(folder)},
        )
        os.close(to_browser)
        os.close(from_browser)
        self._number, self._rest = 0, b""
        self.errors: list[str] = []
        self.requests: list[str] = []
        targets = self._ask("Target.getTargets")["targetInfos"]
        page = next(one["targetId"] for one in targets if one["type"] == "page")
        self._session: str | None = self._ask(
            "Target.attachToTarget", targetId=page, flatten=True
        )["sessionId"]
        for domain in ("Page", "Runtime", "Log", "Network"):
            self._ask(f"{domain}.enable")
        self._ask(
            "Emulation.setDeviceMetricsOverride",
            width=width, height=height, deviceScaleFactor=1, mobile=False,
        )  # fmt: skip

    _session: str | None = None

    def __enter__(self) -> "Browser":
        return self

    def __exit__(self, *_: object) -> None:
        os.killpg(self._process.pid, signal.SIGKILL)  # its helpers, too
        self._process.wait()
        os.close(self._write)
        os.close(self._read)

    def _ask(self, method: str, **parameters: typing.Any) -> dict[str, typing.Any]:
        self._number += 1
        message = {"id": self._number, "method": method, "params": parameters}
        if self._session:
            message["sessionId"] = self._session
        os.write(self._write, json.dumps(message).encode() + b"\0")
        until = time.monotonic() + 60
        while True:
            answer = self._next(until)
            if answer.get("id") == self._number:
                assert "error" not in answer, answer
                result: dict[str, typing.Any] = answer["result"]
                return result
            self._note(answer)

    def _next(self, until: float) -> dict[str, typing.Any]:
        while b"\0" not in self._rest:
            ready, _, _ = select.select([self._read], [], [], max(until - time.monotonic(), 0))
            assert ready, "the browser does not answer"
            part = os.read(self._read, 1 << 20)
            assert part, "the browser has ended"
            self._rest += part
        text, _, self._rest = self._rest.partition(b"\0")
        message: dict[str, typing.Any] = json.loads(text)
        return message

    def _note(self, event: dict[str, typing.Any]) -> None:
        """Keeps errors of scripts and of the policy, and all addresses that were asked."""
        parameters = event.get("params", {})
        if event.get("method") == "Runtime.exceptionThrown":
            self.errors.append(json.dumps(parameters["exceptionDetails"])[:2000])
        elif event.get("method") == "Log.entryAdded" and parameters["entry"]["level"] == "error":
            self.errors.append(parameters["entry"]["text"])
        elif event.get("method") == "Network.requestWillBeSent":
            self.requests.append(parameters["request"]["url"])

    def open(self, url: str) -> None:
        """Goes to an address."""
        self._ask("Page.navigate", url=url)

    def hurry(self) -> None:
        """Pages that are opened from now on wait half a second at most between two requests."""
        script = (
            "const wait = window.setTimeout; "
            "window.setTimeout = (work, ms) => wait(work, Math.min(ms, 500))"
        )
        self._ask("Page.addScriptToEvaluateOnNewDocument", source=script)

    def run(self, script: str) -> typing.Any:
        """The value of an expression of JavaScript."""
        done = self._ask(
            "Runtime.evaluate", expression=script, awaitPromise=True, returnByValue=True
        )
        assert "exceptionDetails" not in done, done
        return done["result"].get("value")

    def wait(self, script: str, seconds: float = 90) -> None:
        """Waits until an expression is true."""
        until = time.monotonic() + seconds
        while not self.run(f"Boolean({script})"):
            assert time.monotonic() < until, f"{script}\n{self.errors}\n{self.text()[:3000]}"
            time.sleep(0.1)

    def drag(self, x: float, y: float, right: float, down: float) -> None:
        """Moves the mouse from a place of the window, with its button pressed."""
        self._mouse("mousePressed", x, y)
        for i in range(1, 5):
            self._mouse("mouseMoved", x + right * i / 4, y + down * i / 4)
        self._mouse("mouseReleased", x + right, y + down)

    def _mouse(self, what: str, x: float, y: float, **how: typing.Any) -> None:
        given = {"button": "left", "buttons": 1, "clickCount": 1, **how}
        self._ask("Input.dispatchMouseEvent", type=what, x=x, y=y, **given)

    def wheel(self, x: float, y: float, down: float) -> None:
        """Turns the wheel of the mouse at a place of the window."""
        self._mouse("mouseWheel", x, y, button="none", buttons=0, deltaX=0, deltaY=down)

    def pinch(self, x: float, y: float, before: float, after: float) -> None:
        """Moves two fingers from one distance to another, around a place of the window."""
        for kind, far in (("touchStart", before), ("touchMove", after), ("touchEnd", 0)):
            ends = (x - far / 2, x + far / 2)
            points = [{"x": one, "y": y, "id": i} for i, one in enumerate(ends)] if far else []
            self._ask("Input.dispatchTouchEvent", type=kind, touchPoints=points)

    def press(self, key: str) -> None:
        """Presses a key, such as ArrowLeft."""
        for kind in ("keyDown", "keyUp"):
            self._ask("Input.dispatchKeyEvent", type=kind, key=key)

    def text(self) -> str:
        """The text of the page."""
        return str(self.run("document.body?.innerText"))

    def picture(self, path: pathlib.Path) -> None:
        """Writes the whole page as PNG."""
        size = self._ask("Page.getLayoutMetrics")["cssContentSize"]
        clip = {"x": 0, "y": 0, "width": size["width"], "height": size["height"], "scale": 1}
        data = self._ask("Page.captureScreenshot", captureBeyondViewport=True, clip=clip)["data"]
        path.write_bytes(base64.b64decode(data))


def keep(browser: Browser, name: str) -> None:
    """Writes a picture of the page, where LBM_WATCH_PICTURES=DIR asks for it."""
    if folder := os.environ.get("LBM_WATCH_PICTURES"):
        browser.picture(pathlib.Path(folder) / f"{name}.png")


def no_trouble(browser: Browser, port: int) -> None:
    """No error of a script or of the policy, and no request to another server."""
    assert browser.errors == []
    own = (f"http://127.0.0.1:{port}/", "data:")
    assert [url[:80] for url in browser.requests if not url.startswith(own)] == []
