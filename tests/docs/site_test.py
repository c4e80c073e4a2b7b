#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The tools of docs/site on small inputs with mistakes."""

import os
import sys
import tempfile
import unittest

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "..", "..", "docs", "site"))
import check_site  # noqa: E402
import doxygen_filter  # noqa: E402
import plain_docstrings  # noqa: E402


class Links(unittest.TestCase):
    def problems(self, body):
        with tempfile.TemporaryDirectory() as folder:
            os.mkdir(os.path.join(folder, "docs"))
            for name, text in {"searchindex.js": "", "docs/a.html": body, "docs/b.html": '<h1 id="top">b</h1><p id="x"><p id="x">'}.items():
                with open(os.path.join(folder, name), "w", encoding="utf-8") as file:
                    file.write(text)
            return check_site.problems(folder)

    def test_good(self):
        found, outside, inside, pages = self.problems(
            '<a href="b.html#top">b</a><a href="#here" id="here">h</a><img src="data:image/png;base64,AA"><a href="https://example.org/x?y#z">e</a>')
        self.assertEqual((found, outside, inside, pages), ([], {"https://example.org/x?y#z"}, 2, 2))

    def test_bad(self):
        for body in ('<a href="c.html">', '<a href="b.html#gone">', '<a href="b.html#x">', '<a href="#gone">', '<a href="../../x.html">', '<img src="x.png">',
                     '<script src="https://example.org/x.js"></script>', '<link rel="stylesheet" href="//example.org/x.css">',
                     '<a href="https://nowhere">', '<a href="htps://example.org">', '<a href="https://example.org/a b">'):
            self.assertEqual(len(self.problems(body)[0]), 1, body)


class Comments(unittest.TestCase):
    def test_filter(self):
        lines = ["// Head,", "// two lines.", "#pragma once", "// Above <T>.", "int a = 1;  // behind", "            // goes on", "// Next.", "int b;"]
        self.assertEqual(list(doxygen_filter.filtered(lines)), [
            "//! \\file\n//! Head,", "//! two lines.", "#pragma once", "/// Above \\<T>.", "int a = 1;  ///< behind", "            ///< goes on",
            "/// Next.", "int b;"])

    def test_docstrings(self):
        lines = ["What a_ does: `f(*x)`.", "", "Args:", "    x: first,", "        still x.", "    y, z: both.", "", "Raises: an Error."]
        self.assertEqual([line for line in plain_docstrings.converted(lines) if line], [
            "What a\\_ does: ``f(*x)``\\ .", "Args:", "- **x**: first, still x.", "- **y, z**: both.", "Raises: an Error."])


if __name__ == "__main__":
    unittest.main()
