# SPDX-License-Identifier: Apache-2.0
"""The blocks of a page that can be run, and the marks before them (README.md explains the marks)."""

import dataclasses
import json
import os
import re

RUN = ("sh", "console", "python")
SHOWN = ("yaml", "cpp", "cmake", "text", "csv", "json", "xml", "bibtex", "dockerfile")  # not run
REASONS = ("a GPU", "a cluster", "root", "the network", "too long", "ParaView", "a file of yours", "an excerpt")

# Pages that a program writes whole cannot have marks.
WHOLE_PAGE = {"docs/case_reference.md": ["commands only"]}  # by lbm keys

FENCE = re.compile(r"^( *)(`{3,})(.*)$")
MARK = re.compile(r"^<!-- test: (.+?) -->$")
PAGE_MARK = re.compile(r"^<!-- test this page: (.+?) -->$", re.MULTILINE)
# An indented block is run where its first line is a command without placeholders.
COMMAND = re.compile(r"(\$ |build/|lbm |cmake |ninja |make |mpirun |python3? \S+\.py|for )(?!.*(\b[A-Z]{3,}\b|\[-|\.\.\.))")


class PageError(Exception):
    pass


@dataclasses.dataclass
class Block:
    page: str
    line: int
    language: str
    text: str
    not_run: str = ""  # the reason
    slow: bool = False
    commands_only: bool = False
    compared: bool = True
    first: tuple = ()  # commands of the shell
    first_python: tuple = ()
    quickly: tuple = ()  # (text, another text in its place, unless slow blocks run, too)
    output: str = ""  # what a block of Python prints, from a block of text behind it

    @property
    def place(self):
        return f"{self.page}:{self.line}"

    def mark(self, words):
        what, _, rest = words.partition(": ")
        if what == "not run" and any(rest.startswith(reason) for reason in REASONS):
            self.not_run = rest
        elif what == "first" and rest:
            self.first = (*self.first, rest)
        elif what == "first python" and rest:
            self.first_python = (*self.first_python, rest)
        elif what == "quickly" and " -> " in rest and rest.split(" -> ")[0] in self.text:
            self.quickly = tuple(rest.split(" -> "))
        elif words == "slow":
            self.slow = True
        elif words == "commands only":
            self.commands_only = True
        elif words == "output of another machine":
            self.compared = False
        else:
            raise PageError(f"{self.place}: found the mark {words!r}, must be one of tests/docs/README.md, with one of the "
                            f"reasons {', '.join(REASONS)}")


def fenced(lines, start):
    """(language, text, index behind the block) of the block that opens at `start`."""
    indent, fence, language = FENCE.match(lines[start]).groups()
    for end in range(start + 1, len(lines)):
        if lines[end].strip() == fence:
            inside = [line[len(indent):] for line in lines[start + 1:end]]
            return language.strip(), "\n".join(inside), end + 1
    raise PageError(f"line {start + 1}: a block that is not closed")


def indented(lines, start):
    end = start
    while end < len(lines) and (lines[end].startswith("    ") or not lines[end].strip()):
        end += 1
    text = "\n".join(line[4:] for line in lines[start:end]).rstrip()
    language = "" if not COMMAND.match(text) else "console" if text.startswith("$ ") else "sh"
    return language, text, end


def pieces(lines):
    """(kind, number of the line, language, text): kind is block or mark."""
    at, previous = 0, ""
    while at < len(lines):
        line = lines[at]
        if FENCE.match(line):
            language, text, end = fenced(lines, at)
            yield "block", at + 1, language, text
        elif line.startswith("    ") and (not previous.strip() or MARK.match(previous.strip())):
            language, text, end = indented(lines, at)
            yield "block", at + 1, language or "text", text
        else:
            match = MARK.match(line.strip())
            if match:
                yield "mark", at + 1, "", match[1]
            elif line.strip():
                yield "text", at + 1, "", line
            end = at + 1
        previous = lines[end - 1]
        at = end


def blocks_of_markdown(text, page):
    whole = [*WHOLE_PAGE.get(page, ()), *PAGE_MARK.findall(text)]
    found, marks = [], []
    for kind, line, language, content in pieces(text.split("\n")):
        if kind == "mark":
            marks.append((line, content))
            continue
        if kind == "text":
            if marks:
                raise PageError(f"{page}:{marks[0][0]}: a mark that no block follows")
            continue
        block = Block(page, line, language, content)
        if language not in (*RUN, *SHOWN) and not language.startswith("{"):
            raise PageError(f"{block.place}: found a block of {language!r}, must be one of {', '.join((*RUN, *SHOWN))}")
        if language == "text" and [words for _, words in marks] == ["output"] and found and found[-1].language == "python":
            found[-1].output = content
            marks = []
            continue
        if marks and language not in RUN:
            raise PageError(f"{block.place}: a mark before a block that is not run")
        for words in (*whole, *(content for _, content in marks)):
            block.mark(words)
        marks = []
        if language in RUN:
            found.append(block)
    return found


def blocks_of_notebook(text, page):
    """The cells of code; `line` is the number of the cell."""
    cells = json.loads(text)["cells"]
    return [Block(page, number, "python", "".join(cell["source"]))
            for number, cell in enumerate(cells, 1) if cell["cell_type"] == "code"]


def blocks_of(root, page):
    with open(os.path.join(root, page), encoding="utf-8") as file:
        text = file.read()
    return blocks_of_notebook(text, page) if page.endswith(".ipynb") else blocks_of_markdown(text, page)


def commands_of(block):
    """(command, expected output or None) of a block of the shell; one pair for each command of a console."""
    if block.language == "sh":
        return [(block.text, None)]
    result = []
    for line in block.text.split("\n"):
        if line.startswith("$ "):
            result.append([line[2:], []])
        elif not result:
            raise PageError(f"{block.place}: a console must begin with '$ '")
        elif line.startswith("> ") or result[-1][0].endswith("\\"):
            result[-1][0] += "\n" + line.removeprefix("> ")
        else:
            result[-1][1].append(line)
    return [(command, "\n".join(output).strip()) for command, output in result]
