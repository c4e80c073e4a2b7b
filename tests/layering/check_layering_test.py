#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Plants each kind of mistake in a small tree of its own and expects check_layering to see it."""

import os
import tempfile
import unittest

import check_layering

GOOD = {
    "CMakeLists.txt": "add_subdirectory(solver)\n",
    "README.md": "",
    "build-debug/anything.txt": "",
    "solver/CMakeLists.txt": "lbm_add_library(lbm_solver a.cpp)\n",
    "solver/a.hpp": "#include <vector>\n",
    "solver/a.cpp": '#include "solver/a.hpp"\n',
    "tiling/CMakeLists.txt":
        "lbm_add_library(lbm_tiling t.cpp)\ntarget_link_libraries(lbm_tiling PUBLIC lbm_solver)\n",
    "tiling/t.hpp": '#include "solver/a.hpp"\n',
    "tiling/t.cpp": '#include "tiling/t.hpp"\n',
    "io/CMakeLists.txt": "lbm_add_library(lbm_io i.cpp)\n",
    "io/i.hpp": '#include "solver/a.hpp"\n',
    "cases/run/c.cpp": '#include "io/i.hpp"\n#include "tiling/t.hpp"\n',
    "python/native.cpp": '#include "cases/run/c.hpp"\n#include <nanobind/nanobind.h>\n',
    "cases/run/c.hpp": '#include "solver/a.hpp"\n',
    "tests/io/i_test.cpp": '#include "cases/run/c.hpp"\n#include "helper.hpp"\n',
}


# For the tests of rooms: the order is that of the lines.
ROOMS = "# comment\nio/files  files\nio  the rest # comment\ntiling  schedules\nsolver\ncases/run\npython\n"


def with_readmes(files):
    """The files, and a README.md in each folder."""
    return {**{os.path.join(os.path.dirname(path), "README.md"): "What lives here." for path in files}, **files}


def write_files(root, files):
    """Writes each text of a {path: text} to its path below root."""
    for path, text in files.items():
        full = os.path.join(root, path)
        os.makedirs(os.path.dirname(full), exist_ok=True)
        with open(full, "w", encoding="utf-8") as file:
            file.write(text)


class Layering(unittest.TestCase):
    def tree(self, files=None, readmes=True):
        """Problems and warnings of the good tree with the planted files laid over it."""
        tree = {**GOOD, **(files or {})}
        with tempfile.TemporaryDirectory() as root:
            write_files(root, with_readmes(tree) if readmes else tree)
            warnings = []
            return check_layering.problems(root, warnings.append), warnings

    def expect(self, path, text, words):
        found, _ = self.tree(files={path: text})
        self.assertEqual(len(found), 1, f"{path} with {text!r}: {found}")
        self.assertIn(words, found[0])
        self.assertIn(path.split("/")[0], found[0])

    def test_good_tree_has_no_problem(self):
        self.assertEqual(self.tree(), ([], []))

    def test_forbidden_includes(self):
        for folder, other in [("solver", "tiling/t.hpp"), ("solver", "io/i.hpp"),
                              ("solver", "cases/run/c.hpp"), ("tiling", "io/i.hpp"),
                              ("io", "tiling/t.hpp"), ("tiling", "cases/run/c.hpp"),
                              ("io", "cases/run/c.hpp"), ("cases", "python/native.hpp"),
                              ("solver", "tests/io/helper.hpp")]:
            words = f"{folder} may not include {other.split('/')[0]}"
            for form in (f'#include "{other}"\n', f"#include <{other}>\n", f'  #  include "{other}"\n'):
                for name in ("deep/bad.hpp", "bad.cpp", "bad.cu"):
                    self.expect(f"{folder}/{name}", form, words)

    def test_includes_are_written_from_the_root(self):
        self.expect("io/bad.cpp", '#include "i.hpp"\n', "from the root")
        self.expect("io/bad.cpp", '#include "../tiling/t.hpp"\n', "from the root")
        self.expect("io/bad.cpp", "#include <solver/../tiling/t.hpp>\n", "from the root")
        self.expect("io/bad.cpp", '#include "solver/gone.hpp"\n', "does not exist")

    def test_forbidden_links_and_paths(self):
        link = "target_link_libraries(lbm_io\n  PUBLIC lbm_solver # why\n  PRIVATE {})\n"
        self.expect("io/extra.cmake", link.format("lbm_tiling"), "may not link lbm_tiling")
        self.expect("io/extra.cmake", link.format("$<LINK_ONLY:lbm_tiling>"), "may not link")
        self.expect("solver/extra.cmake", link.format("lbm_io"), "may not link lbm_io")
        self.expect("io/extra.cmake", "add_library(x ../tiling/t.cpp)\n", "reach into tiling")
        self.expect("io/extra.cmake", "set(x ${PROJECT_SOURCE_DIR}/cases/run)\n", "reach into cases")

    def test_python_is_the_outermost_layer(self):
        self.expect("cases/make.py", "import lbm\n", "may import")

    def test_top_level(self):
        self.expect("utils/x.txt", "", "not an agreed entry")
        self.expect("notes.txt", "", "not an agreed entry")

    def test_length(self):
        limit, soft = check_layering.MAX_LINES, check_layering.WARN_LINES
        self.expect("tests/long.cpp", "//\n" * (limit + 1), "split it")
        self.assertEqual(self.tree(files={"io/long.cpp": "//\n" * soft}), ([], []))
        found, warnings = self.tree(files={"io/long.cpp": "//\n" * limit})
        self.assertEqual((found, len(warnings)), ([], 1))

    def found_with_rooms(self, files):
        return self.tree({"tests/layering/rooms.txt": ROOMS, "io/files/f.hpp": "", **files})[0]

    def test_order_of_rooms(self):
        self.assertEqual(self.found_with_rooms({"io/good.hpp": '#include "io/files/f.hpp"\n'}), [])
        self.assertEqual(self.found_with_rooms({"io/files/bad.hpp": '\n#include "io/i.hpp"\n'}),
                         ["io/files/bad.hpp:2: io/files may not include io, which comes after it in rooms.txt"])

    def test_other_folders_have_an_order_of_their_own(self):
        """The last in the list may be included by the first where the folders allow it."""
        self.assertEqual(self.found_with_rooms({"io/files/good.hpp": '#include "solver/a.hpp"\n'}), [])

    def test_every_folder_is_a_room(self):
        self.assertEqual(self.found_with_rooms({"io/attic/x.hpp": "", "io/attic/y.cpp": ""}),
                         [f"io/attic/{name}: io/attic is no room of tests/layering/rooms.txt" for name in ("x.hpp", "y.cpp")])

    def test_circles_of_units(self):
        there, back = '#include "io/p.hpp"\n', '#include "io/q.hpp"\n'
        for planted in ({"io/p.hpp": back, "io/q.hpp": there},
                        {"io/p.hpp": "", "io/p.cpp": there + back, "io/q.hpp": "", "io/q.cpp": there}):
            self.assertEqual(self.tree(planted)[0], ["circle of includes: io/p -> io/q -> io/p"])
        long_way = {"io/p.hpp": back, "io/q.hpp": '#include "io/r.hpp"\n', "io/r.cpp": there, "io/r.hpp": ""}
        self.assertEqual(self.tree(long_way)[0], ["circle of includes: io/p -> io/q -> io/r -> io/p"])

    def test_no_circle(self):
        """A source includes its own header, and two ways may lead to one header."""
        two_ways = {"io/p.hpp": '#include "io/q.hpp"\n#include "io/r.hpp"\n', "io/q.hpp": '#include "io/r.hpp"\n', "io/r.hpp": ""}
        self.assertEqual(self.tree(two_ways)[0], [])

    def test_number_of_files(self):
        most = check_layering.MAX_FILES
        room = {f"tests/room/t{i}.cpp": "" for i in range(most)}
        self.assertEqual(self.tree({**room, "tests/room/data.yaml": "", "tests/room/deeper/t.cpp": ""})[0], [])
        self.assertEqual(self.tree({**room, "tests/room/more.py": ""})[0],
                         [f"tests/room: {most + 1} source files, the most is {most}: make rooms"])

    def test_readme_of_each_folder(self):
        found, _ = self.tree(readmes=False)
        folders = ("cases/run", "io", "python", "solver", "tests/io", "tiling")
        self.assertEqual([line.split(":")[0] for line in found], list(folders))
        self.assertIn("missing: README.md", found[0])
        self.assertEqual(self.tree({f"{folder}/README.md": "" for folder in folders}, readmes=False)[0], [])

    def test_licence_line(self):
        line = check_layering.LICENCE
        files = {"io/good.cpp": f"// {line}\n", "tests/good.sh": f"#!/bin/sh\n# {line}\n", "docs/data.txt": "",
                 "io/none.hpp": "", "tests/late.py": f"#\n#\n# {line}\n", "docs/none/CMakeLists.txt": "#\n"}
        with tempfile.TemporaryDirectory() as root:
            write_files(root, files)
            found = [problem.split(":")[0] for problem in check_layering.licence_problems(root)]
        self.assertEqual(found, ["io/none.hpp", "tests/late.py", "docs/none/CMakeLists.txt"])


if __name__ == "__main__":
    unittest.main()
