# SPDX-License-Identifier: Apache-2.0
"""Reports: the numbers of a run, a check or a plan as attributes."""

from __future__ import annotations

import difflib
import textwrap
from collections.abc import Iterator, Mapping
from typing import Any

from lbm._attributes import ByAttribute

_WIDTH = 100


class Record(ByAttribute[Any], Mapping[str, Any]):
    """A JSON object: `record["units"]["length"]`, or `record.units.length`.

    Objects inside are Records, too. `print(record)` shows the text of the command line where there
    is one, else all values, one a line. `repr(record)` is Python where that fits a line, else the
    names; `record.as_dict()` has everything.
    """

    def __init__(self, data: Mapping[str, Any], text: str = "") -> None:
        self._data = {key: _wrapped(value) for key, value in data.items()}
        self._text = text

    def __getitem__(self, name: str) -> Any:
        if name not in self._data:
            near = difflib.get_close_matches(name, self._data, n=3) or list(self._data)
            raise KeyError(f"there is no {name!r} here, only {', '.join(near)}")
        return self._data[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._data)

    def __len__(self) -> int:
        return len(self._data)

    def _names(self) -> list[str]:
        return list(self._data)

    def __str__(self) -> str:
        return self._text or "\n".join(self._lines(""))

    def _lines(self, indent: str) -> Iterator[str]:
        for name, value in self.items():
            if isinstance(value, Record):
                yield f"{indent}{name}:"
                yield from value._lines(indent + "    ")
            elif isinstance(value, list) and len(f"{value}") > _WIDTH:
                yield f"{indent}{name}:"
                yield from (f"{indent}    {one!r}" for one in value)
            else:
                yield f"{indent}{name}: {value}"

    def __repr__(self) -> str:
        line = f"Record({', '.join(f'{key}={value!r}' for key, value in self.items())})"
        if len(line) <= _WIDTH:
            return line
        names = ", ".join(self)
        return textwrap.fill(f"<lbm record; print() shows the values of {names}>", _WIDTH)

    def as_dict(self) -> dict[str, Any]:
        """A copy as plain dicts, lists, numbers and strings."""
        return {key: _plain(value) for key, value in self.items()}


def _wrapped(value: Any) -> Any:
    if isinstance(value, Mapping):
        return Record(value)
    return [_wrapped(item) for item in value] if isinstance(value, (list, tuple)) else value


def _plain(value: Any) -> Any:
    if isinstance(value, Record):
        return value.as_dict()
    return [_plain(item) for item in value] if isinstance(value, list) else value
