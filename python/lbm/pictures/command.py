# SPDX-License-Identifier: Apache-2.0
"""`lbm pictures DIR`: draws the data files of pictures in a directory, NAME_000001200.picture, as PNG."""

from __future__ import annotations

import argparse
import os
import re
import select
import signal
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import matplotlib
from PIL import Image

from lbm._lbm import Error
from lbm.pictures import data
from lbm.pictures.page import STYLE, Limits, draw_plane

_DATA = re.compile(r"(?P<name>.+)_(?P<step>\d{9,})\.picture")
_PAUSE = 0.3  # seconds between two looks at the directory of a run


def limits_before(name: str, step: int) -> Limits | None:
    """The limits of colours of the newest picture of this name before `step`, in the working directory."""
    found = [(int(m[1]), file) for file in os.listdir() if (m := re.fullmatch(re.escape(name) + r"_(\d{9,})\.png", file))]
    for _, file in sorted((one for one in found if one[0] < step), reverse=True):
        try:
            with Image.open(file) as image:
                words = str(image.info.get("Comment", "")).removeprefix("lbm limits ").split()
                return float(words[0]), float(words[1])
        except (OSError, ValueError, IndexError):
            continue
    return None


def draw(file: str) -> None:
    """Draws one data file in the working directory and removes it."""
    head, numbers = data.read(Path(file).read_bytes())
    if "surface" in head:
        from lbm.pictures.surface import draw_surface as draw_one
    else:
        draw_one = draw_plane
    content = draw_one(head, numbers, limits_before(head["name"], head["step"]))
    picture = Path(file).with_suffix(".png")
    partial = picture.with_name(picture.name + ".partial")
    partial.write_bytes(content)
    partial.replace(picture)
    os.unlink(file)


def draw_all(failed: set[str]) -> int:
    """Draws all data files in the order of steps but those that failed before; the number of new ones."""
    files = [(int(m["step"]), file) for file in os.listdir() if (m := _DATA.fullmatch(file)) and file not in failed]
    for _, file in sorted(files):
        try:
            draw(file)
        except FileNotFoundError:  # a restart has removed it
            continue
        except (Error, OSError, ValueError, KeyError, TypeError, MemoryError) as error:
            failed.add(file)
            print(f"lbm pictures: {file}: was not drawn: {error}", file=sys.stderr)
    return len(files)


def _follow(failed: set[str]) -> None:
    """Draws what a run writes until its end closes standard input, or the run is gone."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the run
    os.nice(5)
    while not select.select([sys.stdin], [], [], _PAUSE)[0]:
        draw_all(failed)
    draw_all(failed)


def main(arguments: Sequence[str]) -> int:
    """Runs the command; returns its exit code."""
    parser = argparse.ArgumentParser(
        prog="lbm pictures",
        description="Draws the pictures of a run whose data files (*.picture) were not drawn while it computed.",
    )
    parser.add_argument("directory", metavar="DIR", help="the directory of a run")
    how = parser.add_mutually_exclusive_group()
    how.add_argument("--follow", action="store_true", help=argparse.SUPPRESS)  # for a run
    how.add_argument("--preview", action="store_true", help=argparse.SUPPRESS)  # DIR is the file to write
    given = parser.parse_args(arguments)
    matplotlib.rcdefaults()
    settings: Any = matplotlib.rcParams
    settings.update(STYLE, backend="agg")
    try:
        if given.preview:
            from lbm.pictures.preview import draw_preview

            Path(given.directory).write_bytes(draw_preview(*data.read(sys.stdin.buffer.read())))
            return 0
        os.chdir(given.directory)  # follows a directory that is renamed
        failed: set[str] = set()
        if given.follow:
            _follow(failed)
        else:
            count = draw_all(failed)
            print(f"{given.directory}: {count - len(failed)} pictures drawn")
        return 1 if failed else 0
    except (Error, OSError) as error:
        print(f"lbm pictures: {error}", file=sys.stderr)
        return 2
