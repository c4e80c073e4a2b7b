# SPDX-License-Identifier: Apache-2.0
"""The CSV files of a run: columns of numbers."""

from __future__ import annotations

import csv
import io
import re
from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from lbm._attributes import ByAttribute
from lbm._lbm import Error
from lbm.results.errors import damaged, missing, need, no_name
from lbm.results.lazy import Array

if TYPE_CHECKING:
    import pandas  # type: ignore[import-untyped,unused-ignore]

_SHOWN: dict[str, Any] = {"max_rows": 12, "max_cols": 10, "index": False}


def _parts(text: str) -> tuple[list[str], list[str], str]:
    """Comments, names of the columns, text of the rows."""
    comments: list[str] = []
    while text.startswith("#"):
        line, _, text = text.partition("\n")
        comments.append(line[1:].strip())
    line, _, rows = text.partition("\n")
    names = next(csv.reader([line]), [])
    return comments, names, rows


class Columns(Mapping[str, Array], ABC):
    """Columns by name, shown as pandas shows them."""

    @property
    @abstractmethod
    def columns(self) -> list[str]:
        """Names of the columns."""

    @abstractmethod
    def to_pandas(self) -> pandas.DataFrame:
        """A pandas.DataFrame of all columns."""

    @abstractmethod
    def _title(self) -> str: ...

    def __iter__(self) -> Iterator[str]:
        return iter(self.columns)

    def __len__(self) -> int:
        return len(self.columns)

    def __repr__(self) -> str:
        try:
            rows = self.to_pandas().to_string(max_colwidth=60, line_width=200, **_SHOWN)
            return f"<lbm {self._title()}>\n{rows}"
        except Error as error:
            return f"<lbm table {error}>"


class Table(ByAttribute[Array], Columns):
    """A CSV file of a run: `table["ux"]` is the array of a column, [rows].

    `table.ux` is the same, for names that are no attribute yet. The first access reads the file,
    and its content is kept. An incomplete last line (the run goes on, or was killed) is ignored.

    Raises, at the first read:
        MissingFileError: the file does not exist.
        UsageError: the file is no table of numbers.
    """

    def __init__(self, path: str | Path) -> None:
        self.path = Path(path)

    @cached_property
    def _content(self) -> tuple[list[str], list[str], Array]:
        try:
            text = self.path.read_text(encoding="utf-8")
            comments, names, rows = _parts(text[: text.rfind("\n") + 1])
            values = np.empty((0, len(names)))
            if rows:
                values = np.loadtxt(io.StringIO(rows), delimiter=",", ndmin=2)
        except FileNotFoundError as error:
            raise missing(self.path, "the run has not written it") from error
        except (OSError, ValueError) as error:
            raise damaged(self.path, error) from error
        if not names or values.shape[1] != len(names):
            raise damaged(self.path, f"{len(names)} names for {values.shape[1]} columns")
        return comments, names, values

    @property
    def comments(self) -> list[str]:
        """The comment lines at the head of the file: its subject and its units."""
        return list(self._content[0])

    @property
    def columns(self) -> list[str]:
        """Names of the columns."""
        return list(self._content[1])

    def __getitem__(self, name: str) -> Array:
        _, names, values = self._content
        if name not in names:
            raise no_name(self.path, "column", name, names)
        column = values[:, names.index(name)]
        return column.astype(np.int64) if name == "step" else column

    def _names(self) -> list[str]:
        return self.columns

    def stack(self, *names: str) -> Array:
        """Columns side by side, [rows, names]."""
        return np.stack([self[name] for name in names], axis=-1)

    def to_pandas(self) -> pandas.DataFrame:
        """A pandas.DataFrame of all columns; its attrs['comments'] are the comments."""
        module: Any = need("pandas", "pandas", "to_pandas")
        frame: pandas.DataFrame = module.DataFrame({name: self[name] for name in self})
        frame.attrs["comments"] = self.comments
        return frame

    def _title(self) -> str:
        names = ", ".join(self.columns)
        return f"table {self.path}: {len(self._content[2])} rows, {len(self)} columns: {names}"


class ForceTable(Table):
    """Force and torque on a body at each step, arrays [rows, 3]; units in docs/output.md."""

    @property
    def force(self) -> Array:
        """Force of the fluid on the body, [rows, 3]."""
        return self.stack("fx", "fy", "fz")

    @property
    def torque(self) -> Array:
        """Torque about the body's centre of rotation, else the centre of its shape, [rows, 3]."""
        return self.stack("tx", "ty", "tz")

    @property
    def coefficient(self) -> Array:
        """Force / (rho U^2 A / 2), [rows, 3]."""
        return self.stack("cx", "cy", "cz")

    @property
    def torque_coefficient(self) -> Array:
        """Torque / (rho U^2 A L / 2), [rows, 3]."""
        return self.stack("ctx", "cty", "ctz")


class ProbeTable(Table):
    """Pressure, velocity and scalars at the points of a probe at each step, in the units of the case."""

    @property
    def places(self) -> Array:
        """Coordinates of the points, [places, 3], in cells or m."""
        found = [re.fullmatch(r"\d+: (\S+) (\S+) (\S+)", line) for line in self.comments]
        return np.array([[float(v) for v in m.groups()] for m in found if m]).reshape(-1, 3)

    @property
    def pressure(self) -> Array:
        """Pressure, [rows, places]."""
        return self._of("p")

    @property
    def velocity(self) -> Array:
        """Velocity, [rows, places, 3]."""
        return np.stack([self._of(name) for name in ("ux", "uy", "uz")], axis=-1)

    def scalar(self, name: str) -> Array:
        """A scalar of the case, [rows, places]."""
        if f"{name}_1" not in self.columns:
            raise no_name(self.path, "scalar", name, [c[:-2] for c in self.columns[6:] if c.endswith("_1")])
        return self._of(name)

    def _of(self, quantity: str) -> Array:
        count = sum(column.startswith("p_") for column in self.columns)
        return self.stack(*(f"{quantity}_{i + 1}" for i in range(count)))
