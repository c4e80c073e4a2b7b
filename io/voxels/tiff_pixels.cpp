// SPDX-License-Identifier: Apache-2.0
#include "io/voxels/tiff_pixels.hpp"

#include <zlib.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>
#include <limits>
#include <vector>

#include "io/files/byte_order.hpp"

namespace lbm::io {
namespace {

constexpr std::size_t most_at_once = std::numeric_limits<uInt>::max();

bool unpack_bits(std::span<const std::byte> packed, std::span<std::byte> to) {
  std::size_t at = 0, i = 0;
  while (at < to.size() && i < packed.size()) {
    const auto head = std::to_integer<std::int8_t>(packed[i++]);
    if (head == -128) continue;
    const std::size_t count =
        std::min(static_cast<std::size_t>(head < 0 ? 1 - head : 1 + head), to.size() - at);
    if (packed.size() - i < (head < 0 ? 1 : count)) return false;
    const auto target = to.subspan(at, count);
    if (head < 0) {
      std::fill(target.begin(), target.end(), packed[i++]);
    } else {
      std::copy_n(packed.begin() + static_cast<std::ptrdiff_t>(i), count, target.begin());
      i += count;
    }
    at += count;
  }
  return at == to.size();
}

bool inflate_all(std::span<const std::byte> packed, std::span<std::byte> to) {
  if (packed.size() > most_at_once || to.size() > most_at_once) return false;
  z_stream stream{};
  if (inflateInit(&stream) != Z_OK) return false;
  // zlib does not write to its input, whatever its type says.
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<std::byte*>(packed.data()));
  stream.avail_in = static_cast<uInt>(packed.size());
  stream.next_out = reinterpret_cast<Bytef*>(to.data());
  stream.avail_out = static_cast<uInt>(to.size());
  (void)inflate(&stream, Z_FINISH);
  const bool is_full = stream.avail_out == 0;
  inflateEnd(&stream);
  return is_full;
}

// Codes of 9 to 12 bits, the highest bit first. A code stands for a byte, or for bytes that were
// written before: those of the last code and one more.
class LzwReader {
 public:
  LzwReader(std::span<const std::byte> packed, std::span<std::byte> to)
      : packed_(packed), to_(to) {}

  bool unpack() {
    while (at_ < to_.size()) {
      const int code = next_code();
      if (code < 0 || code == end) return false;
      if (code == clear) {
        used_ = first_free;
        width_ = least_width;
        last_ = {};
      } else if (!write(static_cast<std::size_t>(code))) {
        return false;
      }
    }
    return true;
  }

 private:
  struct Piece {
    std::size_t at = 0, length = 0;  // written
  };
  static constexpr int clear = 256, end = 257;
  static constexpr std::size_t first_free = 258, codes = 4096;
  static constexpr unsigned least_width = 9, most_width = 12;

  int next_code() {
    while (bits_ < width_) {
      if (i_ == packed_.size()) return -1;
      buffer_ = buffer_ << 8 | std::to_integer<std::uint32_t>(packed_[i_++]);
      bits_ += 8;
    }
    bits_ -= width_;
    return static_cast<int>(buffer_ >> bits_ & ((1U << width_) - 1));
  }

  bool write(std::size_t code) {
    const std::size_t begin = at_;
    if (code < clear) {
      to_[at_++] = static_cast<std::byte>(code);
    } else if (last_.length == 0 || code > used_ || (code == used_ && used_ == codes)) {
      return false;
    } else {
      // The code that is just being made: its last byte is the first of itself.
      const Piece piece = code == used_ ? Piece{last_.at, last_.length + 1} : table_[code];
      const std::size_t count = std::min(piece.length, to_.size() - at_);
      for (std::size_t k = 0; k < count; ++k) to_[at_++] = to_[piece.at + k];
    }
    if (last_.length > 0 && used_ < codes) table_[used_++] = {last_.at, last_.length + 1};
    // One code earlier than necessary, as all writers of TIFF do.
    if (used_ + 1 >= std::size_t{1} << width_ && width_ < most_width) ++width_;
    last_ = {begin, at_ - begin};
    return true;
  }

  std::span<const std::byte> packed_;
  std::span<std::byte> to_;
  std::size_t i_ = 0, at_ = 0, used_ = first_free;
  std::uint32_t buffer_ = 0;
  unsigned bits_ = 0, width_ = least_width;
  Piece last_;
  std::array<Piece, codes> table_{};
};

template <class T>
void sum_rows(std::span<std::byte> numbers, std::size_t width) {
  const std::size_t row = width * sizeof(T);
  for (std::size_t begin = 0; row > 0 && begin + row <= numbers.size(); begin += row) {
    T sum = 0;
    for (std::size_t i = 0; i < width; ++i) {
      std::byte* place = &numbers[begin + i * sizeof(T)];
      T difference;
      std::memcpy(&difference, place, sizeof(T));
      sum = static_cast<T>(sum + difference);
      std::memcpy(place, &sum, sizeof(T));
    }
  }
}

// Reads piece after piece.
class PageReader {
 public:
  PageReader(const TiffFile& file, const TiffPage& page, std::span<std::byte> to)
      : file_(file), page_(page), to_(to), size_(bytes_of(page.type)) {}

  void read() {
    std::size_t piece = 0;
    for (std::int64_t y = 0; y < page_.height; y += page_.piece_height) {
      for (std::int64_t x = 0; x < page_.width; x += page_.piece_width) read_piece(piece++, x, y);
    }
  }

 private:
  void read_piece(std::size_t piece, std::int64_t x, std::int64_t y) {
    const std::int64_t rows = std::min(page_.piece_height, page_.height - y);
    const std::size_t row = bytes(page_.piece_width);
    const std::size_t count =
        row * static_cast<std::size_t>(page_.tiles ? page_.piece_height : rows);
    if (page_.piece_width == page_.width && count == row * static_cast<std::size_t>(rows)) {
      return unpack(piece, to_.subspan(bytes(y * page_.width), count));
    }
    unpacked_.resize(count);
    unpack(piece, unpacked_);
    const std::size_t used = bytes(std::min(page_.piece_width, page_.width - x));
    for (std::int64_t j = 0; j < rows; ++j) {
      std::memcpy(&to_[bytes((y + j) * page_.width + x)],
                  &unpacked_[row * static_cast<std::size_t>(j)], used);
    }
  }

  void unpack(std::size_t piece, std::span<std::byte> to) {
    if (page_.packing == TiffPacking::none) {
      file_.read(page_.offsets[piece], to);
    } else {
      packed_.resize(page_.counts[piece]);
      file_.read(page_.offsets[piece], packed_);
      if (!unpack_tiff(page_.packing, packed_, to)) {
        file_.refuse("has a strip or tile that cannot be unpacked: is it damaged? save it again");
      }
    }
    to_native_order(to, size_, file_.big_endian());
    if (page_.differences) {
      add_differences(to, size_, static_cast<std::size_t>(page_.piece_width));
    }
  }

  std::size_t bytes(std::int64_t numbers) const {
    return static_cast<std::size_t>(numbers) * size_;
  }

  const TiffFile& file_;
  const TiffPage& page_;
  std::span<std::byte> to_;
  std::size_t size_;
  std::vector<std::byte> packed_, unpacked_;
};

}  // namespace

bool unpack_tiff(TiffPacking packing, std::span<const std::byte> packed, std::span<std::byte> to) {
  switch (packing) {
    case TiffPacking::lzw:
      return LzwReader(packed, to).unpack();
    case TiffPacking::deflate:
      return inflate_all(packed, to);
    case TiffPacking::pack_bits:
      return unpack_bits(packed, to);
    case TiffPacking::none:
      break;
  }
  return false;
}

void add_differences(std::span<std::byte> numbers, std::size_t size, std::size_t width) {
  if (size == 1) return sum_rows<std::uint8_t>(numbers, width);
  if (size == 2) return sum_rows<std::uint16_t>(numbers, width);
  sum_rows<std::uint32_t>(numbers, width);
}

void read_page(const TiffFile& file, const TiffPage& page, std::span<std::byte> to) {
  PageReader(file, page, to).read();
}

}  // namespace lbm::io
