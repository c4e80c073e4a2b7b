// Large arrays into a file by several threads.
#pragma once

#include <condition_variable>
#include <cstdint>
#include <mutex>
#include <span>
#include <thread>
#include <vector>

namespace lbm::io {

// Where `values`, each multiplied by `scale`, go in the file: from byte `offset` on, little endian.
struct FloatBlock {
  std::span<const float> values;
  std::uint64_t offset = 0;
  float scale = 1;
};

// Cuts blocks into pieces; the caller of write() and the helpers scale and write one at a time. How
// much of that runs at once is up to the file system: most let one thread at a time write to a
// file, but scaling goes on beside it.
class PieceWriter {
 public:
  // fd must outlive the writer. threads: those that write, with the caller; at least 1.
  PieceWriter(int fd, int threads);
  ~PieceWriter();
  PieceWriter(const PieceWriter&) = delete;
  PieceWriter& operator=(const PieceWriter&) = delete;

  // Returns when all is written: 0, or the errno of the first failure.
  int write(std::span<const FloatBlock> blocks);

 private:
  void help();
  void write_pieces(std::unique_lock<std::mutex>& lock, std::vector<float>& scaled);
  int write_piece(const FloatBlock& piece, std::vector<float>& scaled) const;

  int fd_;
  std::mutex mutex_;
  std::condition_variable ready_, done_;
  std::vector<FloatBlock> pieces_;  // of the call under way
  std::size_t next_ = 0;            // piece that nobody has taken
  std::size_t left_ = 0;            // pieces not written yet
  int error_ = 0;
  bool stopping_ = false;
  std::vector<float> scaled_;          // the caller's
  std::vector<std::jthread> helpers_;  // last: they use all above
};

// Threads that are worth having for one file on this machine.
int writer_threads();

}  // namespace lbm::io
