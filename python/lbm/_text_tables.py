"""Small tables as text and as HTML, for terminals and notebooks."""

from __future__ import annotations

import html
from collections.abc import Sequence
from typing import Any

Rows = Sequence[Sequence[str]]


def cell_text(value: Any) -> str:
    """A value in a table: numbers with six digits."""
    return f"{value:.6g}" if isinstance(value, float) else str(value)


def text_table(rows: Rows) -> str:
    """Right-aligned columns. The first row has the names."""
    widths = [max(map(len, column)) for column in zip(*rows)]
    return "\n".join(
        "  ".join(cell.rjust(width) for cell, width in zip(row, widths)) for row in rows
    )


def html_table(rows: Rows, caption: str = "") -> str:
    """The same for a notebook."""
    lines = [_html_row(row, "td" if i else "th") for i, row in enumerate(rows)]
    above = f"<caption>{html.escape(caption)}</caption>" if caption else ""
    return f"<table>{above}{''.join(lines)}</table>"


def html_lines(text: str) -> str:
    """Text in a fixed font, line by line."""
    return f"<pre>{html.escape(text)}</pre>"


def _html_row(cells: Sequence[str], tag: str) -> str:
    return f"<tr>{''.join(f'<{tag}>{html.escape(cell)}</{tag}>' for cell in cells)}</tr>"
