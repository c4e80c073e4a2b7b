#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Checks a built site without a network.

    check_site.py DIR [--list FILE]     prints one line a problem; exit status 1 where there is one

Every link and image inside the site must lead to a file of it, and to an anchor that the file has. Nothing may be
loaded from elsewhere (scripts, styles, images). Links to other sites are not followed: their syntax is checked, and
--list writes them to FILE, one a line.
"""

import argparse
import html.parser
import os
import re
import sys
import urllib.parse

LOADED = {("script", "src"), ("img", "src"), ("link", "href"), ("source", "src"), ("iframe", "src")}
HOST = re.compile(r"(?!-)[\w-]+(\.[\w-]+)+(:\d+)?")


class Page(html.parser.HTMLParser):
    """Anchors of a page, and what it refers to: (address, whether it is loaded, line)."""

    def __init__(self, text):
        super().__init__()
        self.anchors, self.references, self.twice = {""}, [], []
        self.feed(text)

    def handle_starttag(self, tag, attrs):
        for name, value in attrs:
            if name == "id" and value:
                self.twice += [value] * (value in self.anchors)
                self.anchors.add(value)
            if name == "name" and tag == "a":
                self.anchors.add(value)
            if name in ("href", "src") and value is not None and (tag, name) != ("base", "href"):
                relation = dict(attrs).get("rel") or ""
                loaded = (tag, name) in LOADED and relation not in ("canonical", "index", "search", "next", "prev")
                self.references.append((value, loaded, self.getpos()[0]))


def read_pages(folder):
    pages = {}
    for directory, _, names in os.walk(folder):
        for name in names:
            if name.endswith(".html"):
                path = os.path.join(directory, name)
                with open(path, encoding="utf-8") as file:
                    pages[os.path.relpath(path, folder)] = Page(file.read())
    return pages


def wrong_syntax(parts):
    """Return the fault in the address of another site, or None."""
    if parts.scheme == "mailto":
        return None if re.fullmatch(r"[^@\s]+@[\w-]+(\.[\w-]+)+", parts.path) else "no mail address"
    if parts.scheme not in ("http", "https"):
        return f"scheme {parts.scheme}"
    if not HOST.fullmatch(parts.netloc):
        return f"host {parts.netloc!r}"
    return "blank in the address" if re.search(r"\s", parts.geturl()) else None


def problems(folder):
    """(problems, addresses of other sites, links inside)"""
    pages, found, outside, inside = read_pages(folder), [], set(), 0
    for path, page in sorted(pages.items()):
        for address, loaded, line in page.references:
            parts = urllib.parse.urlsplit(address)
            if parts.scheme or parts.netloc:
                outside.add(address)
                wrong = "is loaded from the network" if loaded and parts.scheme != "data" else None
                wrong = wrong or (None if parts.scheme == "data" else wrong_syntax(parts))
                found += [f"{path}:{line}: {address}: {wrong}"] if wrong else []
                continue
            inside += 1
            target = os.path.normpath(os.path.join(os.path.dirname(path), urllib.parse.unquote(parts.path))) if parts.path else path
            if target.startswith(".."):
                found.append(f"{path}:{line}: {address}: outside of the site")
            elif not os.path.isfile(os.path.join(folder, target)):
                found.append(f"{path}:{line}: {address}: no such file")
            elif target in pages:
                anchor = urllib.parse.unquote(parts.fragment)
                if anchor not in pages[target].anchors:
                    found.append(f"{path}:{line}: {address}: no such anchor")
                elif anchor in pages[target].twice:
                    found.append(f"{path}:{line}: {address}: the anchor occurs twice")
    if not pages:
        found.append(f"{folder}: no page")
    elif not os.path.isfile(os.path.join(folder, "searchindex.js")):
        found.append(f"{folder}: no search index")
    return found, {address for address in outside if not address.startswith("data:")}, inside, len(pages)


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("folder")
    parser.add_argument("--list", help="file for the addresses of other sites")
    arguments = parser.parse_args()
    found, outside, inside, pages = problems(arguments.folder)
    for line in found:
        print(f"error: {line}")
    if arguments.list:
        with open(arguments.list, "w", encoding="utf-8") as file:
            file.writelines(f"{address}\n" for address in sorted(outside))
    print(f"{pages} pages, {inside} links inside, {len(outside)} addresses outside, {len(found)} problems")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
