# SPDX-License-Identifier: Apache-2.0
"""Compares what a command printed with what a page shows."""

import re

NUMBER = re.compile(r"[-+]?(?<![A-Za-z_])\d[\d,]*(?:\.\d+)?(?:[eE][-+]?\d+)?")
UNIT = re.compile(r"# (?:[kKMGT]i?B|bytes|ms|us|s|min|h|minutes?|seconds?|hours?)\b|#:#(?::#)?(?: h| min)?")
DRAWN = re.compile(r"\x1b\[[0-9;]*[A-Za-z]")


PROGRESS = re.compile(r"^ *\d+ % +step \d+ of")  # printed every five seconds
MACHINE = re.compile(r"^(device: ).*")


def shown(text):
    """The text that a terminal shows in the end, without lines of progress."""
    lines = (DRAWN.sub("", line.rsplit("\r", 1)[-1]).rstrip() for line in text.replace("\r\n", "\n").split("\n"))
    return "\n".join(line for line in lines if not PROGRESS.match(line)).strip("\n")


def plain(text):
    """Lines without numbers, units of sizes and times, and the name of the device."""
    lines = []
    for line in shown(text).split("\n"):
        line = MACHINE.sub(r"\1", line)
        line = UNIT.sub("#", NUMBER.sub("#", line))
        line = re.sub(r"-{3,}", "---", re.sub(r"[ \t]+", " ", line)).strip()
        if line:
            lines.append(line)
    return lines


def pattern_of(expected):
    """A regular expression: ... alone in a line stands for any lines, within a line for any text."""
    parts = []
    for line in plain(expected):
        if line == "...":
            parts.append(r"(?:.*\n)*?")
        else:
            parts.append(".*?".join(re.escape(part) for part in line.split("...")) + r"\n")
    return re.compile("".join(parts))


def difference(expected, printed):
    """None where they agree apart from numbers, else one line that was expected and is not there."""
    lines = plain(printed)
    if pattern_of(expected).fullmatch("".join(f"{line}\n" for line in lines)):
        return None
    for line in plain(expected):
        if line != "..." and not any(pattern_of(line).fullmatch(f"{other}\n") for other in lines):
            return f"the page shows {line!r}, which was not printed"
    return "the lines of the page were printed in another order, or with others between them"
