# SPDX-License-Identifier: Apache-2.0
"""Draws the pictures of a run (docs/pictures.md)."""
