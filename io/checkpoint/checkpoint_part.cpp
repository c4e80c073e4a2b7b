// SPDX-License-Identifier: Apache-2.0
#include "io/checkpoint/checkpoint_part.hpp"

#include <fmt/format.h>
#include <stdexcept>
#include "io/files/sync.hpp"

namespace lbm::io {

std::optional<CheckpointPart> CheckpointPart::open(const std::filesystem::path& partial,
                                                   const ArrayPlace& place, int threads) {
  UniqueFd file = open_with_token(partial, place.token);
  if (!file.valid()) return std::nullopt;
  return CheckpointPart(std::move(file), place, threads);
}

int CheckpointPart::write_planes(std::int64_t first, std::span<const std::byte> bytes) {
  const auto count = static_cast<std::int64_t>(bytes.size() / place_.plane_bytes);
  if (bytes.size() % place_.plane_bytes != 0 || first < 0 || first + count > place_.planes) {
    throw std::logic_error(fmt::format("checkpoint: no planes {} to {} of {}", first,
                                       first + count - 1, place_.planes));
  }
  std::vector<std::uint64_t> sums(static_cast<std::size_t>(count));
  const auto begin = place_.offset + static_cast<std::uint64_t>(first) * place_.plane_bytes;
  if (const int error = values_.write(begin, place_.plane_bytes, bytes, sums)) return error;
  for (const std::uint64_t sum : sums) sums_.push_back({first++, sum});
  return 0;
}

// The process that created the file syncs its length, which is fixed; data suffices here.
int CheckpointPart::sync() const { return sync_to_disk(values_.fd()); }

}  // namespace lbm::io
