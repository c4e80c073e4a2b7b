# SPDX-License-Identifier: Apache-2.0
"""The key table of case files: all keys, their allowed values, and their texts on the page that `lbm keys` prints."""

import collections.abc
import functools
import json
import keyword
import os
import re
import typing

from lbm import _lbm


class KeyRow(typing.NamedTuple):
    """One key. In `path` NAME stands for a name chosen by the user, in `row` FACE for a face."""

    path: str
    row: str
    type: str
    default: typing.Any
    default_text: str
    allowed: str
    doc: str
    must_be: str
    takes_scalars: bool  # the names of the scalars of a case are allowed, too

    @property
    def name(self) -> str:
        """The last part of the path."""
        return self.path.rpartition(".")[2]

    def description(self) -> str:
        """The meaning of the key and its allowed values, in words."""
        kind = self.type if self.type in ("word", "switch") else f"{self.type}, {self.allowed}"
        doc = re.sub(r"\[[^]]*\]\(([^)]*)\)", r"docs/\1", self.doc)
        return f"{doc} {kind[:1].upper()}{kind[1:]}; default: {self.default_text}."


@functools.cache
def _page() -> tuple[dict[str, tuple[str, str]], dict[str, str]]:
    """Default and meaning of each row of docs/case_reference.md; introductions of its groups."""
    texts: dict[str, tuple[str, str]] = {}
    groups: dict[str, str] = {}
    group = ""
    for line in _lbm.case_reference().splitlines():
        if line.startswith("## "):
            group = line[3:]
        elif line.startswith("| `"):
            row, _, default, _, doc = line[2:-2].split(" | ")
            texts[row.strip("`")] = (re.sub("^`([^`]*)`$", r"\1", default), doc)
        elif line and not line.startswith("|"):
            groups.setdefault(group, line)
    return texts, groups


def group_introduction(group: str) -> str:
    """The purpose of a top-level group in a sentence or two; "" for others."""
    return _page()[1].get(group, "") if group else ""


@functools.cache
def rows() -> tuple[KeyRow, ...]:
    """All keys, in the order of the documentation."""
    texts = _page()[0]
    return tuple(KeyRow(path, row, type_, default, texts[row][0], allowed, texts[row][1], must_be, scalars)
                 for path, row, type_, default, allowed, must_be, scalars in _lbm.keys())


@functools.cache
def by_path() -> dict[str, KeyRow]:
    """The keys by path."""
    return {row.path: row for row in rows()}


def join(group: str, name: str) -> str:
    """The path of a name in a group; the top level is the group ""."""
    return f"{group}.{name}" if group else name


def path_of_row(row_group: str) -> str:
    """A path for a group of rows: boundaries.x_min for boundaries.FACE; "" for an unknown group."""
    depth = row_group.count(".") + 1
    for row in rows():
        if row_group and row.row.startswith(row_group + "."):
            return ".".join(row.path.split(".")[:depth])
    return ""


def attribute_of(key: str) -> str:
    """The Python name of a key: `from_` for `from`, which is a keyword of Python."""
    return key + "_" if keyword.iskeyword(key) else key


def key_of(attribute: str) -> str:
    """The key of a Python name."""
    key = attribute[:-1]
    return key if attribute.endswith("_") and keyword.iskeyword(key) else attribute


def yaml_text(value: typing.Any) -> str | None:
    """One line of YAML, which JSON is; None for values without such a form, such as a function.

    Takes numbers, strings, bool, None, paths, sequences (tuples, ranges) and mappings of them, and
    objects with `tolist`, such as NumPy's arrays and numbers.
    """
    try:
        text = json.dumps(value, default=_plain, ensure_ascii=False)
        text.encode()  # bytes of a file name may be no Unicode
    except (TypeError, ValueError):
        return None
    return text


def _plain(value: typing.Any) -> typing.Any:
    if hasattr(value, "tolist"):
        return value.tolist()
    if isinstance(value, os.PathLike):
        return os.fspath(value)
    if isinstance(value, collections.abc.Mapping):
        return dict(value)
    if isinstance(value, (bytes, bytearray)):
        raise TypeError("bytes")
    return list(value)  # TypeError where it is not iterable
