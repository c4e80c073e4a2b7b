# SPDX-License-Identifier: Apache-2.0
"""Reports: the numbers of a run, a check or a plan as attributes."""

import collections.abc
import difflib
import html
import typing

from lbm._text_tables import (
    cell_text,
    html_folded,
    html_lines,
    html_names,
    html_table,
    packed_lines,
    text_table,
)

_WIDTH = 100
_INDENT = "    "
_SCREEN = 30  # lines of repr() at most
_FEW = 6  # names of a group, or items of a list, in the short form


class Record:
    """A JSON object: `record["units"]["length"]`, or `record.units.length`.

    Objects inside are Records, too. `print(record)` shows the text of the command line where there
    is one, else all values, one a line. `repr(record)` is Python where that fits a screen, else a
    short form; `record.as_dict()` has everything.
    """

    def __init__(self, data: collections.abc.Mapping[str, typing.Any], text: str = "") -> None:
        self._data = {key: _wrapped(value) for key, value in data.items()}
        self._text = text

    def __getattr__(self, name: str) -> typing.Any:
        if name.startswith("_"):
            raise AttributeError(name)
        try:
            return self._data[name]
        except KeyError:
            raise AttributeError(self._unknown(name)) from None

    def __getitem__(self, name: str) -> typing.Any:
        if name not in self._data:
            raise KeyError(self._unknown(name))
        return self._data[name]

    def __contains__(self, name: object) -> bool:
        return name in self._data

    def __iter__(self) -> collections.abc.Iterator[str]:
        return iter(self._data)

    def __len__(self) -> int:
        return len(self._data)

    def __dir__(self) -> list[str]:
        return [*super().__dir__(), *self._data]

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Record) and self._data == other._data

    def __str__(self) -> str:
        return self._text or "\n".join(_lines(self, ""))

    def __repr__(self) -> str:
        given = [f"{key}={value!r}" for key, value in self._data.items()]
        line = f"Record({', '.join(given)})"
        if len(line) <= _WIDTH:
            return line
        inside = [_INDENT + item.replace("\n", "\n" + _INDENT) + "," for item in given]
        text = "\n".join(["Record(", *inside, ")"])
        return text if text.count("\n") < _SCREEN else self._short()

    def _short(self) -> str:
        given = {name: value for name, value in self._data.items() if value not in (None, "", [])}
        items = [f"{name}: {_short_text(value)}" for name, value in given.items()]
        head = f"<lbm record of {len(self)} names; print() shows all, {len(given)} have a value>"
        return f"{head}\n{packed_lines(items, '  ')}"

    def _repr_html_(self) -> str:
        if self._text:
            return html_lines(self._text)
        return html_names((name, _html(self[name])) for name in self)

    def keys(self) -> list[str]:
        """The names, in order."""
        return list(self._data)

    def get(self, name: str, default: typing.Any = None) -> typing.Any:
        """The value of a name, or `default` where the name does not exist."""
        return self._data.get(name, default)

    def as_dict(self) -> dict[str, typing.Any]:
        """A copy as plain dicts, lists, numbers and strings."""
        return {key: _plain(value) for key, value in self._data.items()}

    def _unknown(self, name: str) -> str:
        near = difflib.get_close_matches(name, self._data, n=3) or list(self._data)
        return f"there is no {name!r} here, only {', '.join(near)}"


def _wrapped(value: typing.Any) -> typing.Any:
    if isinstance(value, collections.abc.Mapping):
        return Record(value)
    return [_wrapped(item) for item in value] if isinstance(value, (list, tuple)) else value


def _plain(value: typing.Any) -> typing.Any:
    if isinstance(value, Record):
        return value.as_dict()
    return [_plain(item) for item in value] if isinstance(value, list) else value


def _lines(record: Record, indent: str) -> collections.abc.Iterator[str]:
    """name: value, one a line. Inner records are indented; lists of them become tables."""
    for name in record:
        value = record[name]
        if isinstance(value, Record):
            yield f"{indent}{name}:"
            yield from _lines(value, indent + _INDENT)
        elif _are_records(value):
            yield f"{indent}{name}:"
            yield from _records_lines(value, indent + _INDENT)
        else:
            yield from _value_lines(name, value, indent)


def _records_lines(records: list[Record], indent: str) -> collections.abc.Iterator[str]:
    names = records[0].keys()
    rows = [names, *([_value_text(record.get(name)) for name in names] for record in records)]
    table = [indent + line for line in text_table(rows).splitlines()]
    flat = not any(isinstance(record[name], Record) for record in records for name in record)
    alike = all(record.keys() == names for record in records)
    if flat and alike and max(map(len, table)) <= _WIDTH:
        yield from table
        return
    for i, record in enumerate(records):
        yield f"{indent}[{i}]:"
        yield from _lines(record, indent + _INDENT)


def _are_records(value: typing.Any) -> bool:
    return isinstance(value, list) and bool(value) and all(isinstance(v, Record) for v in value)


def _short_text(value: typing.Any) -> str:
    """A value in a few words: the names of a group, the number of the items of a list."""
    if isinstance(value, Record):
        names = value.keys()
        return f"{{{', '.join(names[:_FEW])}{', ...' if len(names) > _FEW else ''}}}"
    if isinstance(value, list) and (len(value) > _FEW or _are_records(value)):
        return f"{len(value)} {'item' if len(value) == 1 else 'items'}"
    return _value_text(value)


def _html(value: typing.Any) -> str:
    """A value for a notebook; groups and lists of groups are folded."""
    if isinstance(value, Record):
        return html_folded(value._repr_html_(), _short_text(value))
    if not _are_records(value):
        return html.escape(_value_text(value))
    names = value[0].keys()
    flat = not any(isinstance(record[key], (Record, list)) for record in value for key in record)
    if flat and all(record.keys() == names for record in value):
        rows = [names, *([_value_text(record[key]) for key in names] for record in value)]
        return html_folded(html_table(rows), _short_text(value))
    return html_folded("".join(record._repr_html_() for record in value), _short_text(value))


def _value_lines(name: str, value: typing.Any, indent: str) -> collections.abc.Iterator[str]:
    line = f"{indent}{name}: {_value_text(value)}"
    if not isinstance(value, list) or len(line) <= _WIDTH:
        yield line
        return
    yield f"{indent}{name}:"
    yield from (f"{indent}{_INDENT}{_value_text(item)}" for item in value)


def _value_text(value: typing.Any) -> str:
    if isinstance(value, list):
        return f"[{', '.join(map(_value_text, value))}]"
    return "none" if value is None else cell_text(value)
