# SPDX-License-Identifier: Apache-2.0
"""The old name of lbm.results.errors."""

from lbm._deprecated import renamed
from lbm.results.errors import *  # noqa: F403

renamed("lbm.results.trouble", "lbm.results.errors")
