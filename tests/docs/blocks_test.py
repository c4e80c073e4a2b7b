#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Pages with mistakes: each must be seen."""

import os
import subprocess
import sys
import tempfile
import unittest

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, HERE)
import blocks  # noqa: E402
import compare  # noqa: E402


def found(text):
    return blocks.blocks_of_markdown(text, "page.md")


class Marks(unittest.TestCase):
    def test_languages_and_lines(self):
        page = "# T\n\n```sh\ntrue\n```\n\ntext\n\n    lbm run x.yaml\n\ntext\n\n    rho = sum\n\n```yaml\na: 1\n```\n1. item\n\n   ```python\n   a = 1\n   ```\n"
        self.assertEqual([(b.line, b.language, b.text) for b in found(page)],
                         [(3, "sh", "true"), (9, "sh", "lbm run x.yaml"), (20, "python", "a = 1")])

    def test_placeholders_are_no_commands(self):
        self.assertEqual(found("a\n\n    lbm run CASE [options]\n\n    lbm bench [--quick]\n"), [])

    def test_marks(self):
        page = "<!-- test: slow -->\n<!-- test: first: echo a -->\n```sh\ntrue\n```\n\n<!-- test: not run: a GPU, two -->\n```sh\nfalse\n```\n"
        slow, skipped = found(page)
        self.assertEqual((slow.slow, slow.first, skipped.not_run), (True, ("echo a",), "a GPU, two"))

    def test_wrong_marks(self):
        for page in ("<!-- test: not run -->\n```sh\n```\n", "<!-- test: not run: tired -->\n```sh\n```\n", "<!-- test: slow -->\ntext\n",
                     "<!-- test: slow -->\n```yaml\n```\n", "```\nls\n```\n", "```sh\nls\n", "<!-- test: output -->\n```text\n```\n",
                     "<!-- test: quickly: b -> c -->\n```sh\na\n```\n"):
            with self.assertRaises(blocks.PageError, msg=page):
                found(page)

    def test_console(self):
        (block,) = found("```console\n$ a \\\n  b\n1\n$ c\n```\n")
        self.assertEqual(blocks.commands_of(block), [("a \\\n  b", "1"), ("c", "")])


class Compare(unittest.TestCase):
    def test_numbers_may_differ(self):
        shown = "device: A100\n 5 of 5 steps in 1.5 s: 31 MLUPS, 2.7 MiB\n"
        self.assertIsNone(compare.difference(shown, "device: CPU, 2 threads\n36 %  step 1 of 5  5 MLUPS\n5 of 5 steps in 2.1 min: 4e-7 MLUPS, 311 KiB\n"))

    def test_words_may_not(self):
        for printed in ("", "a 1\nc 2\n", "a 1\n", "b 2\na 1\n", "a 1\nx\nb 2\n"):
            self.assertIsNotNone(compare.difference("a 1\nb 2", printed), printed)
        self.assertIsNone(compare.difference("a 1\n...\nb ... end", "a 1\nx\ny\nb 2 the end\n"))


class Run(unittest.TestCase):
    """Whole runs, with a build that holds nothing."""

    def run_page(self, page, *options):
        with tempfile.TemporaryDirectory() as root:
            for folder in ("docs", "cases", "build"):
                os.mkdir(os.path.join(root, folder))
            with open(os.path.join(root, "docs", "page.md"), "w", encoding="utf-8") as file:
                file.write(page)
            done = subprocess.run([sys.executable, "-B", os.path.join(HERE, "run_blocks.py"), root, os.path.join(root, "build"),
                                   *options, "docs/page.md"], capture_output=True, text=True, check=False)
        return done.returncode, done.stdout + done.stderr

    def test_good(self):
        page = ("```sh\necho x > file\n```\n```console\n$ cat file; (exit 3) || echo \"code $?\"\nx\ncode 3\n```\n"
                "```python\nt = open('file').read()\nint('x')  # ValueError: invalid literal\n```\n```python\nprint(t, 5)\n```\n\n<!-- test: output -->\n```text\nx\n 7\n```\n")
        code, printed = self.run_page(page)
        self.assertEqual((code, "4 blocks run, 0 not run, 0 failed" in printed), (0, True), printed)

    def test_bad(self):
        for page in ("```sh\nfalse\necho x\n```\n", "```sh\nfalse | cat\n```\n", "```console\n$ echo a\nb\n```\n", "```python\nx\n```\n",
                     "```python\nint('5')  # ValueError: invalid\n```\n", "```python\nint('x')  # ValueError: other\n```\n",
                     "```python\nprint(1)\n```\n<!-- test: output -->\n```text\na\n```\n", "```sh\nmake build\n```\n", "```sh\nsudo true\n```\n",
                     "<!-- test: first: false -->\n```sh\ntrue\n```\n", "```\nx\n```\n"):
            code, printed = self.run_page(page)
            self.assertEqual((code, "1 failed" in printed), (1, True), f"{page}\n{printed}")

    def test_slow_blocks(self):
        page = "```sh\ntrue\n```\n<!-- test: slow -->\n```sh\nfalse\n```\n"
        self.assertEqual(self.run_page(page)[0], 0)
        self.assertEqual(self.run_page(page, "--slow")[0], 1)

    def test_write(self):
        page = "```console\n$ echo a\nb\n```\n"
        code, printed = self.run_page(page, "--write")
        self.assertEqual(code, 0, printed)


if __name__ == "__main__":
    unittest.main()
