#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Prints "KEY FILE" for each source that clang-tidy looks at: the KEY stays the same as long as nothing that
clang-tidy sees of FILE changes.

    lint_keys.py DATABASE COMMON FOLDER...

DATABASE is compile_commands.json; COMMON is text that counts for all files (version, list of checks). A key is
made of COMMON, the command that compiles the file, and the contents of the file and of all headers of this project
that it includes, over any number of steps. It holds in another clone, too: paths of this one are left out.
"""

import functools
import hashlib
import json
import os
import re
import sys

INCLUDE = re.compile(r'^\s*#\s*include\s*["<]([^">]+)[">]', re.MULTILINE)


@functools.lru_cache(maxsize=None)
def text_of(path):
    with open(path, encoding="utf-8", errors="replace") as file:
        return file.read()


@functools.lru_cache(maxsize=None)
def includes_of(path):
    """Headers of ours; includes are written from the root (layering.tree), or for tests beside the file."""
    names = [name.removeprefix(os.getcwd() + "/") for name in INCLUDE.findall(text_of(path))]
    near = [os.path.join(os.path.dirname(path), name) for name in names]
    return [found for pair in zip(names, near) for found in pair if os.path.isfile(found)]


def closure(path):
    """The file and all headers of ours that it includes, in a fixed order."""
    seen, waiting = set(), [path]
    while waiting:
        current = os.path.normpath(waiting.pop())
        if current not in seen:
            seen.add(current)
            waiting += includes_of(current)
    return sorted(seen)


def key_of(path, command, common):
    parts = [common, command]
    for name in closure(path):
        parts += [name, text_of(name).replace(os.getcwd(), ".")]
    return hashlib.sha256("\0".join(parts).encode()).hexdigest()[:32]


def main():
    database, common, *folders = sys.argv[1:]
    root = os.getcwd()
    with open(database, encoding="utf-8") as file:
        entries = json.load(file)
    listed = {os.path.relpath(os.path.realpath(entry["file"]), os.path.realpath(root)): entry for entry in entries}
    for path in sorted(listed):
        # Sources that are compiled as one file are included by one in build/FOLDER.
        together = re.fullmatch(r"build/(\w+)/.*/Unity/unity_\w+\.cxx", path)
        folder = together[1] if together else path.split("/")[0]
        if (together or path.endswith(".cpp")) and folder in folders:
            command = listed[path].get("command", "").replace(root, ".")
            command = re.sub(r"^\S*(ccache|\.ci/compile) ", "", command)
            print(key_of(path, command, common), path)


if __name__ == "__main__":
    main()
