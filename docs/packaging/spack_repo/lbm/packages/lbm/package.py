# SPDX-License-Identifier: Apache-2.0
"""Spack recipe of lbm: spack repo add docs/packaging/spack_repo/lbm && spack install lbm (docs/install.md)."""

import pathlib

from spack_repo.builtin.build_systems.cmake import CMakePackage
from spack_repo.builtin.build_systems.cuda import CudaPackage

from spack.package import *

# The recipe lies in a checkout, and builds what that checkout has committed.
CHECKOUT = pathlib.Path(__file__).resolve().parents[6]


class Lbm(CMakePackage, CudaPackage):
    """Out-of-core lattice Boltzmann solver: fluid flow on grids larger than the memory of a GPU."""

    git = CHECKOUT.as_uri()

    license("Apache-2.0")

    version("main", branch="main")
    version("1.0.0", tag="v1.0.0")

    variant("mpi", default=True, description="Several processes share a grid")
    variant("tiff", default=True, description="Read images in TIFF files")
    variant("vtk", default=False, description="Write isosurfaces")

    generator("ninja")

    depends_on("c", type="build")
    depends_on("cxx", type="build")
    depends_on("cmake@3.22:", type="build")
    depends_on("hdf5")
    depends_on("hdf5+mpi", when="+mpi")
    depends_on("zlib-api")
    depends_on("yaml-cpp")
    depends_on("muparser")
    depends_on("nlohmann-json")
    depends_on("libtiff", when="+tiff")
    depends_on("cli11")
    depends_on("fmt")
    depends_on("mpi", when="+mpi")
    depends_on("vtk@9:", when="+vtk")
    depends_on("cuda@12:", when="+cuda")

    conflicts("%gcc@:11", msg="lbm is C++20: gcc 12 or later")

    def cmake_args(self):
        options = [
            self.define("LBM_TESTS", False),
            self.define("LBM_PYTHON", False),
            self.define_from_variant("LBM_CUDA", "cuda"),
            self.define_from_variant("LBM_MPI", "mpi"),
            self.define_from_variant("LBM_TIFF", "tiff"),
            self.define_from_variant("LBM_VTK", "vtk"),
        ]
        architectures = self.spec.variants["cuda_arch"].value if self.spec.satisfies("+cuda") else ()
        if architectures and "none" not in architectures:
            options.append(self.define("CMAKE_CUDA_ARCHITECTURES", list(architectures)))
        return options
