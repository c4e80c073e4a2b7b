// SPDX-License-Identifier: Apache-2.0
#include "io/image/chunk_packer.hpp"

#include <zlib.h>

#include <algorithm>
#include <cerrno>
#include <new>

#include "io/image/stored_values.hpp"

namespace lbm::io {
namespace {

constexpr std::uint32_t without_deflate = 1U << 1;  // mask bit of the second filter

// Stores the first bytes of all elements, then the second ones, and so on.
void shuffle(std::span<const std::byte> from, std::size_t width, std::byte* to) {
  const std::size_t elements = from.size() / width;
  for (std::size_t byte = 0; byte < width; ++byte)
    for (std::size_t i = 0; i < elements; ++i) *to++ = from[i * width + byte];
}

}  // namespace

ChunkPacker::ChunkPacker(int level, int threads) : level_(level), team_(threads) {
  scratch_.resize(team_.size());
}

int ChunkPacker::pack(std::span<const Chunk> chunks) {
  count_ = chunks.size();
  packed_.resize(std::max(packed_.size(), count_));
  return team_.run(count_, [&](std::size_t chunk, std::size_t worker) {
    try {
      return pack_one(chunks[chunk], scratch_[worker], packed_[chunk]);
    } catch (const std::bad_alloc&) {
      return ENOMEM;
    }
  });
}

int ChunkPacker::pack_one(const Chunk& chunk, Scratch& scratch, PackedChunk& packed) const {
  const auto width = static_cast<std::size_t>(bytes_of(chunk.precision));
  const std::size_t bytes = chunk.elements * width;
  scratch.stored.assign(bytes, std::byte{0});
  store(chunk.values, chunk.precision, scratch.stored.data());
  scratch.shuffled.resize(bytes);
  shuffle(scratch.stored, width, scratch.shuffled.data());
  packed.bytes.resize(bytes);  // larger output is rejected
  auto size = static_cast<uLongf>(bytes);
  const int result = compress2(reinterpret_cast<Bytef*>(packed.bytes.data()), &size,
                               reinterpret_cast<const Bytef*>(scratch.shuffled.data()),
                               static_cast<uLong>(bytes), level_);
  if (result == Z_MEM_ERROR) return ENOMEM;
  if (result == Z_OK) {
    packed.filter_mask = 0;
    packed.bytes.resize(size);
  } else {
    packed.filter_mask = without_deflate;
    packed.bytes.assign(scratch.shuffled.begin(), scratch.shuffled.end());
  }
  return 0;
}

}  // namespace lbm::io
