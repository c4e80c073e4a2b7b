#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The version stands in CMakeLists.txt; recipes, citation and changelog have the same.

    version_test.py               compares them; exit status 1 where one differs
    version_test.py --tag v1.2.3  compares them with a tag, too
    version_test.py --changes     prints what the changelog says of this version
"""

import argparse
import os
import re
import sys

ROOT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..")
RECIPES = "docs/packaging"
CHANGES = "docs/changelog.md"
# The pattern of the version in each file; its first match counts. In the changelog that is the newest version.
PLACES = {
    "CMakeLists.txt": r"^project\(lbm VERSION ([0-9.]+)",
    "CITATION.cff": r"^version: ([0-9.]+)$",
    CHANGES: r"^## ([0-9.]+)",
    f"{RECIPES}/conda/recipe.yaml": r'^  version: "([0-9.]+)"$',
    f"{RECIPES}/spack_repo/lbm/packages/lbm/package.py": r'^    version\("([0-9.]+)", tag="v\1"\)$',
}
# The day of this version.
DATES = {
    "CITATION.cff": r'^date-released: "?([0-9-]+)"?$',
    CHANGES: r"^## [0-9.]+ \(([0-9-]+)\)$",
}


def read(path):
    with open(os.path.join(ROOT, path), encoding="utf-8") as file:
        return file.read()


def found_in(places, texts):
    """The first match in each file, or None."""
    matches = {path: re.search(pattern, texts[path], re.MULTILINE) for path, pattern in places.items()}
    return {path: match and match.group(1) for path, match in matches.items()}


def problems(texts, tag=None):
    lines = []
    for what, places in (("version", PLACES), ("date", DATES)):
        found = found_in(places, texts)
        reference = next(iter(found))
        for path, value in found.items():
            if value is None:
                lines.append(f"{path}: no {what} is found, {reference} has {found[reference]}")
            elif value != found[reference]:
                lines.append(f"{path}: the {what} is {value}, {reference} has {found[reference]}")
    version = found_in(PLACES, texts)["CMakeLists.txt"]
    if tag is not None and tag != f"v{version}":
        lines.append(f"CMakeLists.txt: the version is {version}, the tag is {tag}")
    return lines


def planted_mistakes_are_seen(texts):
    """Each file with another version, or none, must be a problem that names it."""
    for path in PLACES:
        version = found_in(PLACES, texts)[path]
        for other in ("9.9.9", "none"):
            changed = {**texts, path: texts[path].replace(version, other)}
            if not any(path in line for line in problems(changed)):
                return False
    return bool(problems(texts, tag="v9.9.9"))


def changes(text):
    """The section of the newest version, without its heading."""
    return re.search(r"^## [0-9.]+.*?\n(.*?)(?=^## |\Z)", text, re.MULTILINE | re.DOTALL).group(1).strip()


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--tag")
    parser.add_argument("--changes", action="store_true")
    arguments = parser.parse_args()
    texts = {path: read(path) for path in {**PLACES, **DATES}}
    found = problems(texts, arguments.tag)
    if not found and not planted_mistakes_are_seen(texts):
        found = ["planted mistakes are not seen"]
    for line in found:
        print(f"error: {line}", file=sys.stderr)
    if arguments.changes and not found:
        print(changes(texts[CHANGES]))
    elif not found:
        print(f"version {found_in(PLACES, texts)['CMakeLists.txt']} in {len(PLACES)} files")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
