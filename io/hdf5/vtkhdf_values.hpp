// SPDX-License-Identifier: Apache-2.0

// Writes planes of an uncompressed image into a VTKHDF file. Internal to the .cpp files of io.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "io/files/posix_file.hpp"
#include "io/image/flat_image.hpp"
#include "io/image/piece_writer.hpp"

namespace lbm::io {

class VtkhdfValues {
 public:
  // fd must outlive the object; offsets: of the arrays in the file; threads: as in PieceWriter.
  VtkhdfValues(int fd, const ImageGeometry& geometry, std::span<const ArrayInfo> arrays,
               std::vector<std::uint64_t> offsets, int threads);

  // Returns 0 or an errno. Checks nothing; PlanesSeen does.
  int write_plane(int z, std::span<const std::span<const float>> arrays);

 private:
  int fd_;
  std::vector<ArrayInfo> arrays_;
  std::vector<std::uint64_t> offsets_;
  FlatPlanes flat_;
  PieceWriter pieces_;
  std::vector<FloatBlock> blocks_;  // of the current call
  EarlyWriteback writeback_;
};

}  // namespace lbm::io
