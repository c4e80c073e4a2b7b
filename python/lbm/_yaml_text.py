# SPDX-License-Identifier: Apache-2.0
"""Python values as YAML text, which the key table then reads and checks."""

import collections.abc
import json
import os
import typing


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
