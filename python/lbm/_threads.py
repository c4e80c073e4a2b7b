# SPDX-License-Identifier: Apache-2.0
"""Makes threads wait for each other without occupying the cores of a shared machine.

The program `lbm` does the same for itself (cases/cli/program.cpp). gcc's OpenMP
reads the setting when it is loaded. Where another package has loaded it before, the setting has no
effect, and runs on busy machines are slower.
"""

import os

if "OMP_WAIT_POLICY" not in os.environ and "GOMP_SPINCOUNT" not in os.environ:
    os.environ["GOMP_SPINCOUNT"] = "2000"
