# SPDX-License-Identifier: Apache-2.0
"""Docstrings of `lbm` are plain text: names in `backticks`, and lists of "name: explanation" whose further lines are
indented. This makes reStructuredText of them."""

import re

ENTRY = re.compile(r"(\w+=?(?:, \w+=?)*): (.*)")
CODE = re.compile(r"(``?)(.+?)\1")
SPECIAL = re.compile(r"([\\*_|])")


def escaped(text):
    """Text in which only what stands in backticks is special."""
    parts, end = [], 0
    for match in CODE.finditer(text):
        parts += [SPECIAL.sub(r"\\\1", text[end : match.start()]), f"``{match[2].strip()}``\\ "]
        end = match.end()
    return "".join(parts) + SPECIAL.sub(r"\\\1", text[end:]).replace("`", "\\`")


def blocks(lines):
    """(indentation, text) of paragraphs and entries of lists."""
    current = None
    for line in [*lines, ""]:
        stripped = line.strip()
        indent = len(line) - len(line.lstrip())
        starts = not stripped or current is None or ENTRY.fullmatch(stripped) and (indent <= current[0] or current[1].endswith(":")) or stripped.startswith("- ")
        if current is not None and (starts or (indent < current[0])):
            yield current
            current = None
        if stripped:
            current = (indent, stripped) if current is None else (current[0], f"{current[1]} {stripped}")


def converted(lines):
    result = []
    for _, text in blocks(lines):
        entry = ENTRY.fullmatch(text)
        if entry and entry[1] not in ("Raises", "Attributes", "Returns", "Note"):
            result += [f"- **{SPECIAL.sub(chr(92) * 2 + '1', entry[1])}**: {escaped(entry[2])}"]
        elif text.startswith("- "):
            result += [f"- {escaped(text[2:])}"]
        else:
            result += ["", escaped(text), ""]
    return result


def convert(app, what, name, obj, options, lines):
    lines[:] = converted(lines)


def setup(app):
    app.connect("autodoc-process-docstring", convert)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
