#include "io/checkpoint/checkpoint_layout.hpp"

#include <algorithm>
#include <bit>
#include <cstring>
#include <string_view>

#include "io/files/checksum.hpp"

namespace lbm::io::checkpoint {
namespace {

static_assert(std::endian::native == std::endian::little, "values go to the file as they are");

constexpr std::string_view magic("lbm checkpoint\n\0", 16);
constexpr std::size_t sum_at = user_block_bytes - sizeof(std::uint64_t);
constexpr std::size_t numbers = 4;  // fields before the ranges
static_assert(magic.size() + 8 * (numbers + 2 * most_arrays) <= sum_at);

void put(UserBlockBytes& bytes, std::size_t at, std::uint64_t number) {
  std::memcpy(bytes.data() + at, &number, sizeof number);
}

std::uint64_t get(const UserBlockBytes& bytes, std::size_t at) {
  std::uint64_t number = 0;
  std::memcpy(&number, bytes.data() + at, sizeof number);
  return number;
}

constexpr std::size_t place(std::size_t number) { return magic.size() + 8 * number; }

}  // namespace

UserBlockBytes to_bytes(const UserBlock& block) {
  UserBlockBytes bytes{};
  std::memcpy(bytes.data(), magic.data(), magic.size());
  put(bytes, place(0), block.format);
  put(bytes, place(1), block.file_bytes);
  put(bytes, place(2), block.rest_checksum);
  put(bytes, place(3), block.arrays.size());
  for (std::size_t i = 0; i < block.arrays.size(); ++i) {
    put(bytes, place(numbers + 2 * i), block.arrays[i].begin);
    put(bytes, place(numbers + 2 * i + 1), block.arrays[i].end);
  }
  put(bytes, sum_at, checksum(std::span(bytes).first(sum_at)));
  return bytes;
}

std::string from_bytes(const UserBlockBytes& bytes, UserBlock& block) {
  if (std::memcmp(bytes.data(), magic.data(), magic.size()) != 0) return "is no checkpoint of lbm";
  if (get(bytes, sum_at) != checksum(std::span(bytes).first(sum_at))) {
    return "is damaged: the checksum of its first block is wrong";
  }
  block.format = get(bytes, place(0));
  if (block.format != format) return "is a checkpoint of another version of lbm";
  block.file_bytes = get(bytes, place(1));
  block.rest_checksum = get(bytes, place(2));
  block.arrays.resize(std::min<std::uint64_t>(get(bytes, place(3)), most_arrays));
  for (std::size_t i = 0; i < block.arrays.size(); ++i) {
    block.arrays[i] = {get(bytes, place(numbers + 2 * i)), get(bytes, place(numbers + 2 * i + 1))};
  }
  return {};
}

int checksum_rest(int fd, const UserBlock& block, std::uint64_t& sum) {
  std::vector<ByteRange> skipped = block.arrays;
  std::sort(skipped.begin(), skipped.end(),
            [](const ByteRange& a, const ByteRange& b) { return a.begin < b.begin; });
  skipped.push_back({block.file_bytes, block.file_bytes});
  std::vector<std::byte> rest;
  std::uint64_t at = user_block_bytes;
  for (const ByteRange& next : skipped) {
    if (next.begin > at) {
      const std::size_t before = rest.size();
      rest.resize(before + next.begin - at);
      if (const int error = read_at(fd, std::span(rest).subspan(before), at)) return error;
    }
    at = std::max(at, next.end);
  }
  sum = checksum(rest);
  return 0;
}

}  // namespace lbm::io::checkpoint
