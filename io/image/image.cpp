// SPDX-License-Identifier: Apache-2.0
#include "io/image/image.hpp"

#include <fmt/format.h>
#include <linux/magic.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/vfs.h>
#include <unistd.h>
#include <zlib.h>

#include <algorithm>
#include <bit>
#include <cerrno>
#include <cmath>
#include <cstring>
#include <new>
#include <stdexcept>
#include <utility>

#include "io/files/place.hpp"
#include "solver/lattice/storage.hpp"

namespace lbm::io {
namespace {

std::size_t checked_planes(const ImageGeometry& geometry, std::span<const ArrayInfo> arrays) {
  const auto [nx, ny, nz] = geometry.points;
  if (nx < 1 || ny < 1 || nz < 1)
    throw std::invalid_argument(fmt::format("no image of {} x {} x {} points", nx, ny, nz));
  for (const ArrayInfo& array : arrays)
    if (array.name.empty() || array.name.find('/') != std::string::npos || array.components < 1)
      throw std::invalid_argument(
          fmt::format("no array '{}' of {} components", array.name, array.components));
  return static_cast<std::size_t>(nz);
}

static_assert(std::endian::native == std::endian::little, "values go to the file as they are");

template <typename T, typename Convert>
void store_each(std::span<const float> values, std::byte* to, Convert convert) {
  for (const float value : values) {
    const T stored = convert(value);
    std::memcpy(to, &stored, sizeof stored);
    to += sizeof stored;
  }
}

std::uint8_t to_uint8(float value) {
  if (!(value > 0)) return 0;  // NaN, too
  return static_cast<std::uint8_t>(std::lround(std::min(value, 255.0F)));
}

constexpr std::size_t piece_values = std::size_t{1} << 17;  // 512 KiB: fits a core's cache
constexpr std::size_t least_shared_pieces = 3;
// Fewer threads write faster with write(): memory that is mapped comes page by page.
constexpr std::size_t least_mapping_threads = 4;

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

constexpr std::uint32_t without_deflate = 1U << 1;  // mask bit of the second filter

// Stores the first bytes of all elements, then the second ones, and so on.
void shuffle(std::span<const std::byte> from, std::size_t width, std::byte* to) {
  const std::size_t elements = from.size() / width;
  for (std::size_t byte = 0; byte < width; ++byte)
    for (std::size_t i = 0; i < elements; ++i) *to++ = from[i * width + byte];
}

}  // namespace

PlanesSeen::PlanesSeen(const ImageGeometry& geometry, std::span<const ArrayInfo> arrays)
    : points_(0), arrays_(arrays.begin(), arrays.end()), seen_(checked_planes(geometry, arrays)) {
  points_ =
      static_cast<std::size_t>(geometry.points[0]) * static_cast<std::size_t>(geometry.points[1]);
}

void PlanesSeen::check_number(int z) const {
  if (z < 0 || static_cast<std::size_t>(z) >= seen_.size())
    throw std::out_of_range(fmt::format("plane {} of 0..{}", z, seen_.size() - 1));
  if (seen_[static_cast<std::size_t>(z)])
    throw std::logic_error(fmt::format("plane {} came twice", z));
}

void PlanesSeen::add_once(int z) {
  check_number(z);
  add(z);
}

void PlanesSeen::check(int z, std::span<const std::span<const float>> arrays) const {
  check_number(z);
  if (arrays.size() != arrays_.size())
    throw std::invalid_argument(
        fmt::format("{} arrays, the image has {}", arrays.size(), arrays_.size()));
  for (std::size_t i = 0; i < arrays.size(); ++i)
    if (arrays[i].size() != points_ * static_cast<std::size_t>(arrays_[i].components))
      throw std::invalid_argument(
          fmt::format("array {}: {} values for {} points with {} components", arrays_[i].name,
                      arrays[i].size(), points_, arrays_[i].components));
}

void PlanesSeen::check_complete() const {
  const auto missing = std::count(seen_.begin(), seen_.end(), false);
  if (missing == 0) return;
  const auto first = std::find(seen_.begin(), seen_.end(), false) - seen_.begin();
  throw std::logic_error(
      fmt::format("missing: {} of {} planes, the first is {}", missing, seen_.size(), first));
}

int bytes_of(Precision precision) {
  return precision == Precision::float32 ? 4 : precision == Precision::float16 ? 2 : 1;
}

void store(std::span<const float> values, Precision precision, std::byte* to) {
  if (precision == Precision::float16)
    // Not by its address, which cannot be inlined where the compiler must.
    store_each<std::uint16_t>(values, to, [](float value) { return float_to_half(value); });
  else if (precision == Precision::uint8)
    store_each<std::uint8_t>(values, to, to_uint8);
  else
    std::memcpy(to, values.data(), values.size_bytes());
}

ImageGeometry thickened(ImageGeometry geometry) {
  for (std::size_t d = 0; d < 3; ++d) {
    if (geometry.points[d] != 1) continue;
    geometry.points[d] = 2;
    geometry.origin[d] -= geometry.spacing[d] / 2;
  }
  return geometry;
}

FlatPlanes::FlatPlanes(const ImageGeometry& geometry, std::span<const ArrayInfo> arrays)
    : points_(geometry.points), doubled_(arrays.size()), planes_(arrays.size()) {
  for (const ArrayInfo& array : arrays) components_.push_back(array.components);
}

std::span<const float> FlatPlanes::doubled(std::size_t array, std::span<const float> values) {
  const auto [columns, rows, planes] = points_;
  if (columns != 1 && rows != 1) return values;
  std::vector<float>& result = doubled_[array];
  result.clear();
  const auto row = static_cast<std::size_t>(columns) * static_cast<std::size_t>(components_[array]);
  for (std::size_t at = 0; at < values.size(); at += row) {
    const auto one = values.subspan(at, row);
    for (int copy = 0; copy < (columns == 1 ? 2 : 1) * (rows == 1 ? 2 : 1); ++copy)
      result.insert(result.end(), one.begin(), one.end());
  }
  return result;
}

std::span<const std::span<const float>> FlatPlanes::doubled(
    std::span<const std::span<const float>> arrays) {
  for (std::size_t i = 0; i < planes_.size(); ++i) planes_[i] = doubled(i, arrays[i]);
  return planes_;
}

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
