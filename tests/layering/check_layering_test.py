#!/usr/bin/env python3
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
    "cases/app/c.cpp": '#include "io/i.hpp"\n#include "tiling/t.hpp"\n',
    "python/native.cpp": '#include "cases/app/c.hpp"\n#include <nanobind/nanobind.h>\n',
    "cases/app/c.hpp": '#include "solver/a.hpp"\n',
    "tests/io/i_test.cpp": '#include "cases/app/c.hpp"\n#include "helper.hpp"\n',
}


class Layering(unittest.TestCase):
    def tree(self, **planted):
        """Problems and warnings of the good tree with the planted files laid over it."""
        with tempfile.TemporaryDirectory() as root:
            for path, text in {**GOOD, **planted.get("files", {})}.items():
                full = os.path.join(root, path)
                os.makedirs(os.path.dirname(full), exist_ok=True)
                with open(full, "w", encoding="utf-8") as file:
                    file.write(text)
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
                              ("solver", "cases/app/c.hpp"), ("tiling", "io/i.hpp"),
                              ("io", "tiling/t.hpp"), ("tiling", "cases/app/c.hpp"),
                              ("io", "cases/app/c.hpp"), ("cases", "python/native.hpp"),
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
        self.expect("io/extra.cmake", "set(x ${PROJECT_SOURCE_DIR}/cases/app)\n", "reach into cases")

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


if __name__ == "__main__":
    unittest.main()
