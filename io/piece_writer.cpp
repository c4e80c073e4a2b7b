#include "io/piece_writer.hpp"

#include <algorithm>
#include <bit>
#include <system_error>

#include "io/posix_file.hpp"

namespace lbm::io {
namespace {

static_assert(std::endian::native == std::endian::little, "values go to the file as they are");

constexpr std::size_t piece_values = std::size_t{1} << 17;  // 512 KiB: stays in a core's cache
constexpr std::size_t least_shared_pieces = 3;  // fewer are written before a helper is awake

}  // namespace

// The rest of the machine has other things to do, and one file takes only so much.
int writer_threads() {
  return std::clamp(static_cast<int>(std::thread::hardware_concurrency()) / 4, 1, 4);
}

PieceWriter::PieceWriter(int fd, int threads) : fd_(fd) {
  try {
    for (int i = 1; i < threads; ++i) helpers_.emplace_back([this] { help(); });
  } catch (const std::system_error&) {  // the system gives no more threads: fewer do as well
  }
}

PieceWriter::~PieceWriter() {
  {
    const std::scoped_lock lock(mutex_);
    stopping_ = true;
  }
  ready_.notify_all();
}

int PieceWriter::write(std::span<const FloatBlock> blocks) {
  std::unique_lock lock(mutex_);
  pieces_.clear();
  for (FloatBlock block : blocks) {
    while (!block.values.empty()) {
      const std::size_t count = std::min(piece_values, block.values.size());
      pieces_.push_back({block.values.first(count), block.offset, block.scale});
      block.values = block.values.subspan(count);
      block.offset += count * sizeof(float);
    }
  }
  next_ = 0;
  left_ = pieces_.size();
  error_ = 0;
  if (pieces_.size() >= least_shared_pieces) ready_.notify_all();
  write_pieces(lock, scaled_);
  done_.wait(lock, [this] { return left_ == 0; });
  return error_;
}

void PieceWriter::help() {
  std::vector<float> scaled;
  std::unique_lock lock(mutex_);
  while (true) {
    ready_.wait(lock, [this] { return stopping_ || next_ < pieces_.size(); });
    if (stopping_) return;
    write_pieces(lock, scaled);
  }
}

void PieceWriter::write_pieces(std::unique_lock<std::mutex>& lock, std::vector<float>& scaled) {
  while (next_ < pieces_.size()) {
    const FloatBlock piece = pieces_[next_++];
    lock.unlock();
    const int error = write_piece(piece, scaled);
    lock.lock();
    --left_;
    if (error != 0) {  // the rest is not worth writing
      if (error_ == 0) error_ = error;
      left_ -= pieces_.size() - next_;
      next_ = pieces_.size();
    }
    if (left_ == 0) done_.notify_one();
  }
}

int PieceWriter::write_piece(const FloatBlock& piece, std::vector<float>& scaled) const {
  if (piece.scale == 1) return write_at(fd_, std::as_bytes(piece.values), piece.offset);
  scaled.resize(std::max(scaled.size(), piece.values.size()));
  std::transform(piece.values.begin(), piece.values.end(), scaled.begin(),
                 [scale = piece.scale](float value) { return value * scale; });
  return write_at(fd_, std::as_bytes(std::span(scaled).first(piece.values.size())), piece.offset);
}

}  // namespace lbm::io
