# SPDX-License-Identifier: Apache-2.0
"""PDF of a page, printed by a browser."""

from __future__ import annotations

import os
import shutil
import subprocess
import tempfile
from pathlib import Path

from lbm._files import write_atomically
from lbm._lbm import ResourceError

BROWSERS = (
    "chromium",
    "chromium-browser",
    "google-chrome",
    "google-chrome-stable",
    "microsoft-edge",
    "chrome",
)
_SECONDS = 120


def find_browser() -> str | None:
    """The path of a browser that prints; None where there is none."""
    return next((found for name in BROWSERS if (found := shutil.which(name))), None)


def print_pdf(text: str, path: Path) -> None:
    """Writes a page of HTML as PDF. Raises ResourceError where that fails; then no file is left."""
    browser = find_browser()
    if browser is None:
        raise ResourceError(
            f"{path}: no browser to print it: install chromium (Debian: apt-get install chromium), "
            "or write .html and print that"
        )
    if not path.parent.is_dir():
        raise ResourceError(f"{path}: cannot be written: there is no directory {path.parent}")
    with tempfile.TemporaryDirectory(prefix="lbm_report_") as folder:
        page, printed = Path(folder, "report.html"), Path(folder, "report.pdf")
        page.write_text(text, encoding="utf-8")
        command = [browser, "--headless", "--disable-gpu", "--no-first-run"]
        command += [f"--user-data-dir={folder}/profile", "--no-pdf-header-footer"]
        if os.geteuid() == 0:  # Chromium refuses its sandbox to root; the page has no script
            command.append("--no-sandbox")
        command += [f"--print-to-pdf={printed}", page.as_uri()]
        try:
            done = subprocess.run(command, capture_output=True, timeout=_SECONDS, check=False)
            lines = done.stderr.decode(errors="replace").strip().splitlines()
            why = lines[-1] if lines else f"exit code {done.returncode}"
        except (OSError, subprocess.TimeoutExpired) as error:
            why = str(error)
        if not printed.exists() or not printed.stat().st_size:
            raise ResourceError(f"{path}: {browser} printed nothing: {why}")
        write_atomically(path, printed.read_bytes())
