// SPDX-License-Identifier: Apache-2.0
#include "io/image/piece_writer.hpp"

#include <algorithm>

#include "io/files/posix_file.hpp"
#include "io/image/stored_values.hpp"

namespace lbm::io {
namespace {

constexpr std::size_t piece_values = std::size_t{1} << 17;  // 512 KiB: fits a core's cache
constexpr std::size_t least_shared_pieces = 3;

}  // namespace

PieceWriter::PieceWriter(int fd, int threads) : fd_(fd), team_(threads) {
  stored_.resize(team_.size());
}

int PieceWriter::write(std::span<const FloatBlock> blocks) {
  pieces_.clear();
  for (FloatBlock block : blocks) {
    while (!block.values.empty()) {
      FloatBlock piece = block;
      piece.values = block.values.first(std::min(piece_values, block.values.size()));
      pieces_.push_back(piece);
      block.values = block.values.subspan(piece.values.size());
      block.offset += piece.values.size() * static_cast<std::size_t>(bytes_of(block.precision));
    }
  }
  const auto write_one = [this](std::size_t piece, std::size_t worker) {
    return write_piece(pieces_[piece], stored_[worker]);
  };
  return team_.run(pieces_.size(), write_one, least_shared_pieces);
}

int PieceWriter::write_piece(const FloatBlock& piece, std::vector<std::byte>& stored) const {
  if (piece.precision == Precision::float32)
    return write_at(fd_, std::as_bytes(piece.values), piece.offset);
  const std::size_t bytes =
      piece.values.size() * static_cast<std::size_t>(bytes_of(piece.precision));
  stored.resize(std::max(stored.size(), bytes));
  store(piece.values, piece.precision, stored.data());
  return write_at(fd_, std::span(stored).first(bytes), piece.offset);
}

}  // namespace lbm::io
