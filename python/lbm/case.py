# SPDX-License-Identifier: Apache-2.0
"""The case: a flow to compute. It has the keys, checks and messages of a case file."""

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
from lbm._key_table import by_path, join, yaml_text
from lbm.errors import MissingFileError, UsageError
from lbm.report import Record

Overrides = collections.abc.Mapping[str, typing.Any] | collections.abc.Iterable[str]


class Case(CaseKeys):
    """A case: `lbm.Case(grid=lbm.Grid(cells=[64, 64, 96]), fluid=lbm.Fluid(reynolds=400), ...)`.

    A group may be a mapping of its keys: `grid={"cells": [64, 64, 96]}`. Units are those of the
    case file (docs/units.md). A value is checked when it is assigned; the whole case is checked by
    `check()` and whenever it is used. A failed check raises UsageError, which names the key, the
    value found and the values allowed. File names are relative to the current directory.

    `case["bodies.ball.radius"]` reads, or assigns, the value at a path.
    """

    @classmethod
    def from_yaml(cls, path: PathLike, set: Overrides | None = None) -> "Case":
        """Reads a case file. `set` changes it as `lbm run --set` does.

        set: {"fluid.reynolds": 400}, or ["fluid.reynolds=400"]. Values that it replaces are not
            checked.
        The names of files in the case become absolute paths. Raises UsageError; MissingFileError
        where the case file does not exist.
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
        """A case from the text of a case file; file names are relative to the current directory."""
        return cls._from_data(_lbm.parse(text, "case text"))

    @classmethod
    def _from_data(cls, data: _lbm.CaseData) -> "Case":
        """The case that the C++ half has read."""
        nested: dict[str, typing.Any] = {}
        for path, value in data.values():
            *groups, name = path.split(".")
            place = nested
            for group in groups:
                place = place.setdefault(group, {})
            place[name] = value
        return cls(**nested)

    def _data(self) -> _lbm.CaseData:
        """The case for the C++ half, checked as a whole, but not its derived numbers."""
        return _lbm.from_values(list(self._entries("")))

    def to_yaml(self, path: PathLike | None = None, overwrite: bool = False) -> str:
        """The text of a case file with all defaults written out; also writes it to the file `path`.

        File names become absolute paths. Raises UsageError for an invalid case, and where `path`
        exists unless `overwrite` is true.
        """
        text = self._data().yaml()
        if path is not None:
            refuse_existing(pathlib.Path(path), overwrite)
            write_atomically(pathlib.Path(path), text, UsageError)
        return text

    def check(self) -> Record:
        """Checks the case as `lbm check` does, and returns the numbers that follow from it.

        `check().tau`, `.steps`, `.mach`, `.device_bytes`, `.warnings` ...: the keys of
        `lbm check --json`. `print(case.check())` shows the text of `lbm check`. Raises UsageError;
        ResourceError where the case needs more memory than this machine has.
        """
        return _record(self._data().check())

    def plan(
        self,
        processes: int = 1,
        per_host: int = 0,
        network: float = 0.0,
        machine: str = "",
        measure: bool = False,
        latency: float = 0.0,
    ) -> Record:
        """Predicts memory, schedule, speed and size of files, as `lbm plan` does (docs/plan.md).

        processes: number of processes, each with a device like this one.
        per_host: number of processes on one host; 0: all.
        network: bandwidth between processes of two hosts in GB/s; 0: no limit.
        machine: "gh200", "gb200", "gb300", "gb10" or a JSON file: one that is not here
            (docs/plan.md); empty: this one.
        measure: measure the speeds of the device now (seconds) instead of reading the cache.
        latency: time in microseconds that a plane is on its way besides, between two hosts.

        Returns: the keys of `lbm plan --json`. A case that does not fit is no error: `fits` is
        False then, and `refusal` has the reason. Raises UsageError.
        """
        data = self._data()
        return _record(data.plan(processes, per_host, network, latency, machine, measure))

    def replace(self, changes: collections.abc.Mapping[str, typing.Any]) -> "Case":
        """A changed copy: `case.replace({"fluid.reynolds": 400})`.

        As with `--set`, a given group replaces all its keys, and one of several alternatives
        (`run.steps`, `run.time`) replaces the others.
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
        return self._at_path(path, make=False)

    def __setitem__(self, path: str, value: typing.Any) -> None:
        parent, _, name = path.rpartition(".")
        group = self._at_path(parent, make=True) if parent else self
        if isinstance(group, Named):
            group[name] = value
        else:
            setattr(group, _attribute(group, parent, name), value)

    def _at_path(self, path: str, make: bool) -> typing.Any:
        """The value or group at a path. make: items that do not exist are made, as --set does."""
        value: typing.Any = self
        at = ""
        for name in path.split("."):
            if not isinstance(value, Named):
                value = getattr(value, _attribute(value, at, name))
            elif make:
                value = value.setdefault(name)
            elif name in value:
                value = value[name]
            else:
                names = f"must be one of {', '.join(value)}" if value else "there is none yet"
                raise UsageError(f"case.{at}.{name}: unknown name, {names}")
            at = join(at, name)
        return value

    def __repr__(self) -> str:
        return "\n".join(["Case(", *(f"    {line}," for line in self._given()), ")"])


def _attribute(group: typing.Any, at: str, name: str) -> str:
    """The attribute of a key. Raises UsageError for an unknown key, and for a value with keys."""
    if not isinstance(group, Group):
        raise UsageError(f"case.{join(at, name)}: unknown key, {at} is a value")
    return group._attribute(name)


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
    """The case itself, or the case in a file. Raises UsageError for anything else."""
    if isinstance(case, (str, os.PathLike)):
        return Case.from_yaml(case)
    if not isinstance(case, Case):
        raise UsageError(f"case: found {case!r}, must be a lbm.Case or the path of a YAML file")
    return case
