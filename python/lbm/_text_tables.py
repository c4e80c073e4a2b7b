# SPDX-License-Identifier: Apache-2.0
"""Small tables as HTML for notebooks: no scripts, and each value is escaped."""

from __future__ import annotations

import html
from collections.abc import Iterable, Sequence


def html_table(rows: Iterable[Sequence[str]], caption: str = "", heads: bool = True) -> str:
    """A table. heads: the first row has the names of the columns."""
    lines = []
    for i, row in enumerate(rows):
        tag = "th" if heads and i == 0 else "td"
        lines.append("".join(f"<{tag}>{html.escape(cell)}</{tag}>" for cell in row))
    above = f"<caption>{html.escape(caption)}</caption>" if caption else ""
    return f"<table>{above}{''.join(f'<tr>{line}</tr>' for line in lines)}</table>"


def html_lines(text: str) -> str:
    """Text in a fixed font, line by line."""
    return f"<pre>{html.escape(text)}</pre>"
