// SPDX-License-Identifier: Apache-2.0
#include "io/checkpoint/checkpoint_planes.hpp"

#include <algorithm>
#include <utility>

#include "io/files/checksum.hpp"
#include "io/files/worker_team.hpp"

namespace lbm::io::checkpoint {

static_assert(piece_bytes % Checksum::block == 0);

PlanesWriter::PlanesWriter(UniqueFd file, int threads)
    : file_(std::move(file)), threads_(threads > 0 ? threads : writer_threads()) {}

// In groups, so that the disk starts early.
int PlanesWriter::write(std::uint64_t offset, std::size_t plane_bytes,
                        std::span<const std::byte> bytes, std::span<std::uint64_t> sums) {
  const auto planes = std::max<std::size_t>(1, EarlyWriteback::interval / plane_bytes);
  for (std::size_t first = 0; first < sums.size(); first += planes) {
    const auto count = std::min(planes, sums.size() - first);
    const auto part = bytes.subspan(first * plane_bytes, count * plane_bytes);
    if (const int error = write_group(offset + first * plane_bytes, plane_bytes, part,
                                      sums.subspan(first, count))) {
      return error;
    }
    writeback_.wrote(fd(), part.size());
  }
  return 0;
}

int PlanesWriter::write_group(std::uint64_t offset, std::size_t plane_bytes,
                              std::span<const std::byte> bytes,
                              std::span<std::uint64_t> sums) const {
  WorkerTeam team(static_cast<int>(std::min(sums.size(), static_cast<std::size_t>(threads_))));
  return team.run(sums.size(), [&](std::size_t i, std::size_t) {
    return write_plane(offset + i * plane_bytes, bytes.subspan(i * plane_bytes, plane_bytes),
                       sums[i]);
  });
}

int PlanesWriter::write_plane(std::uint64_t offset, std::span<const std::byte> bytes,
                              std::uint64_t& sum) const {
  Checksum checksum;
  for (std::size_t at = 0; at < bytes.size(); at += piece_bytes) {
    const auto piece = bytes.subspan(at, std::min(piece_bytes, bytes.size() - at));
    checksum.add(piece);
    if (const int error = write_at(fd(), piece, offset + at)) return error;
  }
  sum = checksum.value();
  return 0;
}

}  // namespace lbm::io::checkpoint
