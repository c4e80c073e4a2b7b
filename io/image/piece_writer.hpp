// SPDX-License-Identifier: Apache-2.0

// Writes or packs large arrays in several threads.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "io/files/worker_team.hpp"
#include "io/image/image.hpp"

namespace lbm::io {

// Values to store from byte `offset` of the file on, little endian.
struct FloatBlock {
  std::span<const float> values;
  std::uint64_t offset = 0;
  Precision precision = Precision::float32;
};

// Cuts blocks into pieces, which the caller of write() and the helpers convert and write one at a
// time. Several threads write to the file as mapped memory where it may be mapped: most file
// systems serialise other writes to one file.
class PieceWriter {
 public:
  // fd must outlive the writer. threads: at least 1, including the caller.
  PieceWriter(int fd, int threads);

  // Returns when all is written: 0, or the errno of the first failure.
  int write(std::span<const FloatBlock> blocks);

 private:
  struct Piece {
    FloatBlock block;
    std::byte* mapped;  // its place; null: not mapped
  };
  int write_piece(const Piece& piece, std::vector<std::byte>& stored) const;

  int fd_;
  std::vector<Piece> pieces_;                   // of the current call
  std::vector<std::vector<std::byte>> stored_;  // one per worker
  WorkerTeam team_;
};

// A range of a file in memory, to be written there: unlike write(), which most file systems do one
// at a time for a file, threads and processes write to it side by side.
class MappedRange {
 public:
  // Empty where writing to the memory could fail later, which would end the program: unless all
  // blocks of the file, which reaches to the end of the range, are reserved on a local disk (ext4,
  // XFS) or in memory (tmpfs). Also where the system refuses.
  static std::optional<MappedRange> open(int fd, std::uint64_t offset, std::size_t bytes);

  // Address of the first byte of the range.
  std::byte* data() const { return pages_.get() + before_; }

 private:
  struct Unmap {
    std::size_t bytes;
    void operator()(std::byte* pages) const;
  };
  MappedRange(std::byte* pages, std::size_t before, std::size_t bytes)
      : pages_(pages, Unmap{before + bytes}), before_(before) {}

  std::unique_ptr<std::byte, Unmap> pages_;
  std::size_t before_;  // bytes of the first page before the range
};

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
