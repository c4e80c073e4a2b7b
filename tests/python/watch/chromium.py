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

    def text(self) -> str:
        """The text of the page."""
        return str(self.run("document.body?.innerText"))

    def picture(self, path: pathlib.Path) -> None:
        """Writes the whole page as PNG."""
        size = self._ask("Page.getLayoutMetrics")["cssContentSize"]
        clip = {"x": 0, "y": 0, "width": size["width"], "height": size["height"], "scale": 1}
        data = self._ask("Page.captureScreenshot", captureBeyondViewport=True, clip=clip)["data"]
        path.write_bytes(base64.b64decode(data))
