# SPDX-License-Identifier: Apache-2.0
"""`python -m lbm report DIR`: writes the report of a run."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence

from lbm._lbm import Error, ResourceError
from lbm.report_page.write import write_report

_WRONG_USE, _NO_RESOURCE = 2, 4  # the exit codes of the program (docs/cli.md)


def main(arguments: Sequence[str]) -> int:
    """Runs the command; returns its exit code. An error is one line on stderr."""
    parser = argparse.ArgumentParser(
        prog="python -m lbm report",
        description="Writes the results of a run as one page of HTML, or PDF, to read or to send.",
    )
    parser.add_argument("directory", metavar="DIR", help="the directory of a run")
    parser.add_argument(
        "--to", metavar="FILE", help="file that ends in .html or .pdf (default: DIR/report.html)"
    )
    parser.add_argument(
        "--overwrite", action="store_true", help="replace FILE, whatever it is, but no result"
    )
    given = parser.parse_args(arguments)
    try:
        print(write_report(given.directory, given.to, overwrite=given.overwrite))
    except Error as error:
        print(f"lbm: {error}".replace("overwrite=True", "--overwrite"), file=sys.stderr)
        return _NO_RESOURCE if isinstance(error, ResourceError) else _WRONG_USE
    return 0
