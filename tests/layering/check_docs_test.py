#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Names what there is not, on a page of its own, and expects check_docs to see it."""

import os
import tempfile
import unittest

import check_docs

FILES = {
    "Makefile": "",
    "solver/core/error.hpp": "class Error {\n  void say_it();\n};\nenum class Kind { a };\nusing Plane = int;\n",
    "solver/core/error_list.cpp": 'write("report.json");\n',
    "tests/test_error.cpp": "TEST(Error, SaysIt) {}\nTEST_F(\n    Errors, AreMany) {}\n",
    "python/lbm/run.py": "class Run:\n    pass\n",
}
GOOD = ("solver", "solver/core/", "solver/core/error.hpp", "solver/core/*.hpp", "solver/core/error_*.cpp", "python/lbm/run.py",
        "error.hpp", "error_*.cpp", "report.json", "Makefile", "Error", "Kind", "Plane", "Run", "Error::say_it", "Error::say_it()",
        "say_it", "say_it()", "Error.SaysIt", "Errors.AreMany", "cases -> {tiling, io}", "lbm plan", "--restart", "HDF5", "fluid.viscosity", "k", "3/4 * x")
BAD = ("solver/gone", "solver/core/gone.hpp", "solver/gone/error.hpp", "solver/core/gone_*.hpp", "gone.hpp", "gone_*.cpp", "gone.json",
       "Gone", "Gone::say_it", "Error::gone", "Error.Gone", "gone_function", "gone_function()", "attic/error.hpp")


class Docs(unittest.TestCase):
    def found(self, page):
        with tempfile.TemporaryDirectory() as root:
            for path, text in {**FILES, "docs/page.md": page}.items():
                full = os.path.join(root, path)
                os.makedirs(os.path.dirname(full), exist_ok=True)
                with open(full, "w", encoding="utf-8") as file:
                    file.write(text)
            return check_docs.problems(root, ["docs/page.md"])

    def test_what_there_is(self):
        self.assertEqual(self.found("".join(f"a `{name}`\n" for name in GOOD)), ([], len(GOOD)))

    def test_what_there_is_not(self):
        for name in BAD:
            found, _ = self.found(f"text\n| `Error`, `{name}` | `Kind` |\n")
            self.assertEqual(len(found), 1, f"{name}: {found}")
            self.assertTrue(found[0].startswith(f"docs/page.md:2: `{name}`: "), found)

    def test_blocks_are_not_looked_at(self):
        self.assertEqual(self.found("```sh\nls `gone/away`\n```\n`solver`\n"), ([], 1))


if __name__ == "__main__":
    unittest.main()
