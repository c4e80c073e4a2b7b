// SPDX-License-Identifier: Apache-2.0
#include "io/checkpoint/checkpoint_part.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

#include "io/checkpoint/checkpoint_layout.hpp"
#include "io/files/checksum.hpp"
#include "io/files/worker_team.hpp"

namespace lbm::io {
namespace {

// Returns 0 or an errno.
int write_plane(int fd, std::uint64_t offset, std::span<const std::byte> bytes,
                std::uint64_t& sum) {
  Checksum checksum;
  for (std::size_t at = 0; at < bytes.size(); at += checkpoint::piece_bytes) {
    const auto piece = bytes.subspan(at, std::min(checkpoint::piece_bytes, bytes.size() - at));
    checksum.add(piece);
    if (const int error = write_at(fd, piece, offset + at)) return error;
  }
  sum = checksum.value();
  return 0;
}

}  // namespace

checkpoint::PlanesWriter::PlanesWriter(UniqueFd file, int threads)
    : file_(std::move(file)), threads_(threads > 0 ? threads : writer_threads()) {}

int checkpoint::PlanesWriter::write(const ArrayPlace& array, std::int64_t first,
                                    std::span<const std::byte> bytes, std::vector<PlaneSum>& sums) {
  const auto planes = static_cast<std::int64_t>(bytes.size() / array.plane_bytes);
  if (bytes.size() % array.plane_bytes != 0 || first < 0 || first + planes > array.planes) {
    throw std::logic_error(fmt::format("checkpoint: no planes {} to {} of {}", first,
                                       first + planes - 1, array.planes));
  }
  const std::size_t before = sums.size(), count = static_cast<std::size_t>(planes);
  for (std::int64_t z = first; z < first + planes; ++z) sums.push_back({z, 0});
  WorkerTeam team(static_cast<int>(std::min(count, static_cast<std::size_t>(threads_))));
  // In groups, so that the disk starts early.
  const auto group = std::max<std::size_t>(1, EarlyWriteback::interval / array.plane_bytes);
  for (std::size_t begin = 0; begin < count; begin += group) {
    const std::size_t part = std::min(group, count - begin);
    const int error = team.run(part, [&](std::size_t i, std::size_t) {
      PlaneSum& sum = sums[before + begin + i];
      return write_plane(
          fd(), array.offset + static_cast<std::uint64_t>(sum.plane) * array.plane_bytes,
          bytes.subspan((begin + i) * array.plane_bytes, array.plane_bytes), sum.checksum);
    });
    if (error != 0) {
      sums.resize(before);
      return error;
    }
    writeback_.wrote(fd(), part * array.plane_bytes);
  }
  return 0;
}

std::optional<CheckpointPart> CheckpointPart::open(const std::filesystem::path& partial,
                                                   const ArrayPlace& place, int threads) {
  UniqueFd file = open_with_token(partial, place.token);
  if (!file.valid()) return std::nullopt;
  return CheckpointPart(std::move(file), place, threads);
}

}  // namespace lbm::io
