#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Checks that the folders know each other only as the design allows.

    check_layering.py ROOT      prints one line a problem; exit status 1 when there is one

The rule is python -> cases -> {tiling, io} -> solver, for #include, for what a CMake target links
and for paths in CMake files; tests/ may use anything. Inside these folders rooms.txt has the order of
rooms. Also: no circle of includes among units (a unit is a header and its source), at most MAX_FILES
files in a folder of sources, a README.md in each, only the agreed entries at the top level, and no
source file longer than MAX_LINES.
"""

import fnmatch
import os
import re
import subprocess
import sys

MAY_USE = {
    "solver": {"solver"},
    "tiling": {"tiling", "solver"},
    "io": {"io", "solver"},
    "cases": {"cases", "tiling", "io", "solver"},
    "python": {"python", "cases", "tiling", "io", "solver"},
}
TOP_LEVEL = {
    "CITATION.cff",  # where GitHub looks for it
    "CMakeLists.txt", "CMakePresets.json", "LICENSE", "Makefile", "README.md",
    "solver", "tiling", "io", "cases", "python", "tests", "docs",
}
# Entries that may be in a checkout but are not part of it.
LOCAL = ("build*", "out", "shared", ".*")
MAX_LINES = 400
MAX_FILES = 25
WARN_LINES = 300
LICENCE = "SPDX-License-Identifier: Apache-2.0"

CODE = (".hpp", ".h", ".cpp", ".cc", ".cu", ".cuh", ".inl")
INCLUDE = re.compile(r'^\s*#\s*include\s*(["<])([^">]+)[">]')
PYTHON_IMPORT = re.compile(r"^\s*(?:import|from)\s+(?:lbm|python)\b")
TARGET = re.compile(r"\b(?:lbm_add_library|add_library|add_executable)\s*\(\s*(\w+)")
LINK = re.compile(r"\btarget_link_libraries\s*\(([^)]*)\)")
CMAKE_PATH = re.compile(r"(?:\.\.|\$\{\w*SOURCE_DIR\})/(\w+)/")


def files_of(root, folder):
    """Paths below folder, relative to root, in a fixed order; build products are left out."""
    for directory, folders, names in os.walk(os.path.join(root, folder)):
        folders[:] = sorted(f for f in folders if f != "__pycache__" and not f.startswith("build"))
        for name in sorted(names):
            yield os.path.relpath(os.path.join(directory, name), root)


def lines_of(root, path):
    with open(os.path.join(root, path), encoding="utf-8", errors="replace") as file:
        return file.read().splitlines()


def is_cmake(path):
    return path.endswith(".cmake") or os.path.basename(path) == "CMakeLists.txt"


def include_problem(root, folder, quote, target):
    """Why this include is not allowed in folder, or None."""
    owner = target.split("/")[0]
    if ".." in target.split("/"):
        return f'write "{target}" from the root, without ..'
    if owner in MAY_USE:
        if owner not in MAY_USE[folder]:
            return f"{folder} may not include {owner} ({target})"
        if not os.path.isfile(os.path.join(root, target)):
            return f"includes {target}, which does not exist"
    elif owner == "tests":
        return f"{folder} may not include tests ({target})"
    elif quote == '"':
        return f'write "{target}" from the root, or with <> where it is not ours'
    return None


def read_rooms(root):
    """The rooms in the order of rooms.txt; empty where there is none."""
    path = os.path.join("tests", "layering", "rooms.txt")
    if not os.path.isfile(os.path.join(root, path)):
        return []
    lines = [re.sub(r"#.*", "", line) for line in lines_of(root, path)]
    return [line.split()[0] for line in lines if line.strip()]


def includes_of(root, path):
    """(line number, included path) for each include of a file of ours."""
    for number, line in enumerate(lines_of(root, path), 1):
        match = INCLUDE.match(line)
        if match and os.path.isfile(os.path.join(root, match.group(2))):
            yield number, match.group(2)


def room_problems(root, path, rooms):
    room = os.path.dirname(path)
    if not rooms:
        return
    if room not in rooms:
        yield f"{path}: {room} is no room of tests/layering/rooms.txt"
        return
    for number, target in includes_of(root, path):
        other = os.path.dirname(target)
        if other.split("/")[0] == room.split("/")[0] and other in rooms:
            if rooms.index(other) > rooms.index(room):
                yield f"{path}:{number}: {room} may not include {other}, which comes after it in rooms.txt"


def circle_problems(root, paths):
    """Circles of includes among units: a header and the source of the same name are one."""
    graph = {}
    for path in paths:
        unit = os.path.splitext(path)[0]
        others = {os.path.splitext(target)[0] for _, target in includes_of(root, path)}
        graph.setdefault(unit, set()).update(others - {unit})
    done, under_way = set(), []

    def visit(unit):
        if unit in under_way:
            yield "circle of includes: " + " -> ".join(under_way[under_way.index(unit):] + [unit])
        elif unit not in done:
            under_way.append(unit)
            for other in sorted(graph.get(unit, ())):
                yield from visit(other)
            under_way.pop()
            done.add(unit)

    for unit in sorted(graph):
        yield from visit(unit)


def folder_problems(root):
    """Folders of sources that hold too many files, or no README.md."""
    counts = {}
    for folder in (*MAY_USE, "tests"):
        for path in files_of(root, folder):
            if path.endswith((*CODE, ".py")):
                counts[os.path.dirname(path)] = counts.get(os.path.dirname(path), 0) + 1
    for folder, count in sorted(counts.items()):
        if count > MAX_FILES:
            yield f"{folder}: {count} source files, the most is {MAX_FILES}: make rooms"
        if not os.path.isfile(os.path.join(root, folder, "README.md")):
            yield f"{folder}: missing: README.md, a few lines that say what lives there and what may not"


def code_problems(root, folder, path):
    for number, line in enumerate(lines_of(root, path), 1):
        match = INCLUDE.match(line)
        problem = match and include_problem(root, folder, match.group(1), match.group(2))
        if problem:
            yield f"{path}:{number}: {problem}"


def import_problems(root, path):
    for number, line in enumerate(lines_of(root, path), 1):
        if PYTHON_IMPORT.match(line):
            yield f"{path}:{number}: only python/ and tests/ may import the Python package"


def cmake_text(root, path):
    return "\n".join(re.sub(r"#.*", "", line) for line in lines_of(root, path))


def target_owners(root):
    """The folder that defines each CMake target of ours."""
    owners = {}
    for folder in MAY_USE:
        for path in filter(is_cmake, files_of(root, folder)):
            for name in TARGET.findall(cmake_text(root, path)):
                owners[name] = folder
    return owners


def cmake_problems(root, folder, path, owners):
    text = cmake_text(root, path)
    for arguments in LINK.findall(text):
        name, *libraries = re.findall(r"\w+", arguments)
        for library in libraries:
            owner = owners.get(library, folder)
            if owner not in MAY_USE[folder]:
                yield f"{path}: target {name} of {folder} may not link {library} of {owner}"
    for other in CMAKE_PATH.findall(text):
        if other in MAY_USE and other not in MAY_USE[folder]:
            yield f"{path}: {folder} may not reach into {other}/"


def top_level(root):
    """Entries at the top that belong to the checkout: by git where it knows, else by name."""
    command = ["git", "-c", "safe.directory=*", "-C", root, "ls-files", "-z", "--cached",
               "--others", "--exclude-standard"]
    entries = set(os.listdir(root))
    if ".git" in entries:
        try:
            listing = subprocess.run(command, capture_output=True, check=True).stdout.decode()
            entries &= {path.split("/")[0] for path in listing.split("\0")}
        except (OSError, subprocess.CalledProcessError):
            pass
    return {e for e in entries if not any(fnmatch.fnmatch(e, pattern) for pattern in LOCAL)}


def length_problems(root, warn):
    for folder in (*MAY_USE, "tests"):
        for path in files_of(root, folder):
            if not (path.endswith(CODE) or path.endswith(".py") or is_cmake(path)):
                continue
            count = len(lines_of(root, path))
            if count > MAX_LINES:
                yield f"{path}: {count} lines, the most is {MAX_LINES}: split it"
            elif count > WARN_LINES:
                warn(f"{path}: {count} lines, past {WARN_LINES}: does it do one thing?")


def licence_problems(root):
    """Sources without the line of their licence as the first line, or the second after #!."""
    for folder in (*MAY_USE, "tests", "docs"):
        for path in files_of(root, folder):
            if path.endswith((*CODE, ".py", ".sh")) or is_cmake(path):
                if not any(LICENCE in line for line in lines_of(root, path)[:2]):
                    yield f"{path}: missing among the first two lines: {LICENCE}"


def problems(root, warn=lambda line: None):
    """All problems of the tree at root, one line each; warn gets what is only worth a look."""
    found = []
    owners = target_owners(root)
    rooms = read_rooms(root)
    code = []
    for folder in MAY_USE:
        for path in files_of(root, folder):
            if path.endswith(CODE):
                code.append(path)
                found += code_problems(root, folder, path)
                found += room_problems(root, path, rooms)
            elif path.endswith(".py") and folder != "python":
                found += import_problems(root, path)
            elif is_cmake(path):
                found += cmake_problems(root, folder, path, owners)
    found += [f"{entry}: not an agreed entry of the top level (docs/develop.md lists them)"
              for entry in sorted(top_level(root) - TOP_LEVEL)]
    found += length_problems(root, warn)
    found += circle_problems(root, code)
    found += folder_problems(root)
    return found


def main():
    root = os.path.abspath(sys.argv[1] if len(sys.argv) > 1 else ".")
    found = problems(root, warn=lambda line: print(f"warning: {line}")) + list(licence_problems(root))
    for line in found:
        print(f"error: {line}")
    checked = sum(path.endswith(CODE) for folder in MAY_USE for path in files_of(root, folder))
    print(f"{checked} C++ files checked, {len(found)} problems")
    return 1 if found or checked == 0 else 0


if __name__ == "__main__":
    sys.exit(main())
