# SPDX-License-Identifier: Apache-2.0
"""Files of arrays that a case names: the user's, or temporary ones that go with this Python."""

from __future__ import annotations

import atexit
import functools
import hashlib
import os
import shutil
import tempfile
from collections.abc import Iterable
from pathlib import Path

from lbm._arguments import PathLike, path_text
from lbm._files import refuse_existing, write_atomically
from lbm._lbm import UsageError


@functools.cache
def _folder(process: int) -> Path:
    """A folder of this process, removed when it ends."""
    folder = Path(tempfile.mkdtemp(prefix=f"lbm_arrays_{process}_"))
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    return folder


def keep(content: bytes, file: PathLike | None, ending: str, overwrite: bool) -> str:
    """Writes the content to `file`, or to a temporary file named after the content.

    A file that has this content is left as it is. Returns: the absolute path. Raises UsageError for
    another ending, and where the file has another content, unless `overwrite` is true.
    """
    if file is None:
        name = hashlib.sha256(content).hexdigest()[:16] + ending
        path = _folder(os.getpid()) / name
    else:
        path = Path(path_text(file, "file")).absolute()
        if path.suffix != ending:
            raise UsageError(f"{file}: must end in {ending}")
    if _has(path, content):
        return str(path)
    refuse_existing(path, overwrite or file is None)
    write_atomically(path, content)
    return str(path)


def _has(path: Path, content: bytes) -> bool:
    try:
        return path.stat().st_size == len(content) and path.read_bytes() == content
    except OSError:
        return False


def temporary(entries: Iterable[tuple[str, str]]) -> list[str]:
    """The keys of a case, of (key, value as text), that name temporary files of this process."""
    if not _folder.cache_info().currsize:
        return []
    folder = str(_folder(os.getpid()))
    return [key for key, text in entries if folder in text]
