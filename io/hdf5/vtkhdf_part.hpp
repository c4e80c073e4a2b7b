// SPDX-License-Identifier: Apache-2.0

// Writes planes into an image file that another process has created.
#pragma once

#include <memory>
#include <optional>
#include <span>

#include "io/hdf5/vtkhdf_values.hpp"
#include "io/image/planes_seen.hpp"

namespace lbm::io {

class VtkhdfPart {
 public:
  // Opened from ImageWriter::share. Empty if the path leads to no writable file or to a different
  // one. geometry, arrays: those of the image. threads: as in ImageOptions.
  static std::optional<VtkhdfPart> open(const ImagePlace& place, const ImageGeometry& geometry,
                                        std::span<const ArrayInfo> arrays, int threads = 0);

  // As ImageWriter::write_plane, but returns 0 or an errno.
  int write_plane(int z, std::span<const std::span<const float>> arrays);
  // Flushes all written planes to the disk, visible to every host. Returns 0 or an errno.
  int sync() const;

 private:
  VtkhdfPart(UniqueFd file, const ImagePlace& place, const ImageGeometry& geometry,
             std::span<const ArrayInfo> arrays, int threads);

  UniqueFd file_;
  PlanesSeen seen_;
  std::unique_ptr<VtkhdfValues> values_;
};

}  // namespace lbm::io
