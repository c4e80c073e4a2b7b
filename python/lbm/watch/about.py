# SPDX-License-Identifier: Apache-2.0
"""The case and the report of a run, without any file outside of its directory."""

from __future__ import annotations

from functools import cached_property
from pathlib import Path
from typing import Any

from lbm._lbm import UsageError
from lbm.report_page import write
from lbm.report_page.source import Description, Source
from lbm.results import Results
from lbm.results.results import is_result
from lbm.watch import files
from lbm.watch.fields import refuse_other_files

_MOST_INDEX = 16 << 20  # bytes of report.json, and of the index of a series
_MOST_TABLE = 64 << 20  # bytes of a table that a whole report reads


class Inside(Source):
    """The results of a run, and nothing that its files name elsewhere."""

    @property
    def case_text(self) -> str:
        """The effective case."""
        return files.head(self.path / "effective_case.yaml", 1 << 18)

    @cached_property
    def description(self) -> Description:
        """None: it would be in the case file, which may lie anywhere."""
        return Description()

    @cached_property
    def _checked(self) -> dict[str, Any]:
        """Nothing: a check of the case would open the files that it names."""
        return {}

    @cached_property
    def entries(self) -> dict[str, Any]:
        """The keys of the case but for reference values in other files."""
        known = super().entries
        return {k: v for k, v in known.items() if not k.endswith(".file") or k[:6] != "expect"}


def _foreign(directory: Path) -> str:
    """The first file of a run that is a link or no file; empty: there is none."""
    for folder in (directory, directory / "before_divergence"):
        if folder.is_symlink():
            return folder.name
        if not folder.is_dir():
            continue
        for path in folder.iterdir():
            named = is_result(path.name) or path.name in ("run.log", ".lbm-lock")
            if named and files.regular(path) is None:
                return path.name
    return ""


def source_of(directory: Path) -> Inside:
    """The results of a run. Raises UsageError for a directory with links."""
    if name := _foreign(directory):
        raise UsageError(f"{name} is a link or no file: links in a directory are not followed.")
    for name in files.names(directory):
        if name == "report.json" or name.endswith((".series", ".pvd")):
            facts = files.regular(directory / name)
            if facts and facts.st_size > _MOST_INDEX:
                raise UsageError(f"{name} is too large to be one.")
    return Inside(Results(directory))


def about(directory: Path) -> dict[str, Any]:
    """Panels of text and tables, and the effective case."""
    case = files.head(directory / "effective_case.yaml", 1 << 18)
    return {"case": case, "panels": []}


def whole_page(directory: Path) -> str:
    """The report as a page of HTML (docs/report_page.md). Raises Error."""
    source = source_of(directory)
    for name in files.names(directory):
        facts = files.regular(directory / name)
        if name.endswith(".csv") and facts and facts.st_size > _MOST_TABLE:
            raise UsageError(
                f"{name} has {facts.st_size / 1e6:.0f} MB: python -m lbm report DIR reads it."
            )
        if name.endswith((".hdf", ".vtkhdf")):
            refuse_other_files(directory / name)
    return write.page_text(source)
