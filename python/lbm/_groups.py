# SPDX-License-Identifier: Apache-2.0
"""The base of the classes of a case: the key table checks every assignment at once."""

import collections.abc
import copy
import dataclasses
import functools
import textwrap
import typing

import numpy
import numpy.typing

from lbm import _lbm
from lbm._arguments import PathLike as PathLike
from lbm._key_table import attribute_of, by_path, join, key_of, path_of_row, yaml_text
from lbm.errors import UsageError

Mapping = collections.abc.Mapping
Field: typing.TypeAlias = "dataclasses.Field[typing.Any]"
Made = typing.TypeVar("Made", bound="Group")


class Group:
    """A group of keys of a case. Its attributes are the keys; `from` is called `from_`.

    Assigning a value that the key table does not allow raises UsageError. None means "not given"
    and restores the default. A group inside may be assigned as a mapping of its keys.
    """

    _path: typing.ClassVar[str] = ""  # in the key table
    _at: str | None = None  # in the case that this belongs to; None: in none

    def __init_subclass__(cls, path: str | None = None) -> None:
        if path is None:
            return
        cls._path = path_of_row(path)
        if "NAME" not in path and "FACE" not in path:
            cls._at = cls._path
        cls.__doc__ = (cls.__doc__ or "") + _attributes_text(cls)

    def __new__(cls: type[Made], *unnamed: typing.Any, **values: typing.Any) -> Made:
        if unnamed:
            first = next(iter(_fields(cls)))
            raise TypeError(f"lbm.{cls.__name__} takes its keys by name, such as {first}=...")
        for name in values:
            _field(cls, name, cls._at)
        return super().__new__(cls)

    if not typing.TYPE_CHECKING:  # so that type checkers know misspelt names

        def __setattr__(self, name: str, value: object) -> None:
            field = _field(type(self), name, self._at)
            object.__setattr__(self, name, _accepted(self, field, value))

    def _attribute(self, key: str) -> str:
        """Its name in Python. Raises UsageError where there is no such key."""
        return _field(type(self), attribute_of(key), self._at).name

    def _attach(self, path: str) -> None:
        """Sets the path in the case that messages name."""
        object.__setattr__(self, "_at", path)
        for name, value in vars(self).items():
            if isinstance(value, (Group, Named)):
                value._attach(join(path, key_of(name)))

    def _entries(self, path: str) -> collections.abc.Iterator[tuple[str, str]]:
        """(path, value as YAML) of all given keys."""
        for field in _fields(type(self)).values():
            value = getattr(self, field.name)
            at = join(path, key_of(field.name))
            if isinstance(value, (Group, Named)):
                yield from value._entries(at)
            elif value is not None:
                yield at, _text(value, at, join(self._path, key_of(field.name)))

    def __repr__(self) -> str:
        return f"{type(self).__name__}({', '.join(self._given())})"

    def _given(self) -> list[str]:
        """name=value of all keys that differ from their defaults."""
        return [
            f"{field.name}={value!r}"
            for field in _fields(type(self)).values()
            if (value := getattr(self, field.name)) != _default(field)
        ]


Item = typing.TypeVar("Item", bound=Group)
Held = typing.TypeVar("Held")
Given = typing.TypeVar("Given")

# Types that may be assigned: also numbers and arrays of NumPy, tuples, ranges, paths.
Array: typing.TypeAlias = "numpy.typing.NDArray[typing.Any]"
Whole: typing.TypeAlias = "int | numpy.integer[typing.Any]"
Number: typing.TypeAlias = "float | numpy.floating[typing.Any] | numpy.integer[typing.Any]"
NumberOrNumbers: typing.TypeAlias = "Number | collections.abc.Sequence[Number] | Array"
AxisOrNumbers: typing.TypeAlias = (
    "typing.Literal['x', 'y', 'z'] | collections.abc.Sequence[Number] | Array"
)
Wholes: typing.TypeAlias = "collections.abc.Sequence[Whole] | Array"
Numbers: typing.TypeAlias = "collections.abc.Sequence[Number] | Array"
Formulas: typing.TypeAlias = "collections.abc.Sequence[Number | str] | Array"
Rows: typing.TypeAlias = "collections.abc.Sequence[Numbers] | Array"
Keys: typing.TypeAlias = Mapping[str, typing.Any]  # of which a group may be made


class Takes(typing.Generic[Held, Given]):
    """The type of an attribute that holds `Held`, and may be assigned `Given`, or None to reset it.

    For type checkers alone: Group.__setattr__ converts the value.
    """

    if typing.TYPE_CHECKING:

        def __get__(self, owner: object, kind: type | None = None) -> Held: ...

        def __set__(self, owner: object, value: Held | Given | None) -> None: ...


def unless_given(value: typing.Any) -> typing.Any:
    """The default of an attribute with a type of its own; a list is copied."""
    if isinstance(value, list):
        return dataclasses.field(default_factory=lambda: list(value))
    return dataclasses.field(default=value)


def group(made: type[Item]) -> typing.Any:
    """The default of an attribute that is a group: one without any key given."""
    return dataclasses.field(default_factory=made)


def named(item: type[Item]) -> typing.Any:
    """The default of an attribute that is a dict of groups: an empty one."""
    return dataclasses.field(default_factory=functools.partial(Named, item))


class Named(dict[str, Item]):
    """Groups under names that the user chose, in order: of overlapping bodies the first wins."""

    def __init__(
        self, item: type[Item], items: Mapping[str, typing.Any] | None = None, at: str | None = None
    ) -> None:
        super().__init__()
        self._item = item
        self._at = at
        self.update(items or {})

    def __setitem__(self, name: str, value: Item | Mapping[str, typing.Any] | None) -> None:
        at = join(self._at or self._item._path.rpartition(".")[0], str(name))
        if not isinstance(name, str) or not _lbm.is_item_name(name):
            rule = _lbm.item_name_rule
            raise UsageError(f"case.{at}: found {name!r} as a name, must be {rule}")
        item = _as_group(self._item, value, at)
        if self._at is not None:
            item._attach(at)
        super().__setitem__(name, item)

    def update(self, *others: typing.Any, **more: typing.Any) -> None:
        """As dict.update; each value is checked."""
        for name, value in dict(*others, **more).items():
            self[name] = value

    def setdefault(self, name: str, default: typing.Any = None) -> Item:
        """As dict.setdefault; the value is checked."""
        if name not in self:
            self[name] = {} if default is None else default
        return self[name]

    def __ior__(self, other: typing.Any) -> "Named[Item]":  # type: ignore[override,misc]
        self.update(other)
        return self

    def __eq__(self, other: object) -> bool:
        return isinstance(other, dict) and list(self.items()) == list(other.items())

    def __ne__(self, other: object) -> bool:
        return not self == other

    def __reduce__(self) -> tuple[typing.Any, ...]:
        return Named, (self._item, dict(self), self._at)

    def _attach(self, path: str) -> None:
        self._at = path
        for name, item in self.items():
            item._attach(join(path, name))

    def _entries(self, path: str) -> collections.abc.Iterator[tuple[str, str]]:
        for name, item in self.items():
            entries = list(item._entries(join(path, name)))
            yield from entries or [(join(path, name), "{}")]


def _fields(cls: type[Group]) -> dict[str, Field]:
    return typing.cast(dict[str, Field], getattr(cls, "__dataclass_fields__"))


def _default(field: Field) -> typing.Any:
    if field.default_factory is not dataclasses.MISSING:
        return field.default_factory()
    return field.default


def _shown(cls: type[Group], at: str | None, key: str) -> str:
    """The name of a key in messages: its path in a case, or its class outside of a case."""
    return f"{cls.__name__}.{key}" if at is None else f"case.{join(at, key)}"


def _field(cls: type[Group], name: str, at: str | None) -> Field:
    found = _fields(cls).get(name)
    if found is not None:
        return found
    near = _lbm.nearest_key(join(cls._path, name))
    group, _, key = near.rpartition(".")
    if group == cls._path and attribute_of(key) in _fields(cls):
        hint = f"did you mean {attribute_of(key)}?"
    else:
        hint = f"must be one of {', '.join(_fields(cls))}"
    raise UsageError(f"{_shown(cls, at, name)}: unknown key, {hint}")


def _accepted(group: Group, field: Field, value: typing.Any) -> typing.Any:
    """The checked value of an attribute, in the form in which a case holds it."""
    if value is None:
        value = _default(field)
    key = key_of(field.name)
    at = None if group._at is None else join(group._at, key)
    factory: typing.Any = field.default_factory
    made: Group | Named[Group]
    if isinstance(factory, functools.partial):
        made = _as_named(factory.args[0], value, at, _shown(type(group), group._at, key))
    elif isinstance(factory, type) and issubclass(factory, Group):
        made = _as_group(factory, value, at)
    else:
        return _checked(group, key, field, value)
    if at is not None:
        made._attach(at)
    return made


def _checked(group: Group, key: str, field: Field, value: typing.Any) -> typing.Any:
    default = _default(field)
    if value is None or (type(value) is type(default) and value == default):
        return copy.deepcopy(value)
    table_path = join(group._path, key)
    path = table_path if group._at is None else join(group._at, key)
    shown = _shown(type(group), group._at, key)
    text = _text(value, path, table_path, shown)
    try:
        return _lbm.check_value(path, text)
    except UsageError as error:
        raise UsageError(str(error).replace(f"case.{path}", shown, 1)) from None


def _text(value: typing.Any, path: str, table_path: str, shown: str | None = None) -> str:
    text = yaml_text(value)
    if text is not None:
        return text
    must_be = by_path()[table_path].must_be
    raise UsageError(f"{shown or 'case.' + path}: found {_described(value)}, {must_be}")


def _described(value: typing.Any) -> str:
    text = repr(value)
    return f"{text[:60]}{'...' if len(text) > 60 else ''} ({type(value).__name__})"


def _as_group(cls: type[Item], value: typing.Any, at: str | None) -> Item:
    """The group itself, or a group made from a mapping of its keys or from its word."""
    if isinstance(value, cls):
        return value
    shown = cls.__name__ if at is None else f"case.{at}"
    if isinstance(value, Mapping):
        made = cls.__new__(cls)
        if at is not None:
            object.__setattr__(made, "_at", at)
        names = {attribute_of(str(key)): each for key, each in value.items()}
        for name in names:
            _field(cls, name, at)
        made.__init__(**names)  # type: ignore[misc]
        return made
    if isinstance(value, str) and cls._path in by_path():
        try:
            _lbm.check_value(at or cls._path, _text(value, at or cls._path, cls._path, shown))
            return cls(type=value)
        except UsageError as error:
            raise UsageError(str(error).replace(f"case.{cls._path}:", f"{shown}:", 1)) from None
    raise UsageError(
        f"{shown}: found {_described(value)}, must be an lbm.{cls.__name__} or a mapping of "
        f"{', '.join(map(key_of, _fields(cls)))}"
    )


def _as_named(item: type[Item], value: typing.Any, at: str | None, shown: str) -> Named[Item]:
    if isinstance(value, Named) and value._item is item:
        return value
    if isinstance(value, Mapping):
        return Named(item, value, at)
    raise UsageError(
        f"{shown}: found {_described(value)}, must be a mapping of names to lbm.{item.__name__}"
    )


def _attributes_text(cls: type[Group]) -> str:
    """All keys of the group, from the key table, for the docstring of its class."""
    lines = []
    for path, row in by_path().items():
        if path.rpartition(".")[0] == cls._path and path != cls._path:
            text = f"{attribute_of(row.name)}: {row.description()}"
            lines += textwrap.wrap(text, 92, initial_indent="    ", subsequent_indent="        ")
    return "\n\nKeys:\n" + "\n".join(lines) if lines else ""
