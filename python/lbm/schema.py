# SPDX-License-Identifier: Apache-2.0
"""`python -m lbm schema`: prints a JSON Schema of case files, with which editors complete keys."""

from __future__ import annotations

import argparse
import json
import re
from collections.abc import Sequence
from typing import Any

from lbm._key_table import KeyRow, group_introduction, rows

Schema = dict[str, Any]

_LIMITS = {
    ">": "exclusiveMinimum", ">=": "minimum", "from": "minimum",
    "<": "exclusiveMaximum", "<=": "maximum", "to": "maximum",
}  # fmt: skip


def _word(row: KeyRow) -> Schema:
    words: Schema = {"enum": row.allowed.split(", ")}
    return {"anyOf": [words, {"type": "string"}]} if row.takes_scalars else words


def _value(row: KeyRow) -> Schema:
    """The values of a key, from the words of the key table: `> 0 and < 1`, `from 1 to 64`."""
    if row.type == "word":
        return _word(row)
    if row.type == "switch":
        return {"type": "boolean"}
    if row.type == "list of words":
        return {"type": "array", "items": _word(row)}
    found = re.fullmatch(r"(?:list of (two |three |four )?)?(whole )?numbers?", row.type)
    if not found:  # a formula, memory, points: their text is left to `lbm check`
        return {"type": "array"} if row.type.startswith("list of ") else {}
    limits = re.findall(r"([<>]=?|from|to) (\d\S*)", row.allowed.partition(", ")[0])
    number: Schema = {_LIMITS[word]: float(limit) for word, limit in limits}
    number["type"] = "integer" if found[2] else "number"
    if row.type.startswith("list of "):
        count = {"two ": 2, "three ": 3, "four ": 4}.get(found[1])
        size = {"minItems": count, "maxItems": count} if count else {}
        return {"type": "array", "items": number, **size}
    return {"anyOf": [number, {"const": "auto"}]} if row.default == "auto" else number


def case_schema() -> Schema:
    """A JSON Schema (draft 7) of a case: all keys, their meaning, defaults, words and limits."""
    groups: dict[str, Schema] = {}

    def group(path: str) -> Schema:
        """The schema of a group, made at its first key with the groups around it."""
        if path not in groups:
            kind = ["object", "null"]  # a group without keys is null in YAML
            made = {"type": kind, "properties": {}, "additionalProperties": False}
            groups[path] = made
            if path:
                made["description"] = group_introduction(path)
                outer, _, name = path.rpartition(".")
                if name == "NAME":
                    group(outer)["additionalProperties"] = made
                else:
                    group(outer)["properties"][name] = made
        return groups[path]

    for row in rows():
        group(row.path.rpartition(".")[0])
    for row in rows():
        outer, _, name = row.path.rpartition(".")
        value = _value(row)
        if row.path in groups:  # a word stands for the group, such as "periodic" for a face
            value = {"anyOf": [value, groups[row.path]]}
        default = {} if row.default is None else {"default": row.default}
        group(outer)["properties"][name] = {"description": row.description(), **default, **value}
    return {"$schema": "http://json-schema.org/draft-07/schema#", "title": "lbm case", **groups[""]}


def main(arguments: Sequence[str]) -> int:
    """Runs the command; returns its exit code."""
    argparse.ArgumentParser(prog="python -m lbm schema", description=__doc__).parse_args(arguments)
    print(json.dumps(case_schema(), indent=1, ensure_ascii=False))
    return 0
