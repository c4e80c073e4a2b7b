#!/usr/bin/env python3
"""Prints a C++ header with its plain comments as Doxygen reads them.

    doxygen_filter.py HEADER

A comment above a declaration becomes ///, one behind it ///<. The comment at the head of the file describes the file.
"""

import re
import sys

ABOVE = re.compile(r"^(\s*)//(?!/) ?(.*)$")
BEHIND = re.compile(r"^(.*[;,{}]\s+)// (.*)$")
SPECIAL = re.compile(r"(?<!\w)[@\\]|[<>#%]")


def text_of(comment):
    return SPECIAL.sub(lambda match: "\\" + match[0], comment)


def filtered(lines):
    head, behind = True, False
    for line in lines:
        above = ABOVE.match(line)
        if above and head:
            yield f"//! {text_of(above[2])}" if behind else f"//! \\file\n//! {text_of(above[2])}"
            behind = True
            continue
        if head:
            head = behind = False
        if above:
            # The comment behind a declaration may go on in the next line.
            yield f"{above[1]}///{'<' if behind else ''} {text_of(above[2])}"
            continue
        match = BEHIND.match(line)
        behind = match is not None
        yield f"{match[1]}///< {text_of(match[2])}" if match else line


if __name__ == "__main__":
    with open(sys.argv[1], encoding="utf-8") as file:
        print("\n".join(filtered(file.read().splitlines())))
