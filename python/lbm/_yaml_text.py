"""Python values as YAML text, which the key table then reads and judges."""

import collections.abc
import json
import os
import typing


def yaml_text(value: typing.Any) -> str | None:
    """One line of YAML; None for what has no form there, such as a function.

    Takes numbers, words, bool, None, paths, sequences (tuples, ranges) and mappings of them, and
    whatever has `tolist` as NumPy's arrays and numbers do.
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
    """In double quotes; None for text that is not Unicode (bytes of a file name)."""
    try:
        text.encode()
    except UnicodeEncodeError:
        return None
    return json.dumps(text, ensure_ascii=False)


def map_text(mapping: collections.abc.Mapping[typing.Any, typing.Any]) -> str | None:
    """A map in braces."""
    items = []
    for key, value in mapping.items():
        name, text = yaml_text(key), yaml_text(value)
        if name is None or text is None:
            return None
        items.append(f"{name}: {text}")
    return f"{{{', '.join(items)}}}"
