# SPDX-License-Identifier: Apache-2.0
"""Sphinx configuration of the site (`make site`). The source directory is the root of the repository, so links between
pages, READMEs and sources are those of the repository."""

import pathlib
import re
import sys

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent.parent
sys.path.insert(0, str(HERE))

project = "lbm"
version = release = re.search(r"project\(lbm VERSION ([0-9.]+)", (ROOT / "CMakeLists.txt").read_text()).group(1)
copyright = "the authors of lbm, Apache-2.0"  # noqa: A001

root_doc = "docs/index"
include_patterns = ["README.md", "**/README.md", "docs/*.md", "docs/lab/*.md", "docs/site/*.md", "docs/tutorials/*.md", "docs/tutorials/*.ipynb"]
exclude_patterns = ["build*", "out", "shared", ".*", "**/_build"]

extensions = [
    "myst_nb",
    "sphinx.ext.autodoc",
    "breathe",
    "repository_pages",  # links to sources, navigation
    "plain_docstrings",  # docstrings are plain text with `names`
]

# Anchors are those that GitHub makes of headings.
myst_heading_anchors = 4
# Notebooks hold their output; tests/docs runs them.
nb_execution_mode = "off"
# Blocks may be excerpts that no lexer accepts whole. Names of types of Python, such as slice, are keys of a case, too.
suppress_warnings = ["misc.highlighting_failure", "ref.python"]

autodoc_member_order = "bysource"
autodoc_typehints = "signature"
autodoc_class_signature = "mixed"
python_use_unqualified_type_names = True

breathe_projects = {"lbm": str(ROOT / "build" / "site" / "doxygen" / "xml")}
breathe_default_project = "lbm"
breathe_default_members = ("members",)
cpp_index_common_prefix = ["lbm::", "lbm::cases::"]

# Types of other packages, and of headers that are not part of the interface, are named without a link.
nitpick_ignore_regex = [
    (r"py:.*", r"(?!lbm\.).*"),
    (r"py:.*", r"lbm\._.*|lbm\.results\.header\..*|lbm\..*\.T"),
    (r"cpp:identifier", r"(?!lbm::).*|lbm::cases|lbm::fields"),
]

html_theme = "furo"
html_title = f"lbm {version}"
html_show_sourcelink = False
html_copy_source = False
html_theme_options = {"navigation_with_keys": True}
