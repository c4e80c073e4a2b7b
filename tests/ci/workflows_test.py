#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The files of the public CI and of pre-commit call only commands that there are."""

import glob
import os
import re
import sys

ROOT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..")
FILES = (".github/workflows/*.yml", ".pre-commit-config.yaml", ".github/*.md", "docs/CONTRIBUTING.md", "docs/packaging/Dockerfile",
         "docs/packaging/lbm.def")
MAKE = re.compile(r"(?<![\w/-])make ([a-z0-9]+)")
PATH = re.compile(r"(?<![\w./-])((?:\.ci|tests|docs|solver|python)/[\w./-]+\w)")
# Folders that commands write, and English words that follow `make`.
WRITTEN = ("build/",)
NO_TARGETS = {"git", "sure"}


def read(path):
    with open(os.path.join(ROOT, path), encoding="utf-8") as file:
        return file.read()


def targets():
    return set(re.findall(r"^([a-z0-9]+):", read("Makefile"), re.MULTILINE))


def problems(path, text, known):
    for number, line in enumerate(text.splitlines(), 1):
        for target in MAKE.findall(line):
            if target not in known and target not in NO_TARGETS:
                yield f"{path}:{number}: the Makefile has no target {target}"
        for name in PATH.findall(line):
            if not name.startswith(WRITTEN) and not os.path.exists(os.path.join(ROOT, name)):
                yield f"{path}:{number}: there is no {name}"


def main():
    known = targets()
    paths = sorted(os.path.relpath(path, ROOT) for pattern in FILES for path in glob.glob(os.path.join(ROOT, pattern)))
    found = [line for path in paths for line in problems(path, read(path), known)]
    planted = list(problems("x", "run: make nonsense\nrun: .ci/nonsense run\n", known))
    if len(planted) != 2:
        found.append(f"planted mistakes are not seen: {planted}")
    for line in found:
        print(f"error: {line}")
    print(f"{len(paths)} files, {len(found)} problems")
    return 1 if found or len(paths) < 5 else 0


if __name__ == "__main__":
    sys.exit(main())
