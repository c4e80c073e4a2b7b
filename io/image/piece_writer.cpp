// SPDX-License-Identifier: Apache-2.0
#include "io/image/piece_writer.hpp"

#include <linux/magic.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/vfs.h>
#include <unistd.h>
#include <zlib.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <new>
#include <utility>

#include "io/files/place.hpp"
#include "io/image/image.hpp"

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

namespace {

constexpr std::int64_t xfs_magic = 0x58465342;
constexpr std::uint64_t block = 512;  // of stat()

bool is_local(int fd) {
  struct statfs system {};
  if (::fstatfs(fd, &system) != 0) return false;
  const auto type = static_cast<std::int64_t>(system.f_type);
  return type == TMPFS_MAGIC || type == EXT4_SUPER_MAGIC || type == xfs_magic;
}

// True if the file has at least `end` bytes and no holes.
bool is_reserved(int fd, std::uint64_t end) {
  struct stat file {};
  if (::fstat(fd, &file) != 0) return false;
  const auto size = static_cast<std::uint64_t>(file.st_size);
  return size >= end && static_cast<std::uint64_t>(file.st_blocks) * block >= size;
}

}  // namespace

std::optional<MappedRange> MappedRange::open(int fd, std::uint64_t offset, std::size_t bytes) {
  if (bytes == 0 || !is_local(fd) || !is_reserved(fd, offset + bytes)) return std::nullopt;
  const auto page = static_cast<std::uint64_t>(::sysconf(_SC_PAGESIZE));
  const std::uint64_t first = offset / page * page;
  const auto before = static_cast<std::size_t>(offset - first);
  void* const pages = ::mmap(nullptr, before + bytes, PROT_READ | PROT_WRITE, MAP_SHARED, fd,
                             static_cast<off_t>(first));
  if (pages == MAP_FAILED) return std::nullopt;
  return MappedRange(static_cast<std::byte*>(pages), before, bytes);
}

void MappedRange::Unmap::operator()(std::byte* pages) const { ::munmap(pages, bytes); }

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
