# SPDX-License-Identifier: Apache-2.0
"""Small tables as text and as HTML, for terminals and notebooks.

HTML has no scripts, and each value in it is escaped.
"""

from __future__ import annotations

import html
from collections.abc import Iterable, Sequence
from typing import Any

Rows = Sequence[Sequence[str]]

_WIDTH = 100


def cell_text(value: Any) -> str:
    """A value in a table: numbers with six digits."""
    return f"{value:.6g}" if isinstance(value, float) else str(value)


def text_table(rows: Rows) -> str:
    """Right-aligned columns. The first row has the names."""
    widths = [max(map(len, column)) for column in zip(*rows)]
    return "\n".join(
        "  ".join(cell.rjust(width) for cell, width in zip(row, widths)) for row in rows
    )


def first_and_last(count: int, ends: int) -> list[int | None]:
    """Numbers of rows to show: all, or the first and last `ends` of them with None in between."""
    if count <= 2 * ends + 1:
        return list(range(count))
    return [*range(ends), None, *range(count - ends, count)]


def name_lines(named: Iterable[tuple[str, str]]) -> str:
    """A name and its text a line, the texts below each other; long texts are cut."""
    rows = list(named)
    width = max((len(name) for name, _ in rows), default=0)
    return "\n".join(shortened(f"  {name.ljust(width)}  {text}", _WIDTH) for name, text in rows)


def packed_lines(items: Iterable[str], indent: str) -> str:
    """Items one behind the other, in lines of at most 100 characters; longer items are cut."""
    lines: list[str] = []
    for item in items:
        item = shortened(item, _WIDTH - len(indent))
        joined = f"{lines[-1]}; {item}" if lines else ""
        if lines and len(joined) <= _WIDTH:
            lines[-1] = joined
        else:
            lines.append(indent + item)
    return "\n".join(lines)


def shortened(text: str, most: int) -> str:
    """At most so many characters of the first line of a text."""
    line = text.partition("\n")[0]
    return line if line == text and len(line) <= most else line[: most - 3] + "..."


def html_table(rows: Rows, caption: str = "") -> str:
    """The same as text_table for a notebook."""
    lines = [_html_row(row, "td" if i else "th") for i, row in enumerate(rows)]
    return _table(lines, caption)


def html_names(named: Iterable[tuple[str, str]], caption: str = "") -> str:
    """A table of names and values. A value is HTML already, such as html.escape(text)."""
    lines = [
        f'<tr><th style="text-align:left">{html.escape(name)}</th>'
        f'<td style="text-align:left">{value}</td></tr>'
        for name, value in named
    ]
    return _table(lines, caption)


def html_folded(inside: str, summary: str) -> str:
    """HTML that is shown by a click on its summary."""
    return f"<details><summary>{html.escape(summary)}</summary>{inside}</details>"


def html_lines(text: str) -> str:
    """Text in a fixed font, line by line."""
    return f"<pre>{html.escape(text)}</pre>"


def _table(lines: Sequence[str], caption: str) -> str:
    above = f"<caption>{html.escape(caption)}</caption>" if caption else ""
    return f"<table>{above}{''.join(lines)}</table>"


def _html_row(cells: Sequence[str], tag: str) -> str:
    return f"<tr>{''.join(f'<{tag}>{html.escape(cell)}</{tag}>' for cell in cells)}</tr>"
