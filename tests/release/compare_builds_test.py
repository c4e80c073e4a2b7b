#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Tests that compare_builds.py and its parts see a difference, and none where there is none, on made-up results."""

import contextlib
import io
import importlib.util
import json
import os
import struct
import sys
import tempfile
import unittest
from unittest import mock

sys.dont_write_bytecode = True
import case_runs  # noqa: E402
import compare_builds  # noqa: E402
import hdf5_chunks  # noqa: E402
import result_directories  # noqa: E402

REPORT = {"case": "box", "steps": 60, "seconds": 1.5, "mlups": 10, "mlups_of_stored_cells": 10, "checkpoints": {"count": 2, "seconds": 0.1},
          "stage_share_of_time": {"update": 0.9}, "last_look": {"mass": 0.5}, "warnings": ["old words"],
          "bodies": [{"name": "ball", "force": [1, 2, 3]}], "scheme_reason": "fits"}


def changed(**values):
    return json.loads(json.dumps(REPORT)) | values


def report_lines(new, ignored=result_directories.TIMES):
    return list(result_directories.report_differences(REPORT, new, ignored))


class Reports(unittest.TestCase):
    def test_times_and_wording_may_differ(self):
        other = changed(seconds=9, mlups=1, mlups_of_stored_cells=1, stage_share_of_time={"update": 0.1, "copy_in": 1}, warnings=["new words"],
                        scheme_reason="all of it fits", checkpoints={"count": 2, "seconds": 7})
        self.assertEqual(report_lines(other), [])

    def test_values_may_not(self):
        self.assertEqual(report_lines(changed(steps=61)), ["report.json: steps: 60 -> 61"])
        self.assertEqual(report_lines(changed(checkpoints={"count": 3, "seconds": 0.1})),
                         ["report.json: checkpoints.count: 2 -> 3"])
        self.assertEqual(report_lines(changed(bodies=[{"name": "ball", "force": [1, 2, 4]}])),
                         ["report.json: bodies[0].force: [1, 2, 3] -> [1, 2, 4]"])
        self.assertEqual(report_lines(changed(warnings=[])), ["report.json: warnings: 1 -> 0"])
        self.assertEqual(report_lines(changed(scheme_reason=None)), ["report.json: scheme_reason: False -> True"])

    def test_keys_may_not_come_or_go(self):
        lines = report_lines(changed(last_look={"weight": 0.5}))
        self.assertEqual(lines, ["report.json: missing: last_look.mass, in the old report",
                                 "report.json: last_look.weight is new"])

    def test_renamed_keys(self):
        new = changed(bodies=[{"name": "ball", "load": [1, 2, 3]}])
        new["last_sample"] = new.pop("last_look")
        new["queue_share_of_time"] = new.pop("stage_share_of_time")
        names = {"last_look": "last_sample", "bodies.force": "bodies.load",
                 "stage_share_of_time": "queue_share_of_time"}
        with mock.patch.object(result_directories, "RENAMED", names):
            self.assertEqual(report_lines(new), [])
            new["last_sample"]["mass"] = 1
            self.assertEqual(report_lines(new), ["report.json: last_sample.mass: 0.5 -> 1"])

    def test_a_restart_counts_for_itself(self):
        new = changed(checkpoints={"count": 1, "seconds": 0.1}, warnings=["goes on", "old words"])
        self.assertEqual(len(report_lines(new)), 2)
        self.assertEqual(report_lines(new, result_directories.TIMES | result_directories.RESTARTED), [])


class Directories(unittest.TestCase):
    def setUp(self):
        scratch = tempfile.TemporaryDirectory()
        self.addCleanup(scratch.cleanup)
        self.folders = [os.path.join(scratch.name, name) for name in ("old", "new")]
        for folder in self.folders:
            os.mkdir(folder)
            self.write(folder, "report.json", json.dumps(REPORT).encode())
            self.write(folder, "forces.csv", b"step,fx\n1,0.5\n2,0.25\n")
            self.write(folder, "fields_000000001.hdf", bytes(10000))

    def write(self, folder, name, data):
        with open(os.path.join(folder, name), "wb") as file:
            file.write(data)

    def lines(self):
        lines, files = result_directories.differences(*self.folders)
        self.assertGreaterEqual(files, 3)
        return lines

    def test_same(self):
        self.write(self.folders[0], ".lbm-lock", b"1234")
        self.write(self.folders[1], "run.log", b"10:00 step 1")
        self.assertEqual(self.lines(), [])

    def test_what_names_the_program_and_its_machine(self):
        for folder, commit, device in zip(self.folders, ("abc", "def"), ("CPU, 2 threads, avx512", "CPU, 2 threads, baseline")):
            self.write(folder, "report.json", json.dumps(REPORT | {"commit": commit, "device": device}).encode())
        line, = self.lines()
        self.assertIn("report.json: device: 'CPU, 2 threads, avx512' ->", line)
        self.assertEqual(result_directories.differences(*self.folders, other_machine=True)[0], [])

    def test_one_byte(self):
        self.write(self.folders[1], "fields_000000001.hdf", bytes(9000) + b"\1" + bytes(999))
        line, = self.lines()
        self.assertIn("fields_000000001.hdf: 1 of 3 blocks of 4 KiB, first at byte 9000", line)

    @unittest.skipUnless(importlib.util.find_spec("h5py"), "no h5py")
    def test_state_of_a_checkpoint(self):
        import h5py
        for folder, state in zip(self.folders, ('{"a": 0.9610366821289062}', '{"a": 0.9610366821289063}')):
            with h5py.File(os.path.join(folder, "checkpoint_1.h5"), "w") as file:
                file["state"] = state
        self.assertEqual(self.lines(), [])
        with h5py.File(os.path.join(self.folders[1], "checkpoint_1.h5"), "a") as file:
            file["state"][()] = '{"a": 0.9610366821289073}'
        line, = self.lines()
        self.assertIn("in state", line)

    def test_one_digit(self):
        self.write(self.folders[1], "forces.csv", b"step,fx\n1,0.5\n2,0.26\n")
        self.assertEqual(self.lines(), ["forces.csv: line 3: '2,0.25' -> '2,0.26'"])

    def test_a_line_or_file_too_few(self):
        self.write(self.folders[1], "forces.csv", b"step,fx\n1,0.5\n")
        os.remove(os.path.join(self.folders[1], "fields_000000001.hdf"))
        self.assertEqual(self.lines(), [
            "fields_000000001.hdf: missing: the new program did not write it", "forces.csv: 3 -> 2 lines"])


def image(order, payloads, value=b"head"):
    """A file of one dataset with a chunk for each payload, which lie in this order behind the tree."""
    start = 128 + 24 + 65 * 40
    places, at = {}, start
    for i in order:
        places[i], at = at, at + len(payloads[i])
    tree = b"TREE" + struct.pack("<BBHqq", 1, 0, len(payloads), -1, -1)
    for i, payload in enumerate(payloads):
        tree += struct.pack("<2I3QQ", len(payload), 0, i, 0, 0, places[i])
    head = value.ljust(40) + struct.pack("<Q", at)
    return head.ljust(128, b"\0") + tree.ljust(start - 128, b"\0") + b"".join(payloads[i] for i in order)


class Chunks(unittest.TestCase):
    first = image([0, 1, 2], [b"aaaa", b"bb", b"cccccc"])

    def test_order_does_not_count(self):
        other = image([2, 0, 1], [b"aaaa", b"bb", b"cccccc"])
        self.assertNotEqual(self.first, other)
        self.assertTrue(hdf5_chunks.same_values(self.first, other))

    def test_what_is_in_them_does(self):
        for other in (image([2, 0, 1], [b"aaaa", b"bX", b"cccccc"]), image([1, 0, 2], [b"bb", b"aaaa", b"cccccc"]),
                      image([2, 0, 1], [b"aaaa", b"bb", b"cccccc"], b"HEAD"), image([1, 0], [b"aaaa", b"bb"])):
            self.assertFalse(hdf5_chunks.same_values(self.first, other))

    def test_files_without_chunks(self):
        self.assertFalse(hdf5_chunks.same_values(bytes(100), bytes(100)))


# A program whose files say nothing but what `--set value` was. Its last line may break it.
PROGRAM = """#!{python}
import json, os, sys
words = sys.argv[1:]
if words[0] == "check":
    print(json.dumps({{"cells": [8, 8, 8], "units": {{"rows": [{{"name": "cell", "value": 1}}]}}}}))
    sys.exit()
out = words[words.index("--out" if "--out" in words else "--restart") + 1]
os.makedirs(out, exist_ok=True)
value = [word for word in words if word.startswith("value=")]
for name in ("report.json", "checkpoint_000000030.h5", "checkpoint_000000060.h5", *{kinds}):
    with open(os.path.join(out, name), "w") as file:
        json.dump({{"value": value}}, file)
{broken}
"""


class WholeCheck(unittest.TestCase):
    def setUp(self):
        scratch = tempfile.TemporaryDirectory()
        self.addCleanup(scratch.cleanup)
        self.folder = scratch.name
        for name in ("box", "ball", "stl_body_in_wind_tunnel"):
            open(os.path.join(self.folder, name + ".yaml"), "w", encoding="utf-8").close()

    def program(self, name, broken="", kinds=case_runs.KINDS):
        path = os.path.join(self.folder, name)
        with open(path, "w", encoding="utf-8") as file:
            file.write(PROGRAM.format(python=sys.executable, broken=broken, kinds=kinds))
        os.chmod(path, 0o755)
        return path

    def check(self, new, *more, old=None):
        line = ["compare_builds.py", old or self.program("old"), new, "--cases", self.folder, "--ranks", "1", *more]
        out = io.StringIO()
        with mock.patch.object(sys, "argv", line), contextlib.redirect_stdout(out):
            return compare_builds.main(), out.getvalue()

    def test_same(self):
        status, said = self.check(self.program("new"))
        self.assertEqual(status, 0, said)
        self.assertIn("3 cases, 96 files", said)
        self.assertIn("all the same", said)

    def test_other_results(self):
        status, said = self.check(self.program("new"), "--alter", "value=2", "--only", "box")
        self.assertEqual(status, 1, said)
        self.assertIn("report.json: value: [] -> ['value=2']", said)
        self.assertIn("differences in 1", said)

    def test_a_run_that_fails(self):
        new = self.program("new", "if 'box.yaml' in words[1]: sys.exit('lbm: no room')")
        status, said = self.check(new)
        self.assertEqual(status, 1, said)
        self.assertIn("new program, 1 processes: exit status 1: lbm: no room", said)

    def test_kinds_of_files_that_none_writes(self):
        programs = [self.program(name, kinds=("fields_",)) for name in ("few", "less")]
        status, said = self.check(programs[1], "--only", "box", old=programs[0])
        self.assertEqual(status, 1, said)
        self.assertIn("1 processes: missing: no file probe_line*", said)

    def test_a_restart_that_differs(self):
        new = self.program("new", "if '--restart' in words: open(os.path.join(out, 'more.csv'), 'w').close()")
        status, said = self.check(new, "--only", "ball")
        self.assertEqual(status, 1, said)
        self.assertIn("restart, 1 processes: more.csv: missing: the old program did not write it", said)


if __name__ == "__main__":
    unittest.main()
