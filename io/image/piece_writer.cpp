// SPDX-License-Identifier: Apache-2.0
#include "io/image/piece_writer.hpp"

#include <algorithm>
#include <cstring>

#include "io/files/posix_file.hpp"
#include "io/image/mapped_range.hpp"
#include "io/image/stored_values.hpp"

namespace lbm::io {
namespace {

constexpr std::size_t piece_values = std::size_t{1} << 17;  // 512 KiB: fits a core's cache
constexpr std::size_t least_shared_pieces = 3;
// Fewer threads write faster with write(): memory that is mapped comes page by page.
constexpr std::size_t least_mapping_threads = 4;

}  // namespace

PieceWriter::PieceWriter(int fd, int threads) : fd_(fd), team_(threads) {
  stored_.resize(team_.size());
}

int PieceWriter::write(std::span<const FloatBlock> blocks) {
  pieces_.clear();
  std::vector<MappedRange> ranges;
  for (FloatBlock block : blocks) {
    const auto size = static_cast<std::size_t>(bytes_of(block.precision));
    std::byte* mapped = nullptr;
    if (team_.size() >= least_mapping_threads) {
      auto range = MappedRange::open(fd_, block.offset, block.values.size() * size);
      if (range) mapped = ranges.emplace_back(std::move(*range)).data();
    }
    while (!block.values.empty()) {
      FloatBlock piece = block;
      piece.values = block.values.first(std::min(piece_values, block.values.size()));
      pieces_.push_back({piece, mapped});
      const std::size_t bytes = piece.values.size() * size;
      block.values = block.values.subspan(piece.values.size());
      block.offset += bytes;
      if (mapped != nullptr) mapped += bytes;
    }
  }
  const auto write_one = [this](std::size_t piece, std::size_t worker) {
    return write_piece(pieces_[piece], stored_[worker]);
  };
  return team_.run(pieces_.size(), write_one, least_shared_pieces);
}

int PieceWriter::write_piece(const Piece& piece, std::vector<std::byte>& stored) const {
  const FloatBlock& block = piece.block;
  std::span<const std::byte> bytes = std::as_bytes(block.values);
  if (block.precision != Precision::float32) {
    const std::size_t size =
        block.values.size() * static_cast<std::size_t>(bytes_of(block.precision));
    stored.resize(std::max(stored.size(), size));
    store(block.values, block.precision, stored.data());
    bytes = std::span(stored).first(size);
  }
  if (piece.mapped == nullptr) return write_at(fd_, bytes, block.offset);
  std::memcpy(piece.mapped, bytes.data(), bytes.size());
  return 0;
}

}  // namespace lbm::io
