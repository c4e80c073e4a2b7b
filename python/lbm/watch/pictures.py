# SPDX-License-Identifier: Apache-2.0
"""Pictures that a run has made (`pictures.NAME` of the case), as they are now."""

from __future__ import annotations

import base64
from pathlib import Path
from typing import Any

from lbm._lbm import UsageError
from lbm.results.pictures import PNG, Pictures, pictures_of
from lbm.watch import files

_MOST_BYTES = 32 << 20  # of one picture
_MOST_NAMES = 24


def pictures(directory: Path) -> list[dict[str, Any]]:
    """The names of pictures, and the steps of each."""
    found = list(_found(directory).values())[:_MOST_NAMES]
    return [{"name": one.name, "steps": one.steps} for one in found]


def picture(directory: Path, wish: dict[str, str]) -> dict[str, Any]:
    """One picture. wish: picture, its name; step, default the newest. Raises UsageError for what there is not."""
    there = _found(directory).get(wish.get("picture", ""))
    if there is None:
        raise UsageError("There are no pictures of this name.")
    step = wish.get("step", str(there.steps[-1]))
    if step not in map(str, there.steps):
        raise UsageError("There is no picture of this step.")
    at = there.steps.index(int(step))
    try:
        with files.open_regular(there.files[at]) as file:
            data = file.read(_MOST_BYTES + 1)
    except OSError as error:
        raise UsageError(f"The picture cannot be read: {error.strerror}.") from error
    if not data.startswith(PNG) or len(data) > _MOST_BYTES:
        raise UsageError(f"{there.files[at].name} is no picture of a run.")
    return {"name": there.name, "step": there.steps[at], "png": base64.b64encode(data).decode()}


def _found(directory: Path) -> dict[str, Pictures]:
    return pictures_of(directory, files.names(directory))
