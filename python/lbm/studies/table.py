# SPDX-License-Identifier: Apache-2.0
"""The table of a parameter study: one row for each run."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from lbm._files import refuse_existing, write_atomically
from lbm.results import Results
from lbm.results.errors import need, no_name
from lbm.results.lazy import Array
from lbm.results.table import Columns

if TYPE_CHECKING:
    import pandas  # type: ignore[import-untyped,unused-ignore]

Row = dict[str, Any]


class StudyTable(Columns):
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
        column: Array = self.to_pandas()[name].to_numpy()
        return column

    def results(self, row: int) -> Results:
        """The results of the run in a row. Raises MissingFileError where it has written none."""
        return Results(self.rows[row]["directory"])

    def to_pandas(self) -> pandas.DataFrame:
        """A pandas.DataFrame of all columns."""
        module: Any = need("pandas", "pandas", "to_pandas")
        frame: pandas.DataFrame = module.DataFrame(self.rows)
        return frame

    def to_csv(self, path: str | os.PathLike[str], overwrite: bool = False) -> None:
        """Writes a CSV file; its first line has the names of the columns.

        Raises: UsageError where the file exists, unless `overwrite` is true.
        """
        refuse_existing(Path(path), overwrite)
        write_atomically(Path(path), self.to_pandas().to_csv(index=False))

    def _title(self) -> str:
        return f"study: {len(self.rows)} runs"
