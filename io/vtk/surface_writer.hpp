// Isosurfaces of fields, taken while their planes go by. In the library lbm_vtk.
#pragma once

#include "io/image/image.hpp"

namespace lbm::io {

struct SurfaceOptions {
  std::size_t scalar = 0;  // which array: one with one component
  double value = 0;        // of the scalar, on the surface
  int compression = 0;     // level of deflate: 0 none, 1 fast ... 9 small
  // Larger surfaces are written in pieces of about this size.
  std::uint64_t piece_bytes = std::uint64_t{64} << 20;
  // Planes are gathered in slabs of this size (two planes at least); up to three are in memory.
  std::uint64_t slab_bytes = std::uint64_t{64} << 20;
};

// An ImageWriter that takes the planes of an image and writes the surface where the scalar has the
// value, as triangles: `<stem>.vtp`, or `<stem>.pvtp` with pieces `<stem>_p0000.vtp`... beside it.
// The other arrays are interpolated onto it, all as float32. The surface of a slab ends at points
// that its neighbours have, too: once more, so merge coincident points to get one closed surface.
// A surface without a point is a file without one. There is no bound for the bytes of a surface:
// nothing is reserved. Throws UsageError when built without VTK; std::invalid_argument for an image
// with less than two points along an axis.
std::unique_ptr<ImageWriter> make_surface_writer(const std::filesystem::path& stem,
                                                 const ImageGeometry& geometry,
                                                 std::span<const ArrayInfo> arrays,
                                                 const FieldInfo& info,
                                                 const SurfaceOptions& options);

}  // namespace lbm::io
