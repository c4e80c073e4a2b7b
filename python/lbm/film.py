# SPDX-License-Identifier: Apache-2.0
"""`lbm film DIR`: films of the pictures of a run, by the program ffmpeg."""

from __future__ import annotations

import argparse
import os
import subprocess
from collections.abc import Sequence
from pathlib import Path

from lbm._arguments import fail
from lbm.errors import Error, ResourceError, UsageError
from lbm.results.pictures import Pictures, pictures_of

# H.264 has colours for blocks of 2 x 2 pixels.
_H264 = "-vf pad=ceil(iw/2)*2:ceil(ih/2)*2 -c:v libx264 -pix_fmt yuv420p -crf 18 -f mp4".split()


def make_film(pictures: Pictures, rate: float, out: Path) -> None:
    """Writes the film; a film that fails leaves nothing. rate: pictures a second."""
    partial = Path(f"{out}.partial")
    read = ["-f", "image2pipe", "-framerate", f"{rate}", "-c:v", "png", "-i", "pipe:0"]
    command = ["ffmpeg", "-y", "-loglevel", "error", *read, *_H264, f"file:{partial}"]
    try:
        with subprocess.Popen(command, stdin=subprocess.PIPE, stderr=subprocess.PIPE) as ffmpeg:
            assert ffmpeg.stdin
            try:
                for file in pictures.files:
                    ffmpeg.stdin.write(file.read_bytes())
            except BrokenPipeError:
                pass  # ffmpeg has ended, and says why
            said = ffmpeg.communicate()[1].decode(errors="replace").partition("\n")[0]
        if ffmpeg.returncode != 0:
            raise ResourceError(f"{out}: ffmpeg failed with exit code {ffmpeg.returncode}: {said}")
        partial.replace(out)
    except FileNotFoundError:
        raise UsageError(
            "found no program ffmpeg on PATH: install it (apt, conda, Spack: ffmpeg; dnf: ffmpeg-free)"
        ) from None
    except OSError as error:
        raise ResourceError(f"{error.filename}: {error.strerror}") from None
    finally:
        partial.unlink(missing_ok=True)


def _films(given: argparse.Namespace) -> None:
    try:
        found = pictures_of(Path(given.directory), os.listdir(given.directory))
    except OSError as error:
        raise UsageError(f"{given.directory}: cannot be read: {error.strerror}") from None
    if not found:
        raise UsageError(
            f"{given.directory}: found no pictures of a run (NAME_000000100.png); the case asks for "
            "them with pictures.NAME, see docs/pictures.md"
        )
    names = ", ".join(found)
    if given.picture and given.picture not in found:
        raise UsageError(f"--picture: found {given.picture!r}, must be one of {names}")
    if given.out and not given.picture and len(found) > 1:
        raise UsageError(f"--out: found pictures of several names ({names}): add --picture NAME")
    for name in [given.picture] if given.picture else found:
        out = Path(given.out or Path(given.directory) / f"{name}.mp4")
        if out.exists() and not given.overwrite:
            raise UsageError(f"{out}: is there already: add --overwrite, or choose another --out")
        make_film(found[name], given.rate, out)
        print(f"{out}: {len(found[name])} pictures, {len(found[name]) / given.rate:.3g} s")


def _rate(text: str) -> float:
    if not 0.1 <= float(text) <= 240:
        raise ValueError
    return float(text)


def main(arguments: Sequence[str]) -> int:
    """Runs the command; returns its exit code. An error is one line on stderr."""
    parser = argparse.ArgumentParser(prog="lbm film", description=__doc__)
    parser.add_argument("directory", metavar="DIR", help="directory of the run")
    parser.add_argument("--picture", metavar="NAME", help="only this one of `pictures`")
    parser.add_argument(
        "--rate", type=_rate, default=25, help="pictures a second, 0.1 to 240 (default: 25)"
    )
    parser.add_argument("--out", metavar="FILE", help="the film (default: DIR/NAME.mp4)")
    parser.add_argument("--overwrite", action="store_true", help="replace a film that is there")
    try:
        _films(parser.parse_args(arguments))
    except Error as error:
        return fail(error)
    return 0
