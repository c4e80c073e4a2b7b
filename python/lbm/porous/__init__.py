# SPDX-License-Identifier: Apache-2.0
"""Porous media: images of voxels, cases from images, permeability, diffusion and dispersion.

docs/rock.md and docs/diffusion.md.
"""

from lbm.porous.image_case import PoreSpace, image_case, open_image, pore_space
from lbm.porous.images import (
    gaussian_field,
    mirrored,
    overlapping_number,
    overlapping_porosity,
    overlapping_spheres,
    overlapping_two_point,
    packed_spheres,
    porosity,
    random_spheres,
    save,
    sphere_array,
    spheres,
    sub_volumes,
    two_point,
)
from lbm.porous.pore_diffusion import (
    Diffusion,
    ExtrapolatedDiffusion,
    diffusion,
    extrapolated_diffusion,
)
from lbm.porous.pore_dispersion import Dispersion, dispersion
from lbm.porous.tensor import DARCY, PermeabilityTensor
from lbm.porous.tensor_runs import permeability_tensor

__all__ = [
    "DARCY",
    "Diffusion",
    "Dispersion",
    "ExtrapolatedDiffusion",
    "PermeabilityTensor",
    "PoreSpace",
    "diffusion",
    "dispersion",
    "extrapolated_diffusion",
    "gaussian_field",
    "image_case",
    "mirrored",
    "open_image",
    "overlapping_number",
    "overlapping_porosity",
    "overlapping_spheres",
    "overlapping_two_point",
    "packed_spheres",
    "permeability_tensor",
    "pore_space",
    "porosity",
    "random_spheres",
    "save",
    "sphere_array",
    "spheres",
    "sub_volumes",
    "two_point",
]
