# SPDX-License-Identifier: Apache-2.0
"""Arrays of NumPy in and out of cases and simulations."""
