// SPDX-License-Identifier: Apache-2.0

// Computes isosurfaces of fields from passing planes. Part of the library lbm_vtk.
#pragma once

#include "io/image/image.hpp"

namespace lbm::io {

struct SurfaceOptions {
  std::size_t scalar = 0;  // index of an array with one component
  double value = 0;        // isovalue of the scalar
  int compression = 0;     // deflate level: 0 none, 1 fast ... 9 small
  // Larger surfaces are written in pieces of about this size.
  std::uint64_t piece_bytes = std::uint64_t{64} << 20;
  // Planes are buffered in slabs of this size (at least two planes); up to three are in memory.
  std::uint64_t slab_bytes = std::uint64_t{64} << 20;
};

// An ImageWriter that writes the isosurface of the scalar as triangles: `<stem>.vtp`, or
// `<stem>.pvtp` with pieces `<stem>_p0000.vtp`... beside it. The other arrays are interpolated onto
// it as float32. Neighbouring slabs duplicate the points on their common border: merge coincident
// points to get one closed surface. An empty surface gives a file without points. Nothing is
// reserved, since the size is unbounded. Throws UsageError when built without VTK;
// std::invalid_argument for an image with fewer than two points along an axis.
std::unique_ptr<ImageWriter> make_surface_writer(const Place& stem, const ImageGeometry& geometry,
                                                 std::span<const ArrayInfo> arrays,
                                                 const FieldInfo& info,
                                                 const SurfaceOptions& options);

// True if VTK was built in.
bool writes_vtk();

}  // namespace lbm::io
