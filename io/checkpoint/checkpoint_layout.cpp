// SPDX-License-Identifier: Apache-2.0
#include "io/checkpoint/checkpoint_layout.hpp"

#include <algorithm>
#include <bit>
#include <cstddef>
#include <span>

#include "io/files/checksum.hpp"
#include "io/files/place.hpp"

namespace lbm::io::checkpoint {
namespace {

static_assert(std::endian::native == std::endian::little, "values go to the file as they are");

constexpr std::array magic{'l', 'b', 'm', ' ', 'c', 'h', 'e',  'c',
                           'k', 'p', 'o', 'i', 'n', 't', '\n', '\0'};

// The user block as it lies in the file.
struct Stored {
  std::array<char, 16> magic{};
  std::uint64_t format = 0, file_bytes = 0, rest_checksum = 0, arrays = 0;
  std::array<ByteRange, most_arrays> ranges{};
  std::array<std::uint64_t, 305> unused{};
  std::uint64_t checksum = 0;  // of all above

  std::uint64_t right_checksum() const {
    return io::checksum(std::as_bytes(std::span(this, 1)).first(offsetof(Stored, checksum)));
  }
};
static_assert(sizeof(Stored) == user_block_bytes);

}  // namespace

UserBlockBytes to_bytes(const UserBlock& block) {
  Stored stored{magic, block.format, block.file_bytes, block.rest_checksum, block.arrays.size()};
  std::copy(block.arrays.begin(), block.arrays.end(), stored.ranges.begin());
  stored.checksum = stored.right_checksum();
  return std::bit_cast<UserBlockBytes>(stored);
}

std::string from_bytes(const UserBlockBytes& bytes, UserBlock& block) {
  const auto stored = std::bit_cast<Stored>(bytes);
  if (stored.magic != magic) return "is no checkpoint of lbm";
  if (stored.checksum != stored.right_checksum()) {
    return "is damaged: the checksum of its first block is wrong";
  }
  if (stored.format != format) return "is a checkpoint of another version of lbm";
  const auto count = static_cast<long>(std::min<std::uint64_t>(stored.arrays, most_arrays));
  block = {stored.format, stored.file_bytes, stored.rest_checksum, {}};
  block.arrays.assign(stored.ranges.begin(), stored.ranges.begin() + count);
  return {};
}

bool ranges_fit(const UserBlock& block) {
  return std::all_of(block.arrays.begin(), block.arrays.end(), [&](const ByteRange& array) {
    return array.begin >= user_block_bytes && array.begin <= array.end &&
           array.end <= block.file_bytes;
  });
}

int checksum_rest(int fd, const UserBlock& block, std::uint64_t& sum) {
  std::vector<ByteRange> skipped = block.arrays;
  std::sort(skipped.begin(), skipped.end(),
            [](const ByteRange& a, const ByteRange& b) { return a.begin < b.begin; });
  skipped.push_back({block.file_bytes, block.file_bytes});
  // The buffer of a small file is small: it is cleared for each file.
  std::vector<std::byte> buffer(std::min<std::uint64_t>(block.file_bytes, piece_bytes));
  Checksum rest;
  std::uint64_t at = user_block_bytes;
  for (const ByteRange& next : skipped) {
    for (std::size_t count = 0; at < next.begin; at += count) {
      count = std::min<std::uint64_t>(next.begin - at, buffer.size());
      const auto piece = std::span(buffer).first(count);
      if (const int error = read_at(fd, piece, at)) return error;
      rest.add(piece);
    }
    at = std::max(at, next.end);
  }
  sum = rest.value();
  return 0;
}

}  // namespace lbm::io::checkpoint
