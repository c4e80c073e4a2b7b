#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""solver/cmake/packages.txt is the one list of what a build needs: messages, scripts, recipes and docs agree with it.

    packages_test.py [CMAKE]
"""

import os
import re
import subprocess
import sys
import tempfile
import types
import unittest

ROOT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..")
RECIPES = os.path.join(ROOT, "docs", "packaging")
MANAGERS = ("apt", "dnf", "conda", "spack")
# The development package of HDF5 brings it.
COMES_ALONG = {"zlib1g-dev"}
CMAKE = "cmake"


def read(*path):
    with open(os.path.join(ROOT, *path), encoding="utf-8") as file:
        return file.read()


def table(text):
    """Rows of a table whose columns are parted by |, as lists of words."""
    rows = [line for line in text.splitlines() if "|" in line and not line.startswith("#")]
    return [[cell.strip().strip("`") for cell in row.strip().strip("|").split("|")] for row in rows]


ROWS = [dict(zip(("name", *MANAGERS, "for"), row)) for row in table(read("solver", "cmake", "packages.txt"))]


def of_build(manager):
    return {row[manager] for row in ROWS if row["for"] == "build"}


def needs_of_install():
    """Packages of apt that .ci/install requires for `run`, and all others of apt that it may install."""
    text = read(".ci", "install")
    required = re.search(r"^required=\((.*?)^\)", text, re.MULTILINE | re.DOTALL).group(1)
    first = set(re.findall(r'^\s*"([\w+.-]+)', required, re.MULTILINE))
    return first, first | set(re.findall(r'"([\w+.-]+)', text))


def dependencies_of_spack():
    """Names of packages that the Spack recipe depends on, by running it beside a Spack that only takes notes."""
    names, versions = [], []

    class Package:
        pass

    def ignore(*_, **__):
        pass

    words = {name: ignore for name in ("license", "variant", "generator", "conflicts")}
    words["depends_on"] = lambda spec, **_: names.append(re.split(r"[@+~ ]", spec)[0])
    words["version"] = lambda name, **_: versions.append(name)
    fakes = {
        "spack": {}, "spack.package": words, "spack_repo": {}, "spack_repo.builtin": {},
        "spack_repo.builtin.build_systems": {},
        "spack_repo.builtin.build_systems.cmake": {"CMakePackage": type("CMakePackage", (Package,), {})},
        "spack_repo.builtin.build_systems.cuda": {"CudaPackage": type("CudaPackage", (Package,), {})},
    }
    for name, members in fakes.items():
        module = types.ModuleType(name)
        module.__dict__.update(members)
        module.__path__ = []
        sys.modules[name] = module
    path = os.path.join(RECIPES, "spack_repo", "lbm", "packages", "lbm", "package.py")
    scope = {"__file__": path}
    with open(path, encoding="utf-8") as file:
        exec(compile(file.read(), path, "exec"), scope)  # pylint: disable=exec-used
    return set(names), scope["CHECKOUT"]


def message_without(*absent, tests="OFF"):
    """The message of CMake where these packages are not found."""
    script = f"""
        cmake_minimum_required(VERSION 3.22)
        set(LBM_TESTS {tests})
        macro(find_package name)
          set(${{name}}_FOUND TRUE)
          if("${{name}}" IN_LIST absent)
            set(${{name}}_FOUND FALSE)
          endif()
        endmacro()
        set(absent {" ".join(absent)})
        include("{os.path.abspath(ROOT)}/solver/cmake/LbmNeeds.cmake")
        lbm_find_needs()
    """
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "needs.cmake")
        with open(path, "w", encoding="utf-8") as file:
            file.write(script)
        run = subprocess.run([CMAKE, "-P", path], capture_output=True, text=True, check=False)
    lines = [line.strip() for line in run.stderr.splitlines() if "lbm needs" in line]
    return run.returncode, lines


class Packages(unittest.TestCase):
    def test_rows_are_whole(self):
        self.assertGreater(len(ROWS), 10)
        for row in ROWS:
            self.assertEqual(len(row), 6, row)
            self.assertTrue(all(row.values()), row)

    def test_install_requires_what_a_build_needs(self):
        required, all_known = needs_of_install()
        self.assertEqual(of_build("apt") - COMES_ALONG, required)
        self.assertLessEqual({row["apt"] for row in ROWS} - COMES_ALONG, all_known)

    def test_spack_recipe(self):
        names, checkout = dependencies_of_spack()
        self.assertEqual(os.path.realpath(checkout), os.path.realpath(ROOT))
        wanted = {"zlib-api" if name == "zlib" else name for name in of_build("spack") - {"gcc", "ninja"}}
        self.assertLessEqual(wanted, names)
        self.assertEqual(names - wanted, {"c", "cxx", "mpi", "libtiff", "vtk", "cuda"})

    def test_conda_recipe(self):
        items = set(re.findall(r"^ {4}- ([\w-]+)", read("docs", "packaging", "conda", "recipe.yaml"), re.MULTILINE))
        self.assertLessEqual(of_build("conda") - {"cxx-compiler"}, items)

    def test_page_of_installation(self):
        page = [row for row in table(read("docs", "install.md")) if len(row) == 6]
        for row in ROWS:
            self.assertIn([row[name] for name in ("name", *MANAGERS, "for")], page)

    def test_cmake_names_what_is_missing_in_one_line(self):
        status, lines = message_without("fmt", "CLI11")
        self.assertNotEqual(status, 0)
        self.assertEqual(len(lines), 1, lines)
        for words in ("CLI11, fmt, not found", "apt: libcli11-dev libfmt-dev,", "dnf: cli11-devel fmt-devel,",
                      "conda: cli11 fmt,", "spack: cli11 fmt)"):
            self.assertIn(words, lines[0])

    def test_all_that_cmake_looks_for_has_a_row(self):
        looked_for = re.findall(r"lbm_look_for\(([\w-]+)", read("solver", "cmake", "LbmNeeds.cmake"))
        looked_for = [name for name in looked_for if name != "name"]
        known = {row["name"] for row in ROWS}
        self.assertEqual(set(looked_for) - known, set())
        self.assertEqual(message_without()[0], 0)
        self.assertIn("googletest", message_without("GTest", tests="ON")[1][0])
        for name in looked_for:
            if name != "GTest":
                self.assertEqual(len(message_without(name)[1]), 1, name)


if __name__ == "__main__":
    if len(sys.argv) > 1 and not sys.argv[1].startswith("-"):
        CMAKE = sys.argv.pop(1)
    unittest.main()
