"""Threads that wait for each other without burning the cores of a shared machine.

The program `lbm` does the same for itself (cases/cli/terminal/patient_threads.hpp). gcc's OpenMP reads the
setting when it is loaded; where another package has loaded it before, this comes too late and
nothing is lost but speed on busy machines.
"""

import os

if "OMP_WAIT_POLICY" not in os.environ and "GOMP_SPINCOUNT" not in os.environ:
    os.environ["GOMP_SPINCOUNT"] = "20000"
