#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Checks that a page names only what there is: by default docs/architecture.md and docs/reliability.md.

    check_docs.py ROOT [PAGE...]      prints one line a problem; exit status 1 when there is one

Looks at words in backticks. `path/like/this` must exist, `name.hpp` must be the name of a file somewhere,
`TypeName` and `TypeName::member` must be in the C++ or Python sources, `name_of_a_function` must occur in them. `Suite.Name` must be a test of GoogleTest.
Paths and file names may have * in them. What is in ``` blocks is not looked at.
"""

import fnmatch
import os
import re
import sys

from check_layering import CODE, MAY_USE, files_of, lines_of

PAGES = ("docs/architecture.md", "docs/reliability.md")
SOURCES = (*MAY_USE, "tests", "docs")
DATA = (".yaml", ".json", ".csv", ".md", ".txt", ".sh")

BACKTICKS = re.compile(r"`([^`]+)`")
PATH = re.compile(r"[\w.*-]+(?:/[\w.*-]+)*/?")
TYPE = re.compile(r"([A-Z]\w*[a-z]\w*)(?:::(~?\w+))?(?:\(\))?")
TEST = re.compile(r"[A-Z]\w*\.[A-Z]\w*")
TEST_DEFINITION = re.compile(r"\bTEST(?:_F|_P)?\(\s*(\w+),\s*(\w+)\)")
FUNCTION = re.compile(r"([a-z]\w*_\w+)(?:\(\))?")
DEFINITION = re.compile(r"\b(?:enum(?:\s+(?:class|struct))?|class|struct|union|using|concept)\s+"
                        r"(?:\[\[\w+\]\]\s*|alignas\([^)]*\)\s*)?(\w+)")
WORD = re.compile(r"\w+")


class Sources:
    """Names that the tree at root has: paths, types, words."""

    def __init__(self, root):
        self.paths = {path for folder in SOURCES for path in files_of(root, folder)}
        self.paths |= {name for name in os.listdir(root) if os.path.isfile(os.path.join(root, name))}
        self.folders = {folder for path in self.paths for folder in parents(path)}
        self.types, self.words, self.tests = set(), set(), set()
        for path in sorted(self.paths):
            if path.endswith((*CODE, ".py", ".yaml")) or os.path.basename(path) == "CMakeLists.txt":
                text = "\n".join(lines_of(root, path))
                self.types |= set(DEFINITION.findall(text))
                self.words |= set(WORD.findall(text))
                self.tests |= {".".join(names) for names in TEST_DEFINITION.findall(text)}

    def has_path(self, path):
        return bool(fnmatch.filter(self.paths | self.folders, path.rstrip("/")))

    def has_file(self, name):
        return any(fnmatch.fnmatch(os.path.basename(path), name) for path in self.paths)


def parents(path):
    while os.path.dirname(path):
        path = os.path.dirname(path)
        yield path


def problem(name, sources):
    """The fault of a name in backticks, or None."""
    if PATH.fullmatch(name) and "/" in name:
        return None if sources.has_path(name) else "no such file or folder"
    if PATH.fullmatch(name) and name.endswith((*CODE, ".py", ".cmake")):
        return None if sources.has_file(name) else "no file has this name"
    if PATH.fullmatch(name) and name.endswith(DATA):
        written = os.path.splitext(name)[0] in sources.words
        return None if written or sources.has_file(name) else "no file has this name, none is written under it"
    if name in sources.paths:
        return None
    if TEST.fullmatch(name):
        return None if name in sources.tests else "no such test"
    if match := TYPE.fullmatch(name):
        if match[1] not in sources.types:
            return "no such type in the sources"
        return None if not match[2] or match[2].lstrip("~") in sources.words else f"{match[2]} is not in the sources"
    if match := FUNCTION.fullmatch(name):
        return None if match[1] in sources.words else "is not in the sources"
    return None


def names_of(lines):
    """(line number, name) for all that stands in backticks, ``` blocks apart."""
    block = False
    for number, line in enumerate(lines, 1):
        if line.lstrip().startswith("```"):
            block = not block
        elif not block:
            for name in BACKTICKS.findall(line):
                yield number, name


def problems(root, pages):
    """All problems of these pages, one line each, and how many names were looked at."""
    sources = Sources(root)
    found, count = [], 0
    for page in pages:
        for number, name in names_of(lines_of(root, page)):
            count += 1
            words = problem(name, sources)
            if words:
                found.append(f"{page}:{number}: `{name}`: {words}")
    return found, count


def main():
    root = os.path.abspath(sys.argv[1] if len(sys.argv) > 1 else ".")
    found, count = problems(root, sys.argv[2:] or PAGES)
    for line in found:
        print(f"error: {line}")
    print(f"{count} names checked, {len(found)} problems")
    return 1 if found or count == 0 else 0


if __name__ == "__main__":
    sys.exit(main())
