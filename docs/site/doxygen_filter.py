#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Prints a C++ header with its plain comments as Doxygen reads them.

    doxygen_filter.py HEADER

A comment above a declaration becomes ///, one behind it ///<. The comment at the head of the file describes the file.
"""

import re
import sys

ABOVE = re.compile(r"^(\s*)//(?!/) ?(.*)$")
BEHIND = re.compile(r"^(.*[;,{}]\s+)// (.*)$")
SPECIAL = re.compile(r"(?<!\w)[@\\]|<(?=[A-Za-z/])")


def text_of(comment):
    return SPECIAL.sub(lambda match: "\\" + match[0], comment)


def filtered(lines):
    head, began, column = True, False, None
    for line in lines:
        above = ABOVE.match(line)
        if above and head:
            yield f"//! {text_of(above[2])}" if began else f"//! \\file\n//! {text_of(above[2])}"
            began = True
            continue
        head = False
        if above:
            # The comment behind a declaration may go on in the next line, in the same column.
            yield f"{above[1]}///{'<' if len(above[1]) == column else ''} {text_of(above[2])}"
            continue
        match = BEHIND.match(line)
        column = len(match[1]) if match else None
        yield f"{match[1]}///< {text_of(match[2])}" if match else line


if __name__ == "__main__":
    with open(sys.argv[1], encoding="utf-8") as file:
        print("\n".join(filtered(file.read().splitlines())))
