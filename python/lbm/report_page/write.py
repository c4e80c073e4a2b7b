# SPDX-License-Identifier: Apache-2.0
"""Writes the report of a run, one page of HTML that holds all it shows: `python -m lbm report`."""

from __future__ import annotations

import argparse
import datetime
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from lbm._arguments import PathLike, fail, path_text
from lbm._files import refuse_existing, write_atomically
from lbm._lbm import Error, UsageError, __version__
from lbm.report_page import curves, outcome, page, pictures
from lbm.report_page.browser import print_pdf
from lbm.report_page.page import Panel, style
from lbm.report_page.source import Source
from lbm.results import Results
from lbm.results.errors import need

NAME = "report.html"
_MARK = '<meta name="generator" content="lbm report_page">'


def write_report(
    directory: PathLike, to: PathLike | None = None, *, overwrite: bool = False
) -> Path:
    """Writes the results of a run as one page to read or to send: a file of HTML, or of PDF.

    Args:
        directory: the directory of a run, which may have ended in any way, or still go on.
        to: the file, which ends in .html or .pdf; default: report.html in the directory. For PDF
            a browser prints the page (Chromium, Chrome or Edge).
        overwrite: whether the file may replace another one. A former report of HTML is always
            replaced, a result of a run never.

    Returns: the path of the file.

    The file holds its pictures, loads nothing, and has no script. A part that the results do not
    have is left out, or says why in a sentence. Needs matplotlib and Jinja2. Of a field file only
    the planes that are drawn are read.

    Raises: MissingFileError, where the directory does not exist; UsageError, where it has no
    results, and for a file that may not be replaced; ResourceError, where it cannot be written, or
    no browser prints it; MissingPackageError.
    """
    results = Results(directory)
    path = results.path / NAME if to is None else Path(path_text(to, "to"))
    if path.suffix not in (".html", ".pdf"):
        raise UsageError(f"to: found {str(to)!r}, must end in .html or .pdf")
    if not _is_former(path):
        refuse_existing(path, overwrite)
    text = page_text(Source(results))
    if path.suffix == ".pdf":
        print_pdf(text.replace("<details>", "<details open>"), path)  # paper does not unfold
    else:
        write_atomically(path, text)
    return path


def _is_former(path: Path) -> bool:
    """True if the file is a report page that lbm wrote."""
    try:
        with path.open(encoding="utf-8", errors="replace") as file:
            return _MARK in file.read(1000)
    except OSError:
        return False


def templates() -> Any:
    """The templates, which escape all they are given."""
    jinja2: Any = need("jinja2", "jinja2", "a report")
    environment = jinja2.Environment(
        loader=jinja2.FileSystemLoader(Path(__file__).parent / "templates"),
        autoescape=True,
        trim_blocks=True,
        lstrip_blocks=True,
        undefined=jinja2.ChainableUndefined,
    )
    environment.filters |= {"unit": page.unit_text, "value": page.value_text}
    for made in (page.dicts, page.duration, page.finite, page.number, page.size, page.with_error):
        environment.filters[made.__name__] = made
    return environment


def page_text(source: Source) -> str:
    """The page as HTML."""
    environment = templates()
    with style():
        panels = _panels(source, environment)
    text: str = environment.get_template("page.html.j2").render(
        name=source.name,
        outcome=outcome.outcome(source),
        description=source.description,
        tiles=outcome.tiles(source),
        panels=[panel for panel in panels if not panel.empty],
        empty=[(panel.title, panel.empty, None) for panel in panels if panel.empty],
    )
    return text


def text_panel(source: Source, environment: Any, title: str, name: str, empty: str) -> Panel:
    """A panel that a template makes. empty: why it is empty, if it is."""
    html = environment.get_template(f"{name}.html.j2").render(
        source=source,
        report=source.report,
        entries=source.entries,
        flow=source.flow,
        units=source.units,
        now=datetime.datetime.now().isoformat(" ", "seconds"),
        version=__version__,
    )
    made: Any = need("markupsafe", "markupsafe", "a report")
    return Panel(title, html=made.Markup(html)) if html.strip() else Panel(title, empty=empty)


def _panels(source: Source, environment: Any) -> list[Panel]:
    report = source.report

    def text(title: str, name: str, empty: str = "") -> tuple[str, Callable[[], Panel | None]]:
        return title, lambda: text_panel(source, environment, title, name, empty)

    results = "The case has no named quantities, and states no expected results."
    if not report:
        results = "These are in report.json, which this run has not written."
    speed = "the run ended before it was measured" if report else "there is no report.json"
    makers: list[tuple[str, Callable[[], Panel | None]]] = [
        ("Warnings", lambda: outcome.warnings_panel(source)),
        text("Results and expectations", "results", results),
        ("Pictures of the run", lambda: pictures.run_pictures_panel(source)),
        ("Pictures", lambda: pictures.pictures_panel(source)),
        ("Forces on bodies", lambda: curves.forces_panel(source)),
        ("Flow over time", lambda: curves.monitor_panel(source)),
        ("Probes", lambda: curves.probes_panel(source)),
        ("Quantities over time", lambda: curves.quantities_panel(source)),
        ("Profiles", lambda: curves.profiles_panel(source)),
        text("Setup", "setup", "There is neither an effective case nor a report to be read."),
        text("Speed", "speed", f"The speed is not known: {speed}."),
        text("Provenance", "provenance"),
    ]
    made = [_made(title, make) for title, make in makers]
    return [panel for panel in made if panel is not None]


def _made(title: str, make: Callable[[], Panel | None]) -> Panel | None:
    """A panel; where its files hold what no run writes, one that says so."""
    try:
        return make()
    except MemoryError:
        why = "it needs more memory than there is"
    except Exception as error:  # noqa: BLE001 - anybody may have changed the files
        why = (str(error).splitlines() or [type(error).__name__])[0]
    return Panel(title, empty=f"This part could not be made: {why}.")


def main(arguments: Sequence[str]) -> int:
    """Runs the command; returns its exit code. An error is one line on stderr."""
    parser = argparse.ArgumentParser(
        prog="python -m lbm report",
        description="Writes the results of a run as one page of HTML, or PDF, to read or to send.",
    )
    parser.add_argument("directory", metavar="DIR", help="the directory of a run")
    parser.add_argument(
        "--to", metavar="FILE", help="file that ends in .html or .pdf (default: DIR/report.html)"
    )
    parser.add_argument(
        "--overwrite", action="store_true", help="replace FILE, whatever it is, but no result"
    )
    given = parser.parse_args(arguments)
    try:
        print(write_report(given.directory, given.to, overwrite=given.overwrite))
    except Error as error:
        return fail(error)
    return 0
