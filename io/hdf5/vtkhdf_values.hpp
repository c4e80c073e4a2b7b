// Planes of an image without compression on their way into a VTKHDF file. For the .cpp files of io
// only.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "io/image/flat_image.hpp"
#include "io/image/piece_writer.hpp"

namespace lbm::io {

// Where memory is large the system would keep gigabytes until the end, and closing would take as
// long as the disk needs for all of them.
inline constexpr std::uint64_t writeback_bytes = std::uint64_t{64} << 20;

class VtkhdfValues {
 public:
  // fd must outlive it; offsets: where the arrays begin in the file; threads: as for PieceWriter.
  VtkhdfValues(int fd, const ImageGeometry& geometry, std::span<const ArrayInfo> arrays,
               std::vector<std::uint64_t> offsets, int threads);

  // Returns 0 or an errno. Looks at nothing: PlanesSeen does.
  int write_plane(int z, std::span<const std::span<const float>> arrays);

 private:
  int fd_;
  std::vector<ArrayInfo> arrays_;
  std::vector<std::uint64_t> offsets_;
  FlatPlanes flat_;
  PieceWriter pieces_;
  std::vector<FloatBlock> blocks_;   // of the call under way
  std::uint64_t waiting_bytes_ = 0;  // since the last start_writeback
};

}  // namespace lbm::io
