# SPDX-License-Identifier: Apache-2.0
"""The old name of lbm.studies.parameter_study."""

from lbm._deprecated import renamed
from lbm.studies.parameter_study import *  # noqa: F403

renamed("lbm.studies.family", "lbm.studies.parameter_study")
