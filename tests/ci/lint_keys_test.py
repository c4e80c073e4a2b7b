#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""A file that passed clang-tidy is looked at again when, and only when, something that it includes has changed."""

import json
import os
import subprocess
import sys
import tempfile
import unittest

SCRIPT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", ".ci", "lint_keys.py")
FILES = {
    "io/deep.hpp": "int deep();\n",
    "io/a.hpp": '#include "io/deep.hpp"\n',
    "io/a.cpp": '#include "io/a.hpp"\n#include <vector>\n',
    "io/b.cpp": "int b();\n",
    "tests/t.cpp": "int t();\n",
}


class LintKeys(unittest.TestCase):
    def keys(self, changed=None, common="checks", flags="-O3"):
        """Keys by file, of a small tree with the changed files laid over it."""
        with tempfile.TemporaryDirectory() as root:
            for path, text in {**FILES, **(changed or {})}.items():
                full = os.path.join(root, path)
                os.makedirs(os.path.dirname(full), exist_ok=True)
                with open(full, "w", encoding="utf-8") as file:
                    file.write(text)
            database = [{"directory": root, "file": f"{root}/{path}", "command": f"g++ {flags} -I{root} -c {root}/{path}"}
                        for path in FILES if path.endswith(".cpp")]
            with open(os.path.join(root, "db.json"), "w", encoding="utf-8") as file:
                json.dump(database, file)
            output = subprocess.run([sys.executable, "-B", SCRIPT, "db.json", common, "io"], cwd=root, check=True,
                                    capture_output=True, text=True).stdout
        return {path: key for key, path in map(str.split, output.splitlines())}

    def changed(self, **how):
        before, after = self.keys(), self.keys(**how)
        return {path for path in before if before[path] != after.get(path)}

    def test_the_sources_of_the_folders_are_listed(self):
        self.assertEqual(set(self.keys()), {"io/a.cpp", "io/b.cpp"})

    def test_another_clone_has_the_same_keys(self):
        self.assertEqual(self.changed(), set())

    def test_a_change_counts_where_it_is_included(self):
        self.assertEqual(self.changed(changed={"io/b.cpp": "int c();\n"}), {"io/b.cpp"})
        self.assertEqual(self.changed(changed={"io/deep.hpp": "int other();\n"}), {"io/a.cpp"})
        self.assertEqual(self.changed(changed={"io/new.hpp": ""}), set())

    def test_checks_and_flags_count_for_all(self):
        self.assertEqual(self.changed(common="more checks"), {"io/a.cpp", "io/b.cpp"})
        self.assertEqual(self.changed(flags="-O1"), {"io/a.cpp", "io/b.cpp"})


if __name__ == "__main__":
    unittest.main()
