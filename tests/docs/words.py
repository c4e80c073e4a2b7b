#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Checks words of comments and pages against docs/writing.md.

    words.py ROOT      prints each fault as FILE:LINE: TEXT; exit 1 if there is any

Faults: a comment or a sentence of one that opens with "Of", "What" or "Whether"; a title of a page
that is a question; more long sentences in the pages than `most_long`, which only ever falls.
"""

import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

long_sentence = 30  # words
most_long = 0

opening = re.compile(r"(Of|What|Whether)\b")
notebooks = {"docs/changelog.md", "docs/lab/performance.md", "docs/lab/verification.md", "docs/lab/release_log.md", "docs/case_reference.md"}


def sources(root: Path, *endings: str) -> list[str]:
    listed = subprocess.run(["git", "-C", root, "ls-files"], capture_output=True, text=True, check=True).stdout
    return [name for name in listed.split("\n") if name.endswith(endings)]


def openings(text: str) -> Iterator[tuple[int, str]]:
    before = ""  # the comment of the line before, where this one goes on with it
    for number, line in enumerate(text.split("\n"), 1):
        found = re.search(r'(?<![:"/])//+ (.*)', line)
        comment = found.group(1) if found else ""
        begins = not before or before.rstrip().endswith((".", ":", "?", ";"))
        if (begins and opening.match(comment)) or re.search(r"[.:;] (Of|What|Whether)\b", comment):
            yield number, comment
        before = comment if line.strip().startswith("//") else ""


def openings_of_scripts(text: str) -> Iterator[tuple[int, str]]:
    for number, line in enumerate(text.split("\n"), 1):
        found = re.match(r'\s*(?:# |""")(.*)', line)
        if found and opening.match(found.group(1)):
            yield number, found.group(1)


def prose(page: str) -> str:
    page = re.sub(r"^```.*?^```", "", page, flags=re.S | re.M)
    page = re.sub(r"<!--.*?-->", "", page, flags=re.S)
    page = re.sub(r"^(\||    |#).*$", "", page, flags=re.M)
    return re.sub(r"\]\([^)]*\)", "]", page)


def long_sentences(page: str) -> list[str]:
    parts = re.split(r"(?<=[.!?:;])\s+|\n\s*\n|\n\s*[-*] |\n\s*\d+\. ", prose(page))
    return [" ".join(part.split()) for part in parts if len(part.split()) > long_sentence]


def main(root: Path) -> int:
    faults = []
    for name in sources(root, ".cpp", ".hpp", ".cu"):
        text = (root / name).read_text(errors="replace")
        faults += [f"{name}:{number}: {comment}" for number, comment in openings(text)]
    for name in sources(root, ".py", ".sh", ".cmake", "CMakeLists.txt"):
        text = (root / name).read_text(errors="replace")
        faults += [f"{name}:{number}: {comment}" for number, comment in openings_of_scripts(text)]
    long = []
    for name in sources(root, ".md"):
        text = (root / name).read_text()
        bare = re.sub(r"^```.*?^```", lambda block: "\n" * block.group().count("\n"), text, flags=re.S | re.M)
        titles = enumerate(bare.split("\n"), 1)
        faults += [f"{name}:{number}: {title}" for number, title in titles if re.match(r"#+ .*\?\s*$", title)]
        if name not in notebooks:
            long += [f"{name}: {sentence}" for sentence in long_sentences(text)]
    if len(long) > most_long:
        faults += [*long, f"{len(long)} sentences of more than {long_sentence} words, must be at most {most_long}"]
    print(*faults, sep="\n")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1])))
