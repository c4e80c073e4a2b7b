// SPDX-License-Identifier: Apache-2.0

// Instead of the writer of isosurfaces, in a program built without VTK.
#include "io/vtk/surface_writer.hpp"
#include "solver/core/error.hpp"

namespace lbm::io {

std::unique_ptr<ImageWriter> make_surface_writer(const Place& stem, const ImageGeometry&,
                                                 std::span<const ArrayInfo>, const FieldInfo&,
                                                 const SurfaceOptions&) {
  throw UsageError(stem.path().string() +
                   ".vtp: this program was built without VTK, which takes and writes isosurfaces; "
                   "leave them out, or install libvtk9-dev and build again");
}

bool writes_vtk() { return false; }

}  // namespace lbm::io
