"""The runs of a study, side by side."""

from __future__ import annotations

import csv
import html
import io
import os
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from lbm._files import refuse_existing, write_atomically
from lbm.results import Results
from lbm.results.lazy import Array
from lbm.results.trouble import need, no_name

if TYPE_CHECKING:
    import pandas  # type: ignore[import-untyped,unused-ignore]

Row = dict[str, Any]


class StudyTable(Mapping[str, Array]):
    """A row for each run, in the order of the settings: name of the column -> array [rows].

    Numbers are arrays of numbers (nan where a run has none), all else arrays of objects.

    Attributes:
        rows: the rows, a dict each; what a run does not have is not in it.
    """

    def __init__(self, rows: Sequence[Row]) -> None:
        self.rows = list(rows)

    @property
    def columns(self) -> list[str]:
        """Names of the columns."""
        return list(dict.fromkeys(name for row in self.rows for name in row))

    def __getitem__(self, name: str) -> Array:
        if name not in self.columns:
            raise no_name("study", "column", name, self.columns)
        values = [row.get(name) for row in self.rows]
        kinds = {type(value) for value in values}
        if kinds <= {int}:
            return np.array(values, dtype=np.int64)
        if kinds <= {int, float, type(None)}:
            return np.array([np.nan if value is None else value for value in values], dtype=float)
        objects = np.empty(len(values), dtype=object)
        objects[:] = values
        return objects

    def __iter__(self) -> Iterator[str]:
        return iter(self.columns)

    def __len__(self) -> int:
        return len(self.columns)

    def results(self, row: int) -> Results:
        """What the run of a row has written. Raises MissingFileError where it has not."""
        return Results(self.rows[row]["directory"])

    def to_pandas(self) -> pandas.DataFrame:
        """A pandas.DataFrame of all columns."""
        module: Any = need("pandas", "pandas", "to_pandas")
        frame: pandas.DataFrame = module.DataFrame({name: self[name] for name in self})
        return frame

    def to_csv(self, path: str | os.PathLike[str], overwrite: bool = False) -> None:
        """Writes a CSV file with the names of the columns as its first line."""
        refuse_existing(Path(path), overwrite)
        write_atomically(Path(path), self._csv())

    def _csv(self) -> str:
        text = io.StringIO()
        writer = csv.DictWriter(text, self.columns, restval="", lineterminator="\n")
        writer.writeheader()
        writer.writerows(self.rows)
        return text.getvalue()

    def _texts(self) -> list[list[str]]:
        lines = [[_text(row.get(name, "")) for name in self.columns] for row in self.rows]
        return [self.columns, *lines]

    def __repr__(self) -> str:
        texts = self._texts()
        widths = [max(map(len, column)) for column in zip(*texts)]
        return "\n".join(
            "  ".join(cell.rjust(width) for cell, width in zip(line, widths)) for line in texts
        )

    def _repr_html_(self) -> str:
        head, *lines = self._texts()
        rows = [_html_row(head, "th")] + [_html_row(line, "td") for line in lines]
        return f"<table>{''.join(rows)}</table>"


def _html_row(cells: list[str], tag: str) -> str:
    return f"<tr>{''.join(f'<{tag}>{html.escape(cell)}</{tag}>' for cell in cells)}</tr>"


def _text(value: Any) -> str:
    return f"{value:.6g}" if isinstance(value, float) else str(value)
