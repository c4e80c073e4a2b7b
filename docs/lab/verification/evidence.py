# SPDX-License-Identifier: Apache-2.0
"""Reads, writes and merges the records of verification tests; README.md has their schema."""

import glob
import json
import os
import re

RECORD_KEYS = {"program", "test", "title", "command", "mode", "passed", "checks", "tables", "figures"}
CHECK_KEYS = {"what", "against", "grid", "relation", "measured", "bound", "unit", "passed"}
SET_KEYS = {"commit", "date", "machine", "compiler", "tests"}


class Problem(Exception):
    """An error that the user can mend; the message is one line."""


def read_json(path):
    try:
        with open(path, encoding="utf-8") as file:
            return json.load(file)
    except (OSError, ValueError) as error:
        raise Problem(f"{path}: not a JSON file ({error})") from error


def write_json(path, value):
    """Indented, but with lists and objects that hold no others on one line each."""
    text = json.dumps(value, indent=1, ensure_ascii=False)
    for innermost in (r"\[\n([^\[\]{}]*)\n\s*\]", r"\{\n([^{}]*?)\n\s*\}"):
        text = re.sub(innermost, lambda m: m.group(0)[0] + re.sub(r"\n\s*", " ", m.group(1)).strip()
                      + m.group(0)[-1], text)
    with open(path, "w", encoding="utf-8") as file:
        file.write(text + "\n")


def need(found, keys, where):
    missing = sorted(keys - set(found))
    if missing:
        raise Problem(f"{where}: needs {', '.join(missing)} (docs/lab/verification/README.md)")


def read_sets(folder):
    """The evidence by name of its file, checked for its keys. The name of a set is put into it."""
    sets = []
    for path in sorted(glob.glob(os.path.join(folder, "*.json"))):
        found = read_json(path)
        need(found, SET_KEYS, path)
        found["name"] = os.path.splitext(os.path.basename(path))[0]
        for record in found["tests"]:
            need(record, RECORD_KEYS, f"{path}: {record.get('test', 'a test')}")
            for check in record["checks"]:
                need(check, CHECK_KEYS, f"{path}: {record['test']}: {check.get('what', 'a check')}")
        sets.append(found)
    if not sets:
        raise Problem(f"{folder}: no *.json there; run make verification")
    return sets


def used(sets):
    """The records of all sets. Of a test in a quick and in a full run the full one is used."""
    best = {}
    for each in sets:
        for record in each["tests"]:
            before = best.get(record["test"])
            if before and before["mode"] == record["mode"]:
                raise Problem(f"{each['name']}.json: {record['test']} is in {before['set']}.json, too")
            record["set"] = each["name"]
            if not before or record["mode"] == "full":
                best[record["test"]] = record
    return list(best.values())


def base_name(test):
    """Suite.Name of All/Suite.Name/parameter and of Suite/0.Name."""
    suite, _, name = test.partition(".")
    parts = [part for part in suite.split("/") if not part.isdigit()]
    return f"{parts[-1]}.{name.split('/')[0]}"


def block(record):
    """The key of a block of the page, which shows the records of one test and title."""
    return base_name(record["test"]), record["title"]


def badness(check):
    """Larger is worse; among checks of one bound."""
    measured, bound = check["measured"], check["bound"]
    if measured is None:  # not a number
        return float("inf")
    if check["relation"] == "between":
        return abs(measured - (bound[0] + bound[1]) / 2)
    return {"<": measured, ">": -measured, "within": abs(measured), "holds": -measured}[check["relation"]]


def merged_checks(records):
    """Checks that differ in the measured value only become one, with the worst value."""
    rows = {}
    for record in records:
        headlines = any(check.get("headline") for check in record["checks"])
        for i, check in enumerate(record["checks"]):
            key = (record["program"], block(record),
                   *(str(check[k]) for k in ("what", "against", "grid", "relation", "bound", "unit")),
                   check.get("reference"))
            row = rows.setdefault(key, {**check, "record": record, "count": 0, "headline": False,
                                        "passed": True})
            if badness(check) > badness(row):
                row.update({k: check[k] for k in ("measured", "value") if k in check})
            row["count"] += 1
            row["passed"] = row["passed"] and check["passed"]
            row["headline"] |= bool(check.get("headline")) or (i == 0 and not headlines)
    return list(rows.values())


def merged_tables(records):
    """Tables of one test, caption and head become one: of the parameters of a test."""
    tables = {}
    for record in records:
        for table in record["tables"]:
            columns = [c if isinstance(c, dict) else {"name": c, "format": "{}"} for c in table["columns"]]
            key = (block(record), table["caption"], str(columns))
            whole = tables.setdefault(key, {"caption": table["caption"], "columns": columns, "rows": [],
                                            "block": block(record)})
            whole["rows"] += table["rows"]
    return list(tables.values())


def merged_figures(records):
    """By id: a list of panels; those of one title are one panel."""
    figures = {}
    for record in records:
        for panel in record["figures"]:
            panels = figures.setdefault(panel["id"], {})
            whole = panels.setdefault(panel["title"], {**panel, "series": []})
            whole["series"] = whole["series"] + panel["series"]
    return {name: list(panels.values()) for name, panels in figures.items()}


def tests_of(folder):
    """Suite.Name of every test in the C++ sources, with its file; cuda ones need a GPU."""
    found = {}
    for path in sorted(glob.glob(os.path.join(folder, "**", "test_*.cpp"), recursive=True)):
        if os.path.basename(path) == "test_evidence.cpp":
            continue
        with open(path, encoding="utf-8") as file:
            tests = re.findall(r"^(?:TYPED_)?TEST(?:_[FP])?\(\s*(\w+),\s*(\w+)\)", file.read(), flags=re.M)
        found.update({f"{suite}.{name}": os.path.basename(path) for suite, name in tests if "cuda" not in name})
    return found


def unrecorded(records, folder):
    """One line for each test that only the sources or only the records have."""
    sources = tests_of(folder)
    recorded = {base_name(r["test"]) for r in records if r["command"].startswith("build/tests/")}
    missing = [f"{path}: {test} records nothing (evidence.hpp) or is not in the committed evidence; run make "
               "verification"
               for test, path in sources.items() if test not in recorded]
    stale = [f"the evidence has {test}, which no test in tests/verification is; run make verification"
             for test in sorted(recorded - set(sources))]
    return missing + stale
