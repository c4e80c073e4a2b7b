# SPDX-License-Identifier: Apache-2.0
"""Makes a site of a repository without changing its pages.

- A link to a source file leads to a page of the site that shows the file.
- The navigation is that of the tables of docs/index.md, one part for each heading over a table.
- READMEs of folders are pages that only links and the search lead to.
- The page docs/site/python_case.md lists the classes of the groups of a case.
"""

import html
import os
import pathlib
import posixpath
import re

from docutils import nodes
from pygments import highlight
from pygments.formatters import HtmlFormatter
from pygments.lexers import TextLexer, get_lexer_for_filename
from pygments.util import ClassNotFound
from sphinx import addnodes
from sphinx.util import logging
from sphinx.util.osutil import relative_uri

LOG = logging.getLogger(__name__)
FOLDER = "files"  # of the pages that show a source
LARGEST = 400_000  # bytes of a file that is shown
ROW = re.compile(r"\| \[[^\]]*\]\(([^)#]+\.(?:md|ipynb))\)")
REDIRECT = '<!DOCTYPE html><meta charset="utf-8"><title>lbm</title><meta http-equiv="refresh" content="0; url={0}"><a href="{0}">lbm</a>\n'


def toctrees(text):
    """Hidden toctrees of the pages in the first column of each table, one for each heading."""
    parts = re.split(r"^## (.+)$", text, flags=re.MULTILINE)
    for heading, body in zip(parts[1::2], parts[2::2]):
        pages = [re.sub(r"\.\w+$", "", name) for name in ROW.findall(body)]
        if pages:
            yield "\n".join(["", "```{toctree}", ":hidden:", f":caption: {heading}", "", *pages, "```", ""])


def case_groups():
    from lbm import _case_classes  # the package must be built

    lines = [f".. autoclass:: lbm.{name}\n   :members:\n" for name in _case_classes.__all__]
    return "```{eval-rst}\n" + "\n".join(lines) + "```\n"


def change_source(app, name, source):
    text = source[0]
    if name == app.config.root_doc:
        source[0] = text + "".join(toctrees(text))
    elif name == "docs/site/python_case":
        source[0] = text.replace("<!-- the groups of a case -->", case_groups())
    elif posixpath.basename(name) == "README" and name not in app.listed_pages:
        source[0] = "---\norphan: true\n---\n" + text


def listed_pages(app):
    text = (pathlib.Path(app.srcdir) / f"{app.config.root_doc}.md").read_text(encoding="utf-8")
    folder = posixpath.dirname(app.config.root_doc)
    app.listed_pages = {posixpath.normpath(posixpath.join(folder, os.path.splitext(page)[0])) for page in ROW.findall(text)}


def link_sources(app, doctree):
    """Replaces downloads by links to pages; what is shown is remembered for `pages`."""
    page = app.env.docname
    for node in list(doctree.findall(addnodes.download_reference)):
        path = posixpath.normpath(posixpath.join(posixpath.dirname(page), node["reftarget"]))
        if node["reftarget"].startswith("/"):
            path = os.path.relpath(node["reftarget"], app.srcdir)
        app.env.shown_files = getattr(app.env, "shown_files", set()) | {path}
        uri = relative_uri(app.builder.get_target_uri(page), f"{FOLDER}/{path}.html")
        node.replace_self(nodes.reference("", "", *node.children, refuri=uri, internal=True))


def shown(root, path):
    file = root / path
    if file.stat().st_size > LARGEST:
        return f"<p>{file.stat().st_size} bytes: open this file in the repository.</p>"
    text = file.read_text(encoding="utf-8", errors="replace")
    try:
        lexer = get_lexer_for_filename(file.name)
    except ClassNotFound:
        lexer = TextLexer()
    return highlight(text, lexer, HtmlFormatter(wrapcode=True))


def pages(app):
    root = pathlib.Path(app.srcdir)
    for path in sorted(getattr(app.env, "shown_files", ())):
        if not (root / path).is_file():
            LOG.warning("link to %s, which is no file", path)
            continue
        title = html.escape(path)
        yield f"{FOLDER}/{path}", {"title": title, "body": f"<h1>{title}</h1>\n{shown(root, path)}"}, "page.html"


def front_page(app, error):
    if error is None:
        target = app.builder.get_target_uri(app.config.root_doc)
        (pathlib.Path(app.outdir) / "index.html").write_text(REDIRECT.format(target), encoding="utf-8")


def setup(app):
    app.connect("builder-inited", listed_pages)
    app.connect("source-read", change_source)
    app.connect("doctree-read", link_sources, priority=1)  # before Sphinx copies downloads
    app.connect("html-collect-pages", pages)
    app.connect("build-finished", front_page)
    return {"parallel_read_safe": False, "parallel_write_safe": True}
