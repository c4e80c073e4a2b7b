# SPDX-License-Identifier: Apache-2.0
"""Python values as YAML text, which the key table then reads and checks."""

import collections.abc
import json
import os
import typing


def yaml_text(value: typing.Any) -> str | None:
    """One line of YAML; None for values without a YAML form, such as a function.

    Takes numbers, strings, bool, None, paths, sequences (tuples, ranges) and mappings of them, and
    objects with `tolist`, such as NumPy's arrays and numbers.
    """
    if hasattr(value, "tolist"):
        value = value.tolist()
    if value is None:
        return "null"
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, (int, float)):
        return repr(value)
    if isinstance(value, os.PathLike):
        value = os.fspath(value)
    if isinstance(value, str):
        return quoted(value)
    if isinstance(value, collections.abc.Mapping):
        return map_text(value)
    if isinstance(value, collections.abc.Iterable) and not isinstance(value, (bytes, bytearray)):
        items = [yaml_text(item) for item in value]
        return None if None in items else f"[{', '.join(map(str, items))}]"
    return None


def quoted(text: str) -> str | None:
    """The text in double quotes; None for text that is not Unicode (bytes of a file name)."""
    try:
        text.encode()
    except UnicodeEncodeError:
        return None
    return json.dumps(text, ensure_ascii=False)


def map_text(mapping: collections.abc.Mapping[typing.Any, typing.Any]) -> str | None:
    """A mapping in braces."""
    items = []
    for key, value in mapping.items():
        name, text = yaml_text(key), yaml_text(value)
        if name is None or text is None:
            return None
        items.append(f"{name}: {text}")
    return f"{{{', '.join(items)}}}"
