# SPDX-License-Identifier: Apache-2.0
"""The report of a run: one page of HTML, or PDF, to read and to send (docs/report_page.md)."""

from lbm.report_page.write import write_report

__all__ = ["write_report"]
