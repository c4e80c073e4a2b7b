#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Runs blocks of Python one after the other in one namespace, statement by statement.

Reads one JSON string a line from stdin and answers each with one JSON string on the last file descriptor that it was
given: empty, or what went wrong. A statement with a comment "# lbm.SomeError: text" must raise that error, whose message
begins with the text.
"""

import ast
import json
import os
import re
import sys
import traceback

RAISES = re.compile(r"#\s*((?:lbm\.)?\w*(?:Error|Warning)): (.+)$")


def expected_error(lines, statement):
    match = RAISES.search(lines[statement.end_lineno - 1])
    return match.groups() if match else None


def run_statement(code, expected, names):
    try:
        exec(code, names)  # noqa: S102
    except Exception as error:
        if not expected:
            raise
        kind, text = expected
        if type(error).__name__ != kind.removeprefix("lbm.") or not str(error).startswith(text.strip()):
            return f"expected {kind}: {text}; found {type(error).__name__}: {error}"
        return ""
    return f"expected {expected[0]}, nothing was raised" if expected else ""


def run_block(text, names):
    lines = text.split("\n")
    for statement in ast.parse(text).body:
        code = compile(ast.Module([statement], []), "<block>", "exec")
        wrong = run_statement(code, expected_error(lines, statement), names)
        if wrong:
            return f"line {statement.lineno} of the block: {wrong}"
    return ""


def main():
    names = {"__name__": "__main__"}
    with os.fdopen(int(sys.argv[1]), "w") as answers:
        for line in sys.stdin:
            try:
                answer = run_block(json.loads(line), names)
            except BaseException:
                answer = traceback.format_exc(limit=-3)
            sys.stdout.flush()
            print(json.dumps(answer), file=answers, flush=True)


if __name__ == "__main__":
    main()
