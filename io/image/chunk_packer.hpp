// Chunks of HDF5 datasets, packed by several threads.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "io/files/worker_team.hpp"
#include "io/image/image.hpp"

namespace lbm::io {

// A chunk of `elements` values, of which the first ones are `values`; the rest (beyond the edge of
// a dataset) is zero.
struct Chunk {
  std::span<const float> values;
  std::size_t elements = 0;
  Precision precision = Precision::float32;
};

struct PackedChunk {
  std::vector<std::byte> bytes;
  std::uint32_t filter_mask = 0;  // as H5Dwrite_chunk wants it
};

// Does what HDF5's filters shuffle and deflate do (in this order), which HDF5 does with one thread.
class ChunkPacker {
 public:
  // level: 1 to 9. threads: with the caller, at least 1.
  ChunkPacker(int level, int threads);

  // One for each of `chunks`, until the next call. A chunk that deflate would make larger is only
  // shuffled. An errno, or 0.
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
  std::vector<Scratch> scratch_;  // one for each worker
  WorkerTeam team_;
};

}  // namespace lbm::io
