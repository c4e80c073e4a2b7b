"""The case: what is to be computed. The same keys, checks and messages as a case file."""

import collections.abc
import copy
import json
import os
import pathlib
import typing

from lbm import _lbm
from lbm._arguments import PathLike, path_text
from lbm._case_classes import CaseKeys
from lbm._files import refuse_existing, write_atomically
from lbm._groups import Group, Named
from lbm._key_table import by_path, join
from lbm._yaml_text import yaml_text
from lbm.errors import MissingFileError, UsageError
from lbm.report import Record

Overrides = collections.abc.Mapping[str, typing.Any] | collections.abc.Iterable[str]


class Case(CaseKeys):
    """A case: `lbm.Case(grid=lbm.Grid(cells=[64, 64, 96]), fluid=lbm.Fluid(reynolds=400), ...)`.

    Groups may be given as mappings of their keys: `grid={"cells": [64, 64, 96]}`. Units are those
    of the case file (docs/units.md). Each value is judged when it is assigned, the case as a whole
    by `check()` and whenever it is used; both raise UsageError with the key, what was found and
    what it must be. File names are relative to the current directory.

    `case["bodies.ball.radius"]` is the value at a path, to read and to assign.
    """

    @classmethod
    def from_yaml(cls, path: PathLike, set: Overrides | None = None) -> "Case":
        """Reads a case file. `set` changes it as `lbm run --set` does.

        set: {"fluid.reynolds": 400}, or ["fluid.reynolds=400"]. What it replaces is never judged.
        Files that the case names are named from the root then. Raises UsageError;
        MissingFileError where there is no such file.
        """
        name = path_text(path, "path")
        try:
            return cls._from_data(_lbm.read(name, _override_texts(set)))
        except UsageError as error:
            if os.path.exists(name):
                raise
            raise MissingFileError(str(error)) from None

    @classmethod
    def from_text(cls, text: str) -> "Case":
        """The case of the text of a case file; file names are relative to the current directory."""
        return cls._from_data(_lbm.parse(text, "case text"))

    @classmethod
    def _from_data(cls, data: _lbm.CaseData) -> "Case":
        """The case that the engine has read."""
        nested: dict[str, typing.Any] = {}
        for path, value in data.values():
            *groups, name = path.split(".")
            place = nested
            for group in groups:
                place = place.setdefault(group, {})
            place[name] = value
        return cls(**nested)

    def _data(self) -> _lbm.CaseData:
        """The case for the engine, judged as one but for what needs its numbers."""
        return _lbm.from_values(list(self._entries("")))

    def to_yaml(self, path: PathLike | None = None, overwrite: bool = False) -> str:
        """The case file that says the same, all defaults written out; also into the file `path`.

        Files that the case names are named from the root. Raises UsageError where the case is not
        one, and where `path` is there already and `overwrite` does not say that it may go.
        """
        text = self._data().yaml()
        if path is not None:
            refuse_existing(pathlib.Path(path), overwrite)
            write_atomically(pathlib.Path(path), text, UsageError)
        return text

    def check(self) -> Record:
        """Judges the case as `lbm check` does; the numbers that follow from it, as attributes.

        `check().tau`, `.steps`, `.mach`, `.device_bytes`, `.warnings` ...: the keys of
        `lbm check --json`. `print(case.check())` shows the same text. Raises UsageError,
        ResourceError where the memory of this machine is not enough.
        """
        return _record(self._data().check())

    def plan(
        self, processes: int = 1, per_host: int = 0, network: float = 0.0, measure: bool = False
    ) -> Record:
        """Foretells memory, schedule, speed and files, as `lbm plan` does (docs/plan.md).

        processes: to plan for, each with such a device. per_host: of these on one host; 0: all.
        network: GB/s of messages between two processes; 0: no limit. measure: measure the speeds
        of the device anew (seconds) rather than take those of the cache.
        Keys as those of `lbm plan --json`. A case that does not fit is not an error: `fits` is
        False then, and `refusal` says why. Raises UsageError.
        """
        data = self._data()
        return _record(data.plan(processes, per_host, network, measure))

    def replace(self, changes: collections.abc.Mapping[str, typing.Any]) -> "Case":
        """A changed copy: `case.replace({"fluid.reynolds": 400})`.

        As `--set`: a group that is given replaces all keys below it, and one of several
        alternatives (`run.steps`, `run.time`) replaces the others.
        """
        changed = copy.deepcopy(self)
        for alternatives in _lbm.alternatives():
            given = {path for path in alternatives if changes.get(path) is not None}
            for path in alternatives if given else ():
                changed[path] = None
        for path, value in changes.items():
            changed[path] = value
        return changed

    def __getitem__(self, path: str) -> typing.Any:
        value: typing.Any = self
        for at, name in _steps(path):
            if isinstance(value, Named):
                value = _item(value, at, name)
            else:
                value = getattr(value, _attribute(value, at, name))
        return value

    def __setitem__(self, path: str, value: typing.Any) -> None:
        parent, _, name = path.rpartition(".")
        group = self._made(parent) if parent else self
        if isinstance(group, Named):
            group[name] = value
        else:
            setattr(group, _attribute(group, parent, name), value)

    def _made(self, path: str) -> typing.Any:
        """The group at a path; an item of that name is made where there is none, as by --set."""
        value: typing.Any = self
        for at, name in _steps(path):
            if isinstance(value, Named):
                value = value.setdefault(name)
            else:
                value = getattr(value, _attribute(value, at, name))
        return value

    def __repr__(self) -> str:
        return "\n".join(["Case(", *(f"    {line}," for line in self._given()), ")"])


def _steps(path: str) -> collections.abc.Iterator[tuple[str, str]]:
    """("", "bodies"), ("bodies", "ball"), ("bodies.ball", "radius")."""
    at = ""
    for name in path.split("."):
        yield at, name
        at = join(at, name)


def _attribute(group: typing.Any, at: str, name: str) -> str:
    """Its name in Python. Raises UsageError where it has none, or is no group at all."""
    if not isinstance(group, Group):
        raise UsageError(f"case.{join(at, name)}: unknown key, {at} is a value")
    return group._attribute(name)


def _item(items: Named[typing.Any], at: str, name: str) -> typing.Any:
    if name not in items:
        names = f"must be one of {', '.join(items)}" if items else "there is none yet"
        raise UsageError(f"case.{at}.{name}: unknown name, {names}")
    return items[name]


def _override_texts(overrides: Overrides | None) -> list[str]:
    if overrides is None:
        return []
    if isinstance(overrides, str):
        return [overrides]
    if not isinstance(overrides, collections.abc.Mapping):
        return list(overrides)
    texts = []
    for path, value in overrides.items():
        text = yaml_text(value)
        if text is None:
            wanted = by_path()[path].must_be if path in by_path() else "must be a value of a case"
            raise UsageError(f"set: {path}: found {value!r}, {wanted}")
        texts.append(f"{path}={text}")
    return texts


def _record(said: tuple[str, str]) -> Record:
    data, text = said
    return Record(json.loads(data), text)


def as_case(case: Case | PathLike) -> Case:
    """The case itself, or that of a file. Raises UsageError for anything else."""
    if isinstance(case, (str, os.PathLike)):
        return Case.from_yaml(case)
    if not isinstance(case, Case):
        raise UsageError(f"case: found {case!r}, must be a lbm.Case or the path of a YAML file")
    return case
