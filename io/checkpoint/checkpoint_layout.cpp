// SPDX-License-Identifier: Apache-2.0
#include "io/checkpoint/checkpoint_layout.hpp"

#include <algorithm>
#include <bit>
#include <cstring>
#include <string_view>

#include "io/files/checksum.hpp"
#include "io/files/descriptor.hpp"

namespace lbm::io::checkpoint {
namespace {

static_assert(std::endian::native == std::endian::little, "values go to the file as they are");

using Words = std::array<std::uint64_t, user_block_bytes / 8>;

constexpr std::string_view magic("lbm checkpoint\n\0", 16);
constexpr std::size_t first_word = 2;  // behind the magic
constexpr std::size_t numbers = 4;     // before the ranges
static_assert(first_word + numbers + 2 * most_arrays < std::tuple_size_v<Words>);

std::uint64_t checksum_of(const Words& words) {
  return checksum(std::as_bytes(std::span(words).first(words.size() - 1)));
}

}  // namespace

UserBlockBytes to_bytes(const UserBlock& block) {
  Words words{};
  std::memcpy(words.data(), magic.data(), magic.size());
  auto next = words.begin() + first_word;
  for (const std::uint64_t number :
       {block.format, block.file_bytes, block.rest_checksum, block.arrays.size()}) {
    *next++ = number;
  }
  for (const ByteRange& array : block.arrays) {
    *next++ = array.begin;
    *next++ = array.end;
  }
  words.back() = checksum_of(words);
  return std::bit_cast<UserBlockBytes>(words);
}

std::string from_bytes(const UserBlockBytes& bytes, UserBlock& block) {
  if (std::memcmp(bytes.data(), magic.data(), magic.size()) != 0) return "is no checkpoint of lbm";
  const auto words = std::bit_cast<Words>(bytes);
  if (words.back() != checksum_of(words)) {
    return "is damaged: the checksum of its first block is wrong";
  }
  const auto word = words.begin() + first_word;
  block.format = word[0];
  if (block.format != format) return "is a checkpoint of another version of lbm";
  block.file_bytes = word[1];
  block.rest_checksum = word[2];
  block.arrays.resize(std::min<std::uint64_t>(word[3], most_arrays));
  for (std::size_t i = 0; i < block.arrays.size(); ++i) {
    block.arrays[i] = {word[numbers + 2 * i], word[numbers + 2 * i + 1]};
  }
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
