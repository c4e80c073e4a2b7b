#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Tests that flow_sanity.py finds each kind of nonsense, and nothing in a smooth flow, on made-up fields."""

import pathlib
import sys
import tempfile
import unittest

import numpy as np

sys.dont_write_bytecode = True
import flow_sanity as sanity  # noqa: E402

SHAPE = (12, 10, 16)
ALL = np.ones(SHAPE, dtype=bool)
Z, Y, X = np.indices(SHAPE)


def stream(speed=0.05):
    """A duct flow along z, in cells per step."""
    u = np.zeros((*SHAPE, 3))
    u[..., 2] = speed * np.sin(np.pi * (X + 0.5) / SHAPE[2]) * np.sin(np.pi * (Y + 0.5) / SHAPE[1])
    return u


def case(**more):
    faces = {f"{axis}_{side}": {"type": "wall", "velocity": [0, 0, 0]} for axis in "xyz" for side in ("min", "max")}
    return {"boundaries": faces, "initial": {"flow": "rest"}} | more


def tunnel():
    c = case(bodies={"ball": {"shape": "sphere"}})
    c["boundaries"]["z_min"] = {"type": "velocity", "velocity": [0, 0, 1]}
    c["boundaries"]["z_max"] = {"type": "outflow", "pressure": 0}
    return c


class Fields(unittest.TestCase):
    def test_a_smooth_flow_passes(self):
        u, rho = stream(), np.ones(SHAPE)
        self.assertEqual(sanity.field_values(rho, u, ALL), [])
        self.assertEqual(sanity.checkerboard(u, ALL), [])

    def test_what_is_not_finite_is_found(self):
        u = stream()
        u[3, 3, 3, 0] = np.nan
        self.assertEqual(sanity.field_values(np.ones(SHAPE), u, ALL), ["the fields are not finite"])
        self.assertEqual(sanity.not_finite({"a": [1.0, {"b": float("inf")}], "c": None}), ["report.a[1].b is inf"])

    def test_a_cell_of_a_body_does_not_count(self):
        rho, fluid = np.ones(SHAPE), ALL.copy()
        rho[5, 5, 5], fluid[5, 5, 5] = np.nan, False
        self.assertEqual(sanity.field_values(rho, stream(), fluid), [])

    def test_densities_and_speeds_out_of_range_are_found(self):
        rho = np.ones(SHAPE)
        rho[0, 0, 0] = 0.7
        self.assertEqual(len(sanity.field_values(rho, stream(), ALL)), 1)
        self.assertEqual(len(sanity.field_values(np.ones(SHAPE), stream(0.4), ALL)), 1)

    def test_a_wave_of_two_cells_is_found_along_each_axis(self):
        for along, name in ((X, "x"), (Y, "y"), (Z, "z")):
            u = stream()
            u[..., 0] += 0.03 * (-1.0) ** along
            found = sanity.checkerboard(u, ALL)
            self.assertEqual(len(found), 1, found)
            self.assertIn(f"along {name}", found[0])

    def test_waves_of_four_cells_and_faint_ones_of_two_pass(self):
        u = stream()
        u[..., 0] += 0.03 * np.cos(np.pi / 2 * X) + 0.001 * (-1.0) ** Y
        self.assertEqual(sanity.checkerboard(u, ALL), [])


class Physics(unittest.TestCase):
    def test_a_closed_box_that_loses_mass_is_found(self):
        report, rho = {"storage": "fp32"}, np.full(SHAPE, 1.001)
        self.assertEqual(len(sanity.mass_of_closed_box(case(), report, rho, ALL)), 1)
        self.assertEqual(sanity.mass_of_closed_box(case(), report, np.ones(SHAPE), ALL), [])
        self.assertEqual(sanity.mass_of_closed_box(tunnel(), report, rho, ALL), [])

    def drag(self, fz, setting):
        with tempfile.TemporaryDirectory() as name:
            folder = pathlib.Path(name)
            rows = "".join(f"{i},0,0,{fz}\n" for i in range(20))
            (folder / "forces_ball.csv").write_text("# forces\nstep,fx,fy,fz\n" + rows)
            return sanity.sign_of_drag(setting, folder, 10)

    def test_a_body_that_is_pushed_upstream_is_found(self):
        self.assertEqual(len(self.drag(-0.1, tunnel())), 1)
        self.assertEqual(self.drag(0.1, tunnel()), [])

    def test_the_stream_of_two_drives_has_no_direction(self):
        both = tunnel() | {"force": {"acceleration": [0, 0, 1]}}
        self.assertEqual(self.drag(-0.1, both), [])

    def test_a_flow_faster_than_its_drive_is_found(self):
        lid = case()
        lid["boundaries"]["z_max"]["velocity"] = [1, 0, 0]
        self.assertEqual(sanity.speed_of_drive(lid, stream(0.05), ALL, 0.05, 0), [])
        self.assertEqual(len(sanity.speed_of_drive(lid, stream(0.2), ALL, 0.05, 0)), 1)
        self.assertEqual(len(sanity.speed_of_drive(case(), stream(0.05), ALL, 0.05, 0)), 1)

    def test_numbers_of_the_report_that_are_not_those_of_the_fields_are_found(self):
        u, rho = stream(), np.ones(SHAPE)
        fastest = np.linalg.norm(u, axis=-1).max() / 0.05
        last = {"step": 9, "speed_max": fastest, "density_min": 1.0, "density_max": 1.0}
        self.assertEqual(sanity.report_agrees({"last_look": last, "steps": 9}, rho, u, ALL, 0.05), [])
        wrong = last | {"speed_max": 1.1 * fastest, "density_max": 1.1}
        self.assertEqual(len(sanity.report_agrees({"last_look": wrong, "steps": 9}, rho, u, ALL, 0.05)), 2)

    def test_another_flow_is_found(self):
        self.assertEqual(sanity.differs(stream(), ALL, 1.1 * stream(), 0.05), [])
        self.assertEqual(len(sanity.differs(stream(), ALL, 2 * stream(), 0.05)), 1)


class Remedies(unittest.TestCase):
    def test_each_is_read(self):
        self.assertEqual(sanity.remedies("take lattice.collision: trt or regularised_filtered, or a grid 1.3 times finer", 0.1),
                         [["lattice.collision=trt"], ["lattice.collision=regularised_filtered"], ("finer", 1.3)])
        self.assertEqual(sanity.remedies("at Mach 0.38, above 0.2: use a smaller fluid.lattice_velocity", 0.1),
                         [["fluid.lattice_velocity=0.05"]])
        self.assertEqual(sanity.remedies("x.yaml:3: force.acceleration: it may drive the flow up to Mach 0.6: make it 2.1 times "
                                         "smaller, or lower fluid.lattice_velocity to 0.02", 0.1),
                         [["fluid.lattice_velocity=0.02"], ("smaller", "force.acceleration", 2.1)])
        self.assertEqual(sanity.remedies("all is well", 0.1), [])


if __name__ == "__main__":
    unittest.main()
