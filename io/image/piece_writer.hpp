// SPDX-License-Identifier: Apache-2.0

// Writes large arrays into a file in several threads.
#pragma once

#include <cstdint>
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

}  // namespace lbm::io
