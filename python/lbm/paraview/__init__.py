# SPDX-License-Identifier: Apache-2.0
"""Scripts for ParaView."""

from lbm.paraview.script import paraview_script

__all__ = ["paraview_script"]
