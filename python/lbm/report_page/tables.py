# SPDX-License-Identifier: Apache-2.0
"""Tables of a run over time: read if they are not too large."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TypeVar

import numpy as np

from lbm._lbm import Error
from lbm.results import Table

T = TypeVar("T", bound=Table)

MOST_BYTES = 512 << 20  # of a table: reading one takes about six times its size in memory


def readable(tables: Mapping[str, T], most: int) -> tuple[dict[str, T], list[str]]:
    """The first tables that have rows, and a sentence for each that is left out."""
    found: dict[str, T] = {}
    notes = []
    names = list(tables)
    for name in names[:most]:
        table = tables[name]
        if why := _unreadable(table):
            notes.append(f"{table.path.name} is left out: {why}.")
        else:
            found[name] = table
    if len(names) > most:
        notes.append(f"{len(names) - most} more are not shown: {shortlist(names[most:])}.")
    return found, notes


def _unreadable(table: Table) -> str:
    """Why a table is not shown; empty where it can be."""
    try:
        size = table.path.stat().st_size
        if size > MOST_BYTES:
            return f"its {size / 1e9:.1f} GB are too much for a page"
        if "time" not in table.columns or not len(table["time"]):
            return "it has no row yet"
        if not np.isfinite(table["time"]).all():
            return "its times are not finite"
    except (Error, OSError) as error:
        return str(error).rstrip(".")
    return ""


def shortlist(names: Iterable[str]) -> str:
    """The first names of a list."""
    some = list(names)
    return ", ".join(some[:8]) + (", …" if len(some) > 8 else "")
