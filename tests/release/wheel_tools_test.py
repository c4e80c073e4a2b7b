#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Tests of what makes wheels run on older systems: solver/cmake/old_glibc.py, python/wheels/plain_symbols.py and lbm_script.py.

wheel_tools_test.py; needs g++, readelf and ar.
"""

import pathlib
import platform
import re
import subprocess
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
MACHINE = platform.machine()
THREAD = """
#include <math.h>
#include <pthread.h>
static void* work(void* x) { *(double*)x = pow(*(double*)x, 0.5); return 0; }
int main(int count, char** names) {
  (void)names;
  double x = 15 + count;
  pthread_t thread;
  if (pthread_create(&thread, 0, work, &x) != 0 || pthread_join(thread, 0) != 0) return 1;
  return x == 4 ? 0 : 2;
}
"""
UNIQUE = """
template <class T> struct Counter { static int value; };
template <class T> int Counter<T>::value = 3;
int count() { return Counter<int>::value++; }
"""


def run(*command: object, **more: object) -> subprocess.CompletedProcess[str]:
    return subprocess.run([str(word) for word in command], capture_output=True, text=True, check=True, **more)


def glibc_versions(file: pathlib.Path) -> list[tuple[int, ...]]:
    table = run("readelf", "--dyn-syms", "--wide", file).stdout
    return [tuple(int(n) for n in found.split(".")) for found in re.findall(r"UND \w+@GLIBC_([0-9.]+)", table)]


class WheelTools(unittest.TestCase):
    def setUp(self) -> None:
        scratch = tempfile.TemporaryDirectory()
        self.addCleanup(scratch.cleanup)
        self.folder = pathlib.Path(scratch.name)

    def file(self, name: str, text: str) -> pathlib.Path:
        path = self.folder / name
        path.write_text(text, encoding="utf-8")
        return path

    @unittest.skipUnless(MACHINE in ("x86_64", "aarch64"), "no jumps for this machine")
    def test_programs_are_bound_to_the_old_glibc(self) -> None:
        source, program, archive = self.file("thread.c", THREAD), self.folder / "thread", self.folder / "libold.a"
        libraries = [run("gcc", f"-print-file-name=lib{name}.so.6").stdout.strip() for name in ("c", "m")]
        run(sys.executable, "-B", ROOT / "solver/cmake/old_glibc.py", *libraries, "--glibc", "2.28", "--machine", MACHINE, "--compiler",
            "gcc", "--ar", "ar", "--out", archive)  # fmt: skip
        run("gcc", source, "-o", program, "-lm", "-pthread")
        new = max(glibc_versions(program))
        run("gcc", source, archive, "-o", program, "-lm", "-pthread")
        run(program)
        self.assertLessEqual(max(glibc_versions(program)), (2, 28))
        if new <= (2, 28):
            self.skipTest("this machine's glibc is old itself")
        # Functions that are not called are not asked for.
        self.assertNotIn("sem_", run("readelf", "--dyn-syms", "--wide", program).stdout)

    def test_unique_symbols_become_plain(self) -> None:
        library = self.folder / "libcount.so"
        run("g++", "-shared", "-fPIC", "-fgnu-unique", self.file("count.cpp", UNIQUE), "-o", library)
        symbols = run("readelf", "--dyn-syms", "--wide", library).stdout
        self.assertIn("UNIQUE", symbols)
        printed = run(sys.executable, "-B", ROOT / "python/wheels/plain_symbols.py", library).stdout
        self.assertEqual(printed, f"{library}: 1 symbols\n")
        self.assertEqual(run("readelf", "--dyn-syms", "--wide", library).stdout, symbols.replace("UNIQUE", "WEAK  "))
        call = f"import ctypes; f = ctypes.CDLL({str(library)!r})._Z5countv; print(f(), f())"
        self.assertEqual(run(sys.executable, "-c", call).stdout, "3 4\n")

    def test_the_command_starts_the_program_of_the_package(self) -> None:
        program = self.folder / "lbm/bin/lbm"
        program.parent.mkdir(parents=True)
        script = [sys.executable, "-B", ROOT / "python/wheels/lbm_script.py", "run", "a b.yaml"]
        environment = {"PYTHONPATH": str(self.folder), "PATH": "/usr/bin:/bin"}
        self.file("lbm/__init__.py", "raise ImportError('not imported')\n")
        with self.assertRaises(subprocess.CalledProcessError) as missing:
            run(*script, env=environment)
        self.assertIn(f"lbm: {program} is missing: install the wheel again", missing.exception.stderr)
        self.file("lbm/bin/lbm", '#!/bin/sh\nprintf "%s|" "$@"\n').chmod(0o755)
        self.assertEqual(run(*script, env=environment).stdout, "run|a b.yaml|")
        self.file("lbm/__init__.py", "")
        self.file("lbm/__main__.py", "import sys\nprint(sys.argv[1:])\n")
        self.assertEqual(run(*script[:-2], "report", "a b", env=environment).stdout, "['report', 'a b']\n")


if __name__ == "__main__":
    unittest.main()
