#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Tests of docs/lab/verification.py on evidence that is made up and therefore known."""

import contextlib
import importlib.util
import io
import json
import os
import sys
import tempfile
import unittest

from record import Record

ROOT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "..")
spec = importlib.util.spec_from_file_location("verification", os.path.join(ROOT, "docs", "lab", "verification.py"))
verification = importlib.util.module_from_spec(spec)
spec.loader.exec_module(verification)

PAGE = "# Page\n\n{{evidence}}\n\n{{summary}}\n\n{{section test_flow}}\n"
SECTION = "## Flows, and more\n\nProse: {{measured Flow.Falls: error}}.\n"
SOURCE = 'TEST(Flow, Falls) {\n  Evidence evidence("a", "b");\n}\nTEST(Flow, Has_cuda) {}\n'


def flow(error=0.01, test="Flow.Falls", mode="quick", program="test_flow"):
    record = Record(program, test, "a flow", "a paper", "build/tests/test_flow --gtest_filter=" + test, mode)
    record.check("32 cells", "error", below=error, bound=0.02)
    return record


class Case(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.at = lambda *names: os.path.join(folder.name, *names)
        for name in ("evidence", "tests", "figures"):
            os.mkdir(self.at(name))
        self.write(self.at("evidence", "page.md"), PAGE)
        self.write(self.at("evidence", "test_flow.md"), SECTION)
        self.write(self.at("tests", "test_flow.cpp"), SOURCE)

    def write(self, path, text):
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)

    def run_script(self, *arguments):
        """Status and what was printed as errors."""
        out, error = io.StringIO(), io.StringIO()
        with contextlib.redirect_stdout(out), contextlib.redirect_stderr(error):
            status = verification.main(["--evidence", self.at("evidence"), "--page", self.at("page.md"),
                                        "--tests", self.at("tests"), "--no-figures", *arguments])
        return status, error.getvalue()

    def collect(self, *records, name="cpu", arguments=()):
        folder = tempfile.mkdtemp(dir=self.at())
        for record in records:
            record.write(folder)
        return self.run_script("collect", folder, self.at("evidence", name + ".json"), "--commit", "abc",
                               *arguments)

    def page(self, *records, **options):
        """The page of these records, and the problems of the check."""
        self.collect(*records, **options)
        self.run_script()
        with open(self.at("page.md"), encoding="utf-8") as file:
            return file.read(), self.run_script("check")

    def test_a_page_that_fits(self):
        text, (status, problems) = self.page(flow())
        self.assertEqual((status, problems), (0, ""))
        self.assertIn("| [a flow](#flows-and-more): error | a paper | 32 cells | 0.0100 | < 0.02 |", text)
        self.assertIn("Prose: 0.0100.", text)
        self.assertIn("\nbuild/tests/test_flow\n", text)
        self.assertIn("| 1, quick | abc |", text)

    def test_the_worst_of_many_is_shown_once(self):
        records = [flow(e, f"All/Flow.Falls/{i}") for i, e in enumerate((0.011, 0.013, 0.012))]
        text, (status, _) = self.page(*records)
        self.assertEqual(status, 0)
        self.assertEqual(text.count("0.0130 | < 0.02"), 2)  # summary and section
        self.assertNotIn("0.0110", text)

    def test_signs_and_references(self):
        record = flow()
        record.check("32 cells", "drag", matches=(5.7, 6), bound=0.1)
        for value in (0.3, -0.4, 0.1):
            record.check("32 cells", "lift", within=value, bound=1, unit="N")
        record.check("32 cells", "period", between=0.3, bound=(0.2, 0.4))
        text, _ = self.page(record)
        self.assertIn("| 5.7 for 6 (-5.00 %) | ± 10 % |", text)
        self.assertIn("| -0.400 N | ± 1 N |", text)
        self.assertIn("| 0.300 | 0.2 to 0.4 |", text)

    def test_tables_are_formatted(self):
        record = flow()
        record.table("errors", ["cells", ("L2", "{:.1e}"), ("flux", "{:+.1f} %")], [[8, 2e-5, 3], ["9^3", None, -1]])
        text, _ = self.page(record)
        self.assertIn("| cells | L2 | flux |\n|---|---|---|\n| 8 | 2.0e-5 | +3.0 % |\n| 9^3 |  | -1.0 % |", text)

    def test_a_changed_page_is_noticed(self):
        self.page(flow())
        with open(self.at("page.md"), "a", encoding="utf-8") as file:
            file.write("By hand.\n")
        status, problems = self.run_script("check")
        self.assertEqual(status, 1)
        self.assertIn("is not what docs/lab/verification.py makes", problems)

    def test_failures_are_on_the_page_and_fail_the_check(self):
        text, (status, problems) = self.page(flow(0.03))
        self.assertIn("**0.0300, FAILED**", text)
        self.assertEqual(status, 1)
        self.assertIn("cpu.json: Flow.Falls failed", problems)

    def test_not_a_number_fails_and_is_the_worst(self):
        record = flow()
        self.assertFalse(record.check("32 cells", "error", below=float("nan"), bound=0.02))
        text, (status, _) = self.page(record)
        self.assertIn("**not a number, FAILED**", text)
        self.assertEqual(status, 1)

    def test_placeholders_must_stand_for_something(self):
        self.write(self.at("evidence", "test_flow.md"), "## F\n{{table none}} {{measured Flow.Falls: x}} {{what}}\n")
        _, (status, problems) = self.page(flow())
        self.assertEqual(status, 1)
        for each in ("{{table none}}", "{{measured Flow.Falls: x}}", "{{what}}"):
            self.assertIn(f"test_flow.md: {each} stands for nothing", problems)

    def test_every_test_and_program_has_its_place(self):
        self.write(self.at("tests", "test_more.cpp"), SOURCE.replace("Flow", "More"))
        _, (status, problems) = self.page(flow(), flow(test="Gone.Gone", program="test_gone"))
        self.assertEqual(status, 1)
        self.assertIn("test_more.cpp: More.Falls records nothing", problems)
        self.assertNotIn("cuda", problems)
        self.assertIn("Gone.Gone, which no test", problems)
        self.assertIn("test_gone.md: missing", problems)
        self.assertIn("page.md: has no {{section test_gone}}", problems)

    def test_full_runs_are_preferred(self):
        self.collect(flow(0.012, mode="full"), flow(0.015, "Flow.Quick"), name="cpu_full", arguments=["--full"])
        text, (status, _) = self.page(flow(0.011))
        self.assertEqual(status, 0)
        self.assertIn("0.0120", text)
        self.assertNotIn("0.0110", text)
        self.assertNotIn("0.0150", text)
        self.assertIn("LBM_VERIFICATION=full build/tests/test_flow", text)

    def test_figures_must_be_there(self):
        record = flow()
        record.curve("errors", "a panel", "x", "y", "u, table", [0, 1], [1, 2], style="points")
        text, (status, problems) = self.page(record)
        self.assertIn("![a panel](figures/verification_errors.png)", text)
        self.assertEqual(status, 1)
        self.assertIn("verification_errors.png: missing", problems)
        self.write(self.at("figures", "verification_errors.png"), "")
        self.assertEqual(self.run_script("check"), (0, ""))

    def test_files_that_are_no_evidence(self):
        for text in ("{", '{"commit": ""}', json.dumps({k: "" for k in ("commit", "date", "machine", "compiler")}
                                                       | {"tests": [{"test": "Flow.Falls"}]})):
            self.write(self.at("evidence", "cpu.json"), text)
            status, problems = self.run_script()
            self.assertEqual((status, problems.count("\n")), (2, 1))
            self.assertIn("cpu.json", problems)
        status, problems = self.run_script("collect", self.at("figures"), self.at("evidence", "x.json"))
        self.assertEqual(status, 2)
        self.assertIn("no records", problems)

    @unittest.skipUnless(importlib.util.find_spec("matplotlib"), "no matplotlib")
    def test_figures_are_drawn(self):
        sys.path.insert(0, os.path.join(ROOT, "docs", "lab", "verification"))
        import figures
        panel = {"id": "a", "title": "t", "x_label": "x", "y_label": "y", "log_x": True, "log_y": True, "series": [
            {"name": "n", "style": "line", "kind": "computed", "x": [1, 2], "y": [1, 2]}]}
        with contextlib.redirect_stdout(io.StringIO()):
            figures.draw({"a": [panel, panel]}, self.at("figures"))
        self.assertTrue(os.path.isfile(self.at("figures", "verification_a.png")))


if __name__ == "__main__":
    unittest.main()
