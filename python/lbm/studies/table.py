# SPDX-License-Identifier: Apache-2.0
"""The table of a parameter study: one row for each run."""

from __future__ import annotations

import csv
import io
import os
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from lbm._files import refuse_existing, write_atomically
from lbm._text_tables import cell_text, first_and_last, html_table, shortened, text_table
from lbm.results import Results
from lbm.results.errors import need, no_name
from lbm.results.lazy import Array

if TYPE_CHECKING:
    import pandas  # type: ignore[import-untyped,unused-ignore]

Row = dict[str, Any]

_SHOWN_ROWS = 12  # at the beginning and at the end
_LONGEST_CELL = 60


class StudyTable(Mapping[str, Array]):
    """One row for each run, in the order of the settings. `table["mlups"]` is a column, [rows].

    Columns of numbers are arrays of numbers (nan where a run has none), others arrays of objects.

    Attributes:
        rows: one dict for each run; columns without a value for that run are left out.
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
        """The results of the run in a row. Raises MissingFileError where it has written none."""
        return Results(self.rows[row]["directory"])

    def to_pandas(self) -> pandas.DataFrame:
        """A pandas.DataFrame of all columns. Raises MissingPackageError without pandas."""
        module: Any = need("pandas", "pandas", "to_pandas")
        frame: pandas.DataFrame = module.DataFrame({name: self[name] for name in self})
        return frame

    def to_csv(self, path: str | os.PathLike[str], overwrite: bool = False) -> None:
        """Writes a CSV file; its first line has the names of the columns.

        Raises: UsageError where the file exists, unless `overwrite` is true.
        """
        refuse_existing(Path(path), overwrite)
        write_atomically(Path(path), self._csv())

    def _csv(self) -> str:
        text = io.StringIO()
        writer = csv.DictWriter(text, self.columns, restval="", lineterminator="\n")
        writer.writeheader()
        writer.writerows(self.rows)
        return text.getvalue()

    def _texts(self) -> list[list[str]]:
        """Names and values; of many runs those of the first and last."""
        names = self.columns
        lines = [
            ["..."] * len(names) if i is None else self._row_texts(i)
            for i in first_and_last(len(self.rows), _SHOWN_ROWS)
        ]
        return [names, *lines]

    def _row_texts(self, row: int) -> list[str]:
        values = (self.rows[row].get(name, "") for name in self.columns)
        return [shortened(cell_text(value), _LONGEST_CELL) for value in values]

    def __repr__(self) -> str:
        return text_table(self._texts()) if self.rows else "<lbm study without runs>"

    def _repr_html_(self) -> str:
        return html_table(self._texts(), f"study: {len(self.rows)} runs")
