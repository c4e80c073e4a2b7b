# SPDX-License-Identifier: Apache-2.0
"""`python -m lbm watch DIR`: a page on this machine that shows runs while they run."""
