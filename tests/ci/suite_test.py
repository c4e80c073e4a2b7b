#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Looks at the list of all tests: each has one label that says when it runs, and a program that is there.

    suite_test.py BUILD_DIR CTEST
"""

import json
import subprocess
import sys

# `make test` runs all but the last two, `make release` the first of these; only cross-compiled builds have the last.
LABELS = ("unit", "verification", "cli", "python", "gpu", "release", "native")
# A test of the Python package on a GPU has both.
ALSO = {"python", "gpu"}


def labels_of(test):
    return [label for entry in test.get("properties", []) if entry["name"] == "LABELS" for label in entry["value"]]


def problem(test):
    """The fault of an entry in the list of ctest, or None."""
    labels = labels_of(test)
    if "command" not in test:
        return "has no program: its build is missing"
    if len(labels) != 1 and set(labels) != ALSO:
        return f"has the labels {labels}: one of {', '.join(LABELS)} is wanted"
    if not set(labels) <= set(LABELS):
        return f"has the unknown label {labels}"
    return None


def planted_mistakes_are_seen():
    def test(*labels, **entries):
        return {"command": ["x"], **entries, "properties": [{"name": "LABELS", "value": list(labels)}]}

    good = [test("unit"), test("release"), test("python", "gpu")]
    bad = [test(), test("quick"), test("unit", "release"), {"properties": test("unit")["properties"]}, {"command": ["x"]}]
    return not any(map(problem, good)) and all(map(problem, bad))


def main():
    build, ctest = sys.argv[1:3]
    listing = subprocess.run([ctest, "--test-dir", build, "--show-only=json-v1"], capture_output=True, check=True).stdout
    tests = json.loads(listing)["tests"]
    found = [(test["name"], problem(test)) for test in tests if problem(test)]
    for name, words in found:
        print(f"error: {name} {words}")
    if not planted_mistakes_are_seen():
        found.append("error: planted mistakes are not seen")
    print(f"{len(tests)} tests, {len(found)} problems")
    return 1 if found or not tests else 0


if __name__ == "__main__":
    sys.exit(main())
