#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Tests of cubic_cavity.py on profiles that are made up and therefore known."""

import contextlib
import importlib.util
import io
import json
import math
import os
import tempfile
import unittest

import cubic_cavity


def cell_centres(n):
    return [(i + 0.5) / n for i in range(n)]


def write_run(directory, n, u, w):
    """Profiles as `lbm run` writes them: along x and z, n cells each."""
    for axis in "xz":
        with open(os.path.join(directory, f"profile_{axis}.csv"), "w", encoding="utf-8") as file:
            file.write(f"# cubic_cavity: made up\n# units\n{axis},ux,uy,uz,density\n")
            for at in cell_centres(n):
                file.write(f"{at},{u(at)},0,{w(at)},1\n")


def dip(position, value):
    """A smooth profile with one minimum."""
    return lambda at: value * math.exp(-(((at - position) / 0.15) ** 2))


class Numbers(unittest.TestCase):
    def test_a_parabola_is_met_exactly(self):
        x = cell_centres(16)
        place, value = cubic_cavity.parabola_minimum((x, [3 * (a - 0.3) ** 2 - 0.7 for a in x]))
        self.assertAlmostEqual(place, 0.3, places=12)
        self.assertAlmostEqual(value, -0.7, places=12)

    def test_unevenly_spaced_neighbours(self):
        x = [0.0, 0.25, 0.75, 1.0]
        place, value = cubic_cavity.parabola_minimum((x, [2 * (a - 0.4) ** 2 - 1 for a in x]))
        self.assertAlmostEqual(place, 0.4, places=12)
        self.assertAlmostEqual(value, -1, places=12)

    def test_the_minimum_is_finer_than_the_grid(self):
        for n in (32, 64):
            x = cell_centres(n)
            _, value = cubic_cavity.parabola_minimum((x, [dip(0.31, -0.28)(a) for a in x]))
            self.assertLess(abs(value / -0.28 - 1), 30 / n**3)

    def test_a_cubic_is_met_exactly_up_to_the_walls(self):
        def cubic(a):
            return 1 - 2 * a + 5 * a**3

        x = cell_centres(8)
        profile = cubic_cavity.with_walls((x, [cubic(a) for a in x]), cubic(0), cubic(1))
        for at in (0.0, 0.01, 0.0625, 0.5, 0.77, 0.99, 1.0):
            self.assertAlmostEqual(cubic_cavity.interpolate(profile, at), cubic(at), places=12)

    def test_only_the_four_nearest_points_count(self):
        x = [float(i) for i in range(8)]
        spikes = [100.0, 100.0, 1.0, 1.0, 1.0, 1.0, 100.0, 100.0]
        self.assertAlmostEqual(cubic_cavity.interpolate((x, spikes), 3.5), 1)

    def test_second_order_is_called_so(self):
        coarse, fine = {"cells": 64, "e": -0.04}, {"cells": 128, "e": 0.01}
        self.assertAlmostEqual(cubic_cavity.order(coarse, fine, "e"), 2)
        self.assertIsNone(cubic_cavity.order(coarse, {"cells": 64, "e": 0.1}, "e"))

    def test_the_reference_is_consistent_with_its_extrema(self):
        reference = cubic_cavity.read_columns(cubic_cavity.REFERENCE)
        self.assertEqual(len(reference["z"]), 15)
        for column, extremum in (("u_centre", cubic_cavity.U_MIN), ("w_centre", cubic_cavity.W_MIN)):
            self.assertGreaterEqual(min(reference[column]), extremum)
            self.assertLess(min(reference[column]), 0.95 * extremum)


class Program(unittest.TestCase):
    def run_on(self, *runs, extra=()):
        """Status, standard output and error of the tool for runs given as (n, u, w)."""
        out, error = io.StringIO(), io.StringIO()
        with tempfile.TemporaryDirectory() as folder:
            directories = []
            for i, run in enumerate(runs):
                directories.append(os.path.join(folder, str(i)))
                os.mkdir(directories[-1])
                if run:
                    write_run(directories[-1], *run)
            with contextlib.redirect_stdout(out), contextlib.redirect_stderr(error):
                status = cubic_cavity.main([*directories, *(e.format(folder) for e in extra)])
            files = os.listdir(folder)
        return status, out.getvalue(), error.getvalue(), files

    def test_table_from_coarse_to_fine(self):
        fine = (128, dip(0.3, 1.01 * cubic_cavity.U_MIN), dip(0.8, 0.99 * cubic_cavity.W_MIN))
        coarse = (64, dip(0.3, 1.04 * cubic_cavity.U_MIN), dip(0.8, 0.96 * cubic_cavity.W_MIN))
        status, out, _, _ = self.run_on(fine, coarse)
        rows = [[cell.strip() for cell in line.split("|")[1:-1]] for line in out.splitlines()]
        self.assertEqual(status, 0)
        self.assertEqual([row[0] for row in rows], ["cells", "---", "64^3", "128^3", "reference"])
        self.assertEqual({len(row) for row in rows}, {8})
        for row, u, w in ((rows[2], 4, -4), (rows[3], 1, -1)):
            self.assertAlmostEqual(float(row[2].rstrip(" %")), u, delta=0.03)
            self.assertAlmostEqual(float(row[5].rstrip(" %")), w, delta=0.03)
        self.assertEqual((rows[2][3], rows[3][3]), ("", "2.0"))

    def test_u_and_w_are_not_mixed_up(self):
        run = (64, dip(0.3, cubic_cavity.U_MIN), lambda at: 0.1)
        _, out, _, _ = self.run_on(run)
        self.assertIn("-0.280", out.splitlines()[2].split("|")[2])

    def test_deviation_from_the_table(self):
        reference = cubic_cavity.read_columns(cubic_cavity.REFERENCE)
        profile = ([0.0, *reference["z"], 1.0], [0.0, *reference["u_centre"], 1.0])
        args = (profile, reference["z"], reference["u_centre"])
        self.assertAlmostEqual(cubic_cavity.largest_deviation(*args), 0, places=12)
        moved = [u + 0.02 * (at == 0.5) for at, u in zip(reference["z"], reference["u_centre"])]
        self.assertAlmostEqual(
            cubic_cavity.largest_deviation(profile, reference["z"], moved), 0.02, places=12)

    def test_a_folder_without_profiles_is_one_clear_line(self):
        status, out, error, _ = self.run_on(None)
        self.assertEqual((status, out), (2, ""))
        self.assertRegex(error, r"^cubic_cavity.py: .*profile_z.csv: .*output.profiles.*\n$")

    def test_a_diverged_run_is_named(self):
        status, _, error, _ = self.run_on((8, lambda at: math.nan if at > 0.9 else at, lambda at: 0))
        self.assertEqual(status, 2)
        self.assertIn("not finite", error)

    def evidence_of(self, share):
        """Status, errors and record of runs whose extrema are `share` of the reference."""
        runs = [(n, dip(0.3, share * cubic_cavity.U_MIN), dip(0.8, share * cubic_cavity.W_MIN))
                for n in (96, 128)]
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "records")
            status, _, error, _ = self.run_on(*runs, extra=("--evidence", path))
            with open(os.path.join(path, "CubicCavity.Re1000.json"), encoding="utf-8") as file:
                return status, error, json.load(file)

    def test_evidence_asserts_the_bounds(self):
        # The made-up profiles are far off the tables, so that only the extrema are looked at.
        for share, u_96, u_128 in ((1.005, True, True), (1.015, True, False), (1.03, False, False)):
            status, error, record = self.evidence_of(share)
            met = {c["grid"]: c["passed"] for c in record["checks"] if c["what"] == "u_min"}
            self.assertEqual(met, {"96^3": u_96, "128^3": u_128})
            self.assertEqual((status, record["passed"]), (1, False))
            self.assertIn("128^3: largest deviation of u", error)
        self.assertEqual(len(record["tables"][0]["rows"]), 3)
        self.assertEqual([len(panel["series"]) for panel in record["figures"]], [3, 3])

    @unittest.skipUnless(importlib.util.find_spec("matplotlib"), "no matplotlib")
    def test_figure(self):
        run = (16, dip(0.3, -0.28), dip(0.8, -0.43))
        _, _, _, files = self.run_on(run, extra=("--figure", "{}/profiles.png"))
        self.assertIn("profiles.png", files)


if __name__ == "__main__":
    unittest.main()
