# SPDX-License-Identifier: Apache-2.0
"""The old name of lbm.report."""

from lbm._deprecated import renamed
from lbm.report import *  # noqa: F403

renamed("lbm.record", "lbm.report")
