# SPDX-License-Identifier: Apache-2.0
"""The runs of a parameter study: their settings, names and cases."""

from __future__ import annotations

import hashlib
import itertools
import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple, Union

from lbm._key_table import yaml_text
from lbm.case import Case
from lbm.errors import UsageError

Settings = Mapping[str, Any]
"""Keys of a case and their values, as Case.replace takes them."""

Family = Union[Mapping[str, Any], Iterable[Settings]]
"""A list of values for each key, of which all combinations are run; or the settings of each run."""

_LONGEST_NAME = 100
_HOW = 'must be {"key": [values]} or a list of {"key": value}'


class Member(NamedTuple):
    """One run of the study."""

    name: str
    """Name of its directory; it depends on the settings alone."""
    settings: dict[str, Any]
    case: Case


def members(case: Case, family: Family) -> list[Member]:
    """All runs in order, each checked. Raises UsageError for the first invalid one."""
    all_settings = _combinations(family)
    if not all_settings:
        raise UsageError(f"sweep: found no settings at all, {_HOW}")
    short = _short_names({key: None for one in all_settings for key in one})
    made: list[Member] = []
    for settings in all_settings:
        changed = _changed(case, settings)
        made.append(Member(_name(settings, changed, short), settings, changed))
    _refuse_twins(made)
    return made


def _combinations(family: Family) -> list[dict[str, Any]]:
    if isinstance(family, Mapping):
        values = [_values(key, some) for key, some in family.items()]
        return [dict(zip(family, one)) for one in itertools.product(*values)] if values else []
    if isinstance(family, (str, bytes)) or not isinstance(family, Iterable):
        raise UsageError(f"sweep: found {family!r}, {_HOW}")
    all_settings = list(family)
    for one in all_settings:
        if not isinstance(one, Mapping):
            raise UsageError(f"sweep: found {one!r} among the settings, {_HOW}")
    return [dict(one) for one in all_settings]


def _values(key: str, some: Any) -> list[Any]:
    if isinstance(some, (str, bytes, Mapping)) or not isinstance(some, Iterable):
        raise UsageError(f"sweep: {key}: found {some!r}, must be a list of values")
    return list(some)


def _changed(case: Case, settings: Settings) -> Case:
    try:
        changed = case.replace(settings)
        changed.to_yaml()  # checks the whole case
    except UsageError as error:
        said = ", ".join(f"{key}={value!r}" for key, value in settings.items())
        raise UsageError(f"sweep: {said}: {error}") from None
    return changed


def _short_names(keys: Iterable[str]) -> dict[str, str]:
    """The last part of each key, or the whole key where two keys end in the same part."""
    last = {key: key.rpartition(".")[2] for key in keys}
    ends = list(last.values())
    return {key: end if ends.count(end) == 1 else key for key, end in last.items()}


def _name(settings: Settings, changed: Case, short: Mapping[str, str]) -> str:
    """A name such as reynolds=100_collision=bgk. It is a valid file name for all values."""
    exact = [(short[key], _value_text(key, value, changed)) for key, value in settings.items()]
    text = "_".join(f"{key}={value}" for key, value in exact) or "as_given"
    safe = re.sub(r"[^A-Za-z0-9_.=+-]+", "-", text)
    if safe == text and len(safe) <= _LONGEST_NAME:
        return safe
    digest = hashlib.sha256(text.encode()).hexdigest()[:8]
    return f"{safe[:_LONGEST_NAME]}-{digest}"


def _value_text(key: str, value: Any, changed: Case) -> str:
    """The value as the case holds it, so that 100 and 100.0 have the same name."""
    try:
        value = changed[key] if not isinstance(value, Mapping) else value
    except UsageError:
        pass
    return _words(value)


def _words(value: Any) -> str:
    if isinstance(value, float) and value.is_integer() and abs(value) < 1e15:
        return str(int(value))
    if isinstance(value, (bool, int, float)) or value is None:
        return repr(value)
    if isinstance(value, Sequence) and not isinstance(value, str) and value:
        return "x".join(_words(item) for item in value)
    return value if isinstance(value, str) else yaml_text(value) or repr(value)


def _refuse_twins(made: Sequence[Member]) -> None:
    first: dict[str, int] = {}
    for i, member in enumerate(made):
        if (twin := first.setdefault(member.name, i)) != i:
            raise UsageError(
                f"sweep: settings {twin} and {i} are the same: {member.name}; leave one away"
            )
