// SPDX-License-Identifier: Apache-2.0
#include "io/voxels/tiff_page.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "io/voxels/voxel_format.hpp"
#include "solver/core/enum_names.hpp"

namespace lbm::io {
namespace {

constexpr const char* convert_it =
    "convert the file (Python: lbm.voxels.convert('FROM.tif', 'TO.npy'))";

// Tags.
constexpr int kind_of_page = 254, image_width = 256, image_length = 257, bits_per_sample = 258,
              compression = 259, fill_order = 266, image_description = 270, strip_offsets = 273,
              orientation = 274, samples_per_pixel = 277, rows_per_strip = 278,
              strip_byte_counts = 279, x_resolution = 282, y_resolution = 283, predictor = 317,
              tile_width = 322, tile_length = 323, tile_offsets = 324, tile_byte_counts = 325,
              sample_format = 339, image_depth = 32997;

constexpr std::uint64_t most_pieces = std::uint64_t{1} << 22,
                        most_description = std::uint64_t{1} << 20,
                        most_tile_bytes = std::uint64_t{256} << 20;

void add_type(const TiffFile& file, const TiffDirectory& tags, TiffPage& page) {
  const std::uint64_t samples = tags.one(samples_per_pixel, 1);
  if (samples != 1) {
    file.refuse(
        fmt::format("has {} numbers a pixel (colours), must have one, the label: segment "
                    "the image, and save the labels",
                    samples));
  }
  if (tags.has(bits_per_sample) && tags.numbers(bits_per_sample, 64).size() > 1) {
    file.refuse(
        "has bits for several numbers a pixel (BitsPerSample), and one number: save it again");
  }
  const std::uint64_t bits = tags.one(bits_per_sample, 1), kind = tags.one(sample_format, 1);
  const bool with_sign = kind == 2;
  if (kind < 1 || kind > 4) {
    file.refuse(fmt::format("has sample format {}, must be labels: whole numbers", kind));
  }
  if (kind == 3 || (bits != 8 && bits != 16 && bits != 32)) {
    file.refuse(fmt::format(
        "holds {} of {} bits, must be labels: whole numbers of 8, 16 or 32 bits: segment the "
        "image, or {}",
        kind == 3 ? "floating-point numbers" : "numbers", bits, convert_it));
  }
  page.type = bits == 8    ? (with_sign ? VoxelType::int8 : VoxelType::uint8)
              : bits == 16 ? (with_sign ? VoxelType::int16 : VoxelType::uint16)
                           : (with_sign ? VoxelType::int32 : VoxelType::uint32);
}

// Pixels in an order that is not read.
void check_layout(const TiffFile& file, const TiffDirectory& tags) {
  if (tags.one(fill_order, 1) != 1) {
    file.refuse("has the bits of its bytes in reverse order (FillOrder 2): save it again");
  }
  if (tags.one(orientation, 1) > 4) {
    file.refuse(fmt::format("has its rows and columns exchanged (Orientation {}): save it upright",
                            tags.one(orientation, 1)));
  }
  if (tags.one(image_depth, 1) != 1) {
    file.refuse("has several planes in a page (ImageDepth): save each plane as a page");
  }
}

void add_packing(const TiffFile& file, const TiffDirectory& tags, TiffPage& page) {
  const std::uint64_t code = tags.one(compression, 1);
  switch (code) {
    case 1:
      return;
    case 5:
      page.packing = TiffPacking::lzw;
      break;
    case 8:
    case 32946:
      page.packing = TiffPacking::deflate;
      break;
    case 32773:
      page.packing = TiffPacking::pack_bits;
      break;
    default:
      file.refuse(fmt::format(
          "is compressed in a way that is not read (number {}; read are 1 "
          "uncompressed, 5 LZW, 8 deflate, 32773 PackBits): save it uncompressed, or {}",
          code, convert_it));
  }
  const std::uint64_t predicted = tags.one(predictor, 1);
  if (predicted > 2) {
    file.refuse(fmt::format("has predictor {}, which is not read: save it uncompressed, or {}",
                            predicted, convert_it));
  }
  page.differences = predicted == 2;
}

void add_pieces(const TiffFile& file, const TiffDirectory& tags, TiffPage& page) {
  page.tiles = tags.has(tile_offsets);
  const auto size = [&](std::uint64_t value, std::int64_t most) {
    if (value == 0) file.refuse("has strips or tiles without pixels: is it damaged?");
    return static_cast<std::int64_t>(std::min(value, static_cast<std::uint64_t>(most)));
  };
  if (page.tiles) {
    page.piece_width = size(tags.one(tile_width, 0), most_voxels);
    page.piece_height = size(tags.one(tile_length, 0), most_voxels);
  } else {
    page.piece_width = page.width;
    page.piece_height = size(tags.one(rows_per_strip, most_voxels), page.height);
  }
  const std::uint64_t bytes =
      static_cast<std::uint64_t>(page.piece_width * page.piece_height) * bytes_of(page.type);
  if (page.tiles && bytes > most_tile_bytes) {
    file.refuse(fmt::format("has tiles of {} bytes, must have at most {}: save it in strips", bytes,
                            most_tile_bytes));
  }
  const auto count = static_cast<std::uint64_t>(page.pieces_across() * page.pieces_down());
  if (count > most_pieces) {
    file.refuse(
        fmt::format("has {} strips or tiles a page, must have at most {}: save it in "
                    "larger ones",
                    count, most_pieces));
  }
  page.offsets = tags.numbers(page.tiles ? tile_offsets : strip_offsets, most_pieces);
  if (page.packing != TiffPacking::none ||
      tags.has(page.tiles ? tile_byte_counts : strip_byte_counts)) {
    page.counts = tags.numbers(page.tiles ? tile_byte_counts : strip_byte_counts, most_pieces);
  }
  if (page.offsets.size() != count || (!page.counts.empty() && page.counts.size() != count)) {
    file.refuse(fmt::format("has {} places of strips or tiles, must have {}: is it damaged?",
                            page.offsets.size(), count));
  }
}

// Each piece must lie in the file.
void check_pieces(const TiffFile& file, TiffPage& page) {
  for (std::int64_t i = 0; i < page.pieces_across() * page.pieces_down(); ++i) {
    const std::int64_t row = i / page.pieces_across() * page.piece_height;
    const std::int64_t rows =
        page.tiles ? page.piece_height : std::min(page.piece_height, page.height - row);
    const std::uint64_t unpacked =
        static_cast<std::uint64_t>(page.piece_width * rows) * bytes_of(page.type);
    const auto at = static_cast<std::size_t>(i);
    const std::uint64_t told = page.counts.empty() ? 0 : page.counts[at];
    const std::uint64_t bytes = page.packing == TiffPacking::none ? unpacked : told;
    if (page.packing == TiffPacking::none && told > 0 && told < unpacked) {
      file.refuse(
          fmt::format("has a strip or tile of {} bytes, its pixels need {}: is it damaged? "
                      "save it again",
                      told, unpacked));
    }
    page.spare = std::max(page.spare, told > unpacked ? told - unpacked : 0);
    // No packing of these makes much more of anything than it was.
    if (bytes > 2 * unpacked + 65536) {
      file.refuse("has a strip or tile that is larger than unpacked: is it damaged? save it again");
    }
    if (page.offsets[at] > file.bytes() || bytes > file.bytes() - page.offsets[at]) {
      file.refuse(
          fmt::format("holds {} bytes, its pixels lie beyond: it is cut short: copy it "
                      "again",
                      file.bytes()));
    }
  }
}

}  // namespace

bool TiffPage::is_contiguous() const {
  if (packing != TiffPacking::none || piece_width != width) return false;
  const std::uint64_t bytes =
      static_cast<std::uint64_t>(piece_width * piece_height) * bytes_of(type);
  const auto count = static_cast<std::size_t>(pieces_down());
  // A last tile that is longer than the image does no harm, and nothing follows it.
  for (std::size_t i = 1; i < count; ++i) {
    if (offsets[i] != offsets[0] + i * bytes) return false;
  }
  return true;
}

TiffPage tiff_page(const TiffFile& file, std::uint64_t at) {
  const TiffDirectory tags(file, at);
  TiffPage page;
  page.next = tags.next();
  page.reduced = (tags.one(kind_of_page, 0) & 5U) != 0;
  if (page.reduced) return page;
  const std::uint64_t width = tags.one(image_width, 0), height = tags.one(image_length, 0);
  check_plane(file.path(), width, height);
  page.width = static_cast<std::int64_t>(width);
  page.height = static_cast<std::int64_t>(height);
  page.description = tags.text(image_description, most_description);
  page.resolution = {tags.ratio(x_resolution), tags.ratio(y_resolution)};
  check_layout(file, tags);
  add_type(file, tags, page);
  add_packing(file, tags, page);
  add_pieces(file, tags, page);
  check_pieces(file, page);
  return page;
}

}  // namespace lbm::io
