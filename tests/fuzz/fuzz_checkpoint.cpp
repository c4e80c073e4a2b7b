// SPDX-License-Identifier: Apache-2.0
#include <fcntl.h>

#include <cstring>

#include "io/checkpoint/checkpoint.hpp"
#include "tests/fuzz/fuzzed_file.hpp"
#include "tests/fuzz/refusal.hpp"
#include "tests/fuzz/targets.hpp"

namespace lbm::fuzz {

namespace {

using namespace io::checkpoint;

// Makes the checksums of the first block and of all texts and tables right, whatever stands there:
// otherwise the checksums refuse nearly all files, and nothing behind them is reached.
void make_checksums_right(const std::filesystem::path& path, std::string_view bytes) {
  constexpr std::size_t first_number = 16, numbers = 4;  // see checkpoint_reader.cpp
  if (bytes.size() < user_block_bytes) return;
  const auto word = [&](std::size_t n) {
    std::uint64_t value = 0;
    std::memcpy(&value, bytes.data() + first_number + 8 * n, 8);
    return value;
  };
  UserBlock block{format, bytes.size(), 0, {}};
  block.arrays.resize(word(3) % (most_arrays + 1));
  for (std::size_t i = 0; i < block.arrays.size(); ++i) {
    block.arrays[i] = {word(numbers + 2 * i), word(numbers + 2 * i + 1)};
  }
  const io::UniqueFd file(::open(path.c_str(), O_RDWR | O_CLOEXEC));
  if (ranges_fit(block)) (void)checksum_rest(file.get(), block, block.rest_checksum);
  (void)io::write_at(file.get(), to_bytes(block), 0);
}

}  // namespace

// The first byte says whether the checksums are made right.
void read_checkpoint(std::string_view bytes) {
  if (bytes.empty()) return;
  const auto path = file_of("checkpoint_1.h5", bytes.substr(1));
  if (bytes[0] % 2 != 0) make_checksums_right(path, bytes.substr(1));
  (void)accepts([&] {
    const io::CheckpointReader reader(path);
    for (const char* name : {"header", "state", "case"}) (void)reader.text(name);
    for (std::size_t i = 0; i < reader.arrays().size(); ++i) {
      const auto& array = reader.arrays()[i];
      require(array.bytes() <= bytes.size(), "an array is larger than its file");
      std::vector<std::byte> plane(array.plane_bytes());
      for (std::int64_t z = 0; z < array.planes; ++z) reader.read_plane(i, z, plane);
    }
  });
}

}  // namespace lbm::fuzz
