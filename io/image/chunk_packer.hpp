// SPDX-License-Identifier: Apache-2.0

// Packs chunks of HDF5 datasets in several threads.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "io/files/worker_team.hpp"
#include "io/image/image.hpp"

namespace lbm::io {

// A chunk of `elements` values: `values`, then zeros (beyond the edge of the dataset).
struct Chunk {
  std::span<const float> values;
  std::size_t elements = 0;
  Precision precision = Precision::float32;
};

struct PackedChunk {
  std::vector<std::byte> bytes;
  std::uint32_t filter_mask = 0;  // for H5Dwrite_chunk
};

// Applies HDF5's filters shuffle and deflate, in this order, which HDF5 runs in one thread.
class ChunkPacker {
 public:
  // level: 1 to 9. threads: at least 1, including the caller.
  ChunkPacker(int level, int threads);

  // Packs each chunk; packed() is valid until the next call. Chunks that deflate would enlarge are
  // only shuffled. Returns 0 or an errno.
  int pack(std::span<const Chunk> chunks);
  std::span<const PackedChunk> packed() const { return {packed_.data(), count_}; }

 private:
  struct Scratch {
    std::vector<std::byte> stored, shuffled;
  };
  int pack_one(const Chunk& chunk, Scratch& scratch, PackedChunk& packed) const;

  int level_;
  std::size_t count_ = 0;
  std::vector<PackedChunk> packed_;
  std::vector<Scratch> scratch_;  // one per worker
  WorkerTeam team_;
};

}  // namespace lbm::io
