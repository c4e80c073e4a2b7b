# SPDX-License-Identifier: Apache-2.0
"""The old name of lbm.results.slices."""

from lbm._deprecated import renamed
from lbm.results.slices import *  # noqa: F403

renamed("lbm.results.cut", "lbm.results.slices")
