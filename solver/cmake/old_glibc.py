#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Makes a static library that binds programs to the functions of an old glibc, whatever glibc they are linked with.

    old_glibc.py LIBRARY... --glibc 2.28 --machine x86_64|aarch64 --compiler CC --ar AR --out libold_glibc.a

LIBRARY: libc.so.6 and libm.so.6 of the machine that links. A function with a version later than --glibc (pthread_create
of glibc 2.34, which is the one of 2.2.5 in another library) gets a hidden definition that jumps to the last version not
later. What the old glibc has under no version at all is in old_glibc.c. Each function is an object of its own: a
program must ask for no function that it does not call, since the old glibc may have it in another library.
"""

import argparse
import pathlib
import re
import subprocess
import tempfile

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


def last_versions(library: str, oldest: tuple[int, ...]) -> dict[str, str]:
    """For each function whose default version is later than `oldest`: its last version that is not later."""
    found = {}
    for name, versions in versions_of(library).items():
        default = next((number(version) for version, is_default in versions if is_default), None)
        usable = [version for version, _ in versions if number(version) <= oldest]
        if default is not None and default > oldest and usable:
            found[name] = max(usable, key=number)
    return found


def assembly(name: str, version: str, jump: str) -> str:
    return f"""\t.text
\t.globl {name}
\t.hidden {name}
\t.type {name},%function
{name}:
\t{jump.format("old_" + name)}
\t.size {name},.-{name}
\t.symver old_{name},{name}@GLIBC_{version}
\t.section .note.GNU-stack,"",%progbits
"""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("libraries", nargs="+")
    parser.add_argument("--glibc", required=True)
    parser.add_argument("--machine", choices=sorted(JUMPS), required=True)
    parser.add_argument("--compiler", required=True)
    parser.add_argument("--ar", required=True)
    parser.add_argument("--out", type=pathlib.Path, required=True)
    asked = parser.parse_args()
    with tempfile.TemporaryDirectory() as scratch:
        folder = pathlib.Path(scratch)
        for library in asked.libraries:
            for name, version in last_versions(library, number(asked.glibc)).items():
                text = assembly(name, version, JUMPS[asked.machine])
                (folder / f"{name}.s").write_text(text, encoding="utf-8")
        sources = sorted(file.name for file in folder.glob("*.s"))
        subprocess.run([asked.compiler, "-c", *sources], cwd=folder, check=True)
        objects = sorted(file.name for file in folder.glob("*.o"))
        asked.out.unlink(missing_ok=True)
        subprocess.run([asked.ar, "rcs", asked.out.resolve(), *objects], cwd=folder, check=True)


if __name__ == "__main__":
    main()
