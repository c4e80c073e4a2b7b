"""Results with their numbers as attributes."""

import collections.abc
import difflib
import typing


class Record:
    """A JSON object: `record.units.length`, or `record["units"]["length"]`.

    Objects inside are Records, too. `str(record)` is the text that the command line prints, where
    there is one.
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
        return self._text or repr(self)

    def __repr__(self) -> str:
        return f"Record({', '.join(f'{key}={value!r}' for key, value in self._data.items())})"

    def keys(self) -> list[str]:
        """The names, in order."""
        return list(self._data)

    def get(self, name: str, default: typing.Any = None) -> typing.Any:
        """The value, or `default` where there is none of that name."""
        return self._data.get(name, default)

    def as_dict(self) -> dict[str, typing.Any]:
        """Plain dicts, lists, numbers and words: a copy."""
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
