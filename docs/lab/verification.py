#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes docs/lab/verification.md and its figures from what the verification tests recorded.

    verification.py                      writes the page from docs/lab/verification/*.json
    verification.py collect DIR FILE     makes such a FILE from the records in DIR, one a test, and
                                         notes commit, date, machine and compiler
    verification.py check                writes nothing; lists what does not fit, one line each

docs/lab/verification/README.md has the schema of the files and says how to add to the page. Only
drawing needs matplotlib.
"""

import argparse
import datetime
import glob
import json
import os
import re
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "verification"))
import evidence  # noqa: E402
import page  # noqa: E402


def output_of(*command):
    """First line of what a program prints; empty where it cannot."""
    try:
        done = subprocess.run(command, capture_output=True, text=True, check=True, cwd=HERE)
    except (OSError, subprocess.CalledProcessError):
        return ""
    return (done.stdout.splitlines() or [""])[0].strip()


def commit():
    """With + where a source is not as committed; what this script writes does not count."""
    changed = output_of("git", "status", "--porcelain", "--untracked-files=no", "--", "../..",
                        ":(exclude)../../docs")
    return output_of("git", "rev-parse", "--short", "HEAD") + ("+" if changed else "")


def machine():
    try:
        with open("/proc/cpuinfo", encoding="utf-8") as file:
            names = re.findall(r"model name\s*: (.*)", file.read())
    except OSError:
        names = []
    return f"{os.cpu_count()} threads of {names[0] if names else os.uname().machine}"


def compiler(build):
    try:
        with open(os.path.join(build, "CMakeCache.txt"), encoding="utf-8") as file:
            found = re.search(r"^CMAKE_CXX_COMPILER:\w+=(.*)", file.read(), re.M)
    except OSError:
        found = None
    return output_of(found.group(1), "--version") if found else ""


def natural(name):
    """Re100 comes before Re1000."""
    return [(int(part), "") if part.isdigit() else (-1, part) for part in re.split(r"(\d+)", name)]


def collect(options):
    records = [evidence.read_json(path) for path in glob.glob(os.path.join(options.dir, "*.json"))]
    if options.full:
        records = [record for record in records if record["mode"] == "full"]
    if not records:
        raise evidence.Problem(f"{options.dir}: no records; run the tests with LBM_EVIDENCE={options.dir}")
    found = {
        "commit": options.commit or commit(),
        "date": options.date or datetime.date.today().isoformat(),
        "machine": options.machine or machine(),
        "compiler": options.compiler or compiler(options.build),
        "tests": sorted(records, key=lambda record: natural(record["program"] + " " + record["test"])),
    }
    evidence.write_json(options.file, found)
    failed = [record["test"] for record in records if not record["passed"]]
    print(f"{options.file}: {len(records)} tests, {len(failed)} failed {' '.join(failed)}".rstrip())


def write_page(options):
    sets = evidence.read_sets(options.evidence)
    made = page.Page(sets, options.evidence)
    with open(options.page, "w", encoding="utf-8") as file:
        file.write(made.text)
    print(f"{options.page}: {len(made.rows)} checks of {len(made.records)} tests")
    for problem in made.problems:
        print(f"verification.py: {problem}", file=sys.stderr)
    if options.no_figures:
        return
    try:
        import figures
    except ImportError as error:
        print(f"verification.py: the figures are left as they are: {error} (apt install "
              "python3-matplotlib)", file=sys.stderr)
        return
    figures.draw(made.figures, os.path.join(os.path.dirname(options.page), "figures"))


def check(options):
    made = page.Page(evidence.read_sets(options.evidence), options.evidence)
    problems = made.problems + evidence.unrecorded(made.records, options.tests)
    try:
        with open(options.page, encoding="utf-8") as file:
            written = file.read()
    except OSError:
        written = ""
    if written != made.text:
        problems.append(f"{options.page}: is not what docs/lab/verification.py makes of "
                        "docs/lab/verification/; run it, or `make verification`")
    for name in made.figures:
        path = os.path.join(os.path.dirname(options.page), "figures", f"verification_{name}.png")
        if not os.path.isfile(path):
            problems.append(f"{path}: missing; run docs/lab/verification.py where matplotlib is")
    for problem in problems:
        print(f"verification.py: {problem}", file=sys.stderr)
    return 1 if problems else 0


def main(arguments):
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--evidence", default=os.path.join(HERE, "verification"), help="templates and *.json")
    parser.add_argument("--page", default=os.path.join(HERE, "verification.md"))
    parser.add_argument("--tests", default=os.path.join(HERE, "..", "..", "tests", "verification"))
    parser.add_argument("--no-figures", action="store_true")
    commands = parser.add_subparsers(dest="command")
    collecting = commands.add_parser("collect")
    collecting.add_argument("dir")
    collecting.add_argument("file")
    collecting.add_argument("--full", action="store_true", help="only tests with a finer LBM_VERIFICATION=full")
    collecting.add_argument("--build", default=os.path.join(HERE, "..", "..", "build"))
    for name in ("commit", "date", "machine", "compiler"):
        collecting.add_argument(f"--{name}", help="instead of what is found here")
    commands.add_parser("check")
    options = parser.parse_args(arguments)
    try:
        return {"collect": collect, "check": check, None: write_page}[options.command](options) or 0
    except evidence.Problem as problem:
        print(f"verification.py: {problem}", file=sys.stderr)
        return 2


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
