#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Tests drag.py and taylor_green_transition.py on made-up results."""

import contextlib
import io
import json
import os
import sys
import tempfile
import unittest

sys.dont_write_bytecode = True
import drag  # noqa: E402
import taylor_green_transition as transition  # noqa: E402


def write(directory, name, text):
    with open(os.path.join(directory, name), "w", encoding="utf-8") as file:
        file.write(text)


def quiet(function, *arguments):
    """Exit code and what was said on stderr."""
    out, err = io.StringIO(), io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        code = function(*arguments)
    return code, err.getvalue()


class Results(unittest.TestCase):
    def setUp(self):
        self.scratch = tempfile.TemporaryDirectory()
        self.addCleanup(self.scratch.cleanup)
        self.directory = self.scratch.name

    def evidence(self):
        folder = os.path.join(self.directory, "evidence")
        with open(os.path.join(folder, os.listdir(folder)[0]), encoding="utf-8") as file:
            return json.load(file)


class Drag(Results):
    def sphere(self, values, reynolds=20, case="flow_past_sphere"):
        write(self.directory, "report.json", json.dumps({
            "case": case, "cells": [72, 72, 120], "storage": "fp32", "bodies": [{"name": "ball"}],
            "units": {"reynolds": reynolds, "cells_per_length": 12}}))
        lines = [f"{i},{0.1 * i},0,{value}" for i, value in enumerate(values)]
        write(self.directory, "forces_ball.csv", "# made up\nstep,time,cx,cz\n" + "\n".join(lines) + "\n")
        return self.directory

    def run_tool(self, *more):
        return quiet(drag.main, [self.directory, *more])

    def test_takes_the_mean_of_the_end(self):
        self.sphere([9.0] * 100 + [2.735 + 0.5 * (-1) ** i for i in range(20)])
        self.assertEqual(self.run_tool("--evidence", os.path.join(self.directory, "evidence")), (0, ""))
        check = self.evidence()["checks"][0]
        self.assertAlmostEqual(check["value"], 2.735, places=9)
        self.assertTrue(check["passed"])

    def test_fails_beyond_the_bound(self):
        self.sphere([2.735 * 1.021] * 50)
        self.assertEqual(self.run_tool()[0], 1)

    def test_says_what_it_cannot_compare(self):
        self.sphere([2.7] * 50, reynolds=35)
        code, said = self.run_tool()
        self.assertEqual(code, 2)
        self.assertIn("no reference for flow_past_sphere at Re 35", said)
        self.sphere([2.7] * 10)
        self.assertIn("convective times", self.run_tool()[1])
        os.remove(os.path.join(self.directory, "report.json"))
        self.assertIn("report.json", self.run_tool()[1])


class Transition(Results):
    def vortex(self, scale=1.0, shift=0.0):
        reference = transition.columns(transition.REFERENCE)
        times = [0.1 * i for i in range(1, 120)]
        energies = [scale * transition.interpolate(max(0.0, t - shift), reference["t"], reference["energy"])
                    for t in times]
        write(self.directory, "report.json", json.dumps({"cells": [64, 64, 64], "storage": "fp32"}))
        write(self.directory, "monitor.csv", "# made up\nstep,time,kinetic_energy\n" + "".join(
            f"{i},{t},{e}\n" for i, (t, e) in enumerate(zip(times, energies))))

    def run_tool(self, *more):
        return quiet(transition.main, [self.directory, *more])

    def test_the_reference_itself_passes(self):
        self.vortex()
        self.assertEqual(self.run_tool("--evidence", os.path.join(self.directory, "evidence")), (0, ""))
        record = self.evidence()
        self.assertLess(record["checks"][0]["measured"], 0.2)
        self.assertEqual([len(p["series"]) for p in record["figures"]], [2, 2])

    def test_less_energy_fails(self):
        self.vortex(scale=0.97)
        self.assertEqual(self.run_tool()[0], 1)

    def test_a_late_transition_fails(self):
        self.vortex(shift=0.5)
        self.assertEqual(self.run_tool()[0], 1)

    def test_a_missing_monitor_is_named(self):
        self.vortex()
        os.remove(os.path.join(self.directory, "monitor.csv"))
        code, said = self.run_tool()
        self.assertEqual(code, 2)
        self.assertIn("monitor.csv", said)


if __name__ == "__main__":
    unittest.main()
