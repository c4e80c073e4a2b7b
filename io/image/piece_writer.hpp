// Large arrays into a file by several threads.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "io/files/worker_team.hpp"
#include "io/image/image.hpp"

namespace lbm::io {

// Where `values` go in the file: from byte `offset` on, little endian.
struct FloatBlock {
  std::span<const float> values;
  std::uint64_t offset = 0;
  Precision precision = Precision::float32;
};

// Cuts blocks into pieces; the caller of write() and the helpers convert and write one at a time.
// How much of that runs at once is up to the file system: most let one thread at a time write to a
// file, but converting goes on beside it.
class PieceWriter {
 public:
  // fd must outlive the writer. threads: those that write, with the caller; at least 1.
  PieceWriter(int fd, int threads);

  // Returns when all is written: 0, or the errno of the first failure.
  int write(std::span<const FloatBlock> blocks);

 private:
  int write_piece(const FloatBlock& piece, std::vector<std::byte>& stored) const;

  int fd_;
  std::vector<FloatBlock> pieces_;              // of the call under way
  std::vector<std::vector<std::byte>> stored_;  // one for each worker
  WorkerTeam team_;
};

}  // namespace lbm::io
