#!/usr/bin/env python3
"""Writes assembly that binds programs to the functions of an old glibc, whatever glibc they are linked with.

    old_glibc.py LIBRARY... --glibc 2.28 --machine x86_64|aarch64 > old_glibc.S

LIBRARY: libc.so.6 and libm.so.6 of the machine that links. A function with a version later than --glibc (pthread_create
of glibc 2.34, which is the one of 2.2.5 in another library) gets a hidden definition that jumps to the last version not
later. What the old glibc has under no version at all is in old_glibc.c. Each function has a section of its own: link
with --gc-sections.
"""

import argparse
import re
import subprocess

SYMBOL = re.compile(r"\s(?:FUNC|IFUNC)\s+(?:GLOBAL|WEAK)\s+DEFAULT\s+\d+\s+(\w+)(@@?)GLIBC_([0-9.]+)$")
JUMPS = {"x86_64": "jmp *{}@GOTPCREL(%rip)", "aarch64": "b {}"}


def number(version: str) -> tuple[int, ...]:
    return tuple(int(part) for part in version.split("."))


def versions_of(library: str) -> dict[str, list[tuple[str, bool]]]:
    """Versions of each function, and which is the default."""
    table = subprocess.run(["readelf", "--dyn-syms", "--wide", library], capture_output=True, text=True, check=True)
    found: dict[str, list[tuple[str, bool]]] = {}
    for line in table.stdout.splitlines():
        if match := SYMBOL.search(line):
            found.setdefault(match[1], []).append((match[3], match[2] == "@@"))
    return found


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("libraries", nargs="+")
    parser.add_argument("--glibc", required=True)
    parser.add_argument("--machine", choices=sorted(JUMPS), required=True)
    asked = parser.parse_args()
    oldest = number(asked.glibc)
    for library in asked.libraries:
        for name, versions in sorted(versions_of(library).items()):
            default = next((number(version) for version, is_default in versions if is_default), None)
            usable = [version for version, _ in versions if number(version) <= oldest]
            if default is None or default <= oldest or not usable:
                continue
            last = max(usable, key=number)
            print(f'\t.section .text.{name},"ax",%progbits\n\t.globl {name}\n\t.hidden {name}\n\t.type {name},%function')
            print(f"{name}:\n\t{JUMPS[asked.machine].format('old_' + name)}\n\t.size {name},.-{name}")
            print(f"\t.symver old_{name},{name}@GLIBC_{last}")
    print('\t.section .note.GNU-stack,"",%progbits')


if __name__ == "__main__":
    main()
