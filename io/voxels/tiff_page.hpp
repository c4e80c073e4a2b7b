// SPDX-License-Identifier: Apache-2.0

// Pages of TIFF files.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "io/voxels/tiff_directory.hpp"
#include "io/voxels/voxel_format.hpp"

namespace lbm::io {

enum class TiffPacking { none, lzw, deflate, pack_bits };

// One image of the file, one sample a pixel. Its numbers lie in pieces: strips of whole rows, or
// tiles, row after row of pieces.
struct TiffPage {
  std::int64_t width = 0, height = 0;
  VoxelType type = VoxelType::uint8;
  TiffPacking packing = TiffPacking::none;
  bool differences = false;  // packed: each number but the first of a row is a difference
  bool tiles = false;        // a tile at an edge of the image has all its pixels, a strip has not
  std::int64_t piece_width = 0, piece_height = 0;
  std::vector<std::uint64_t> offsets, counts;  // of pieces, in bytes; counts: if told
  std::uint64_t spare = 0;             // most bytes of an unpacked piece that no pixel needs
  bool reduced = false;                // a preview or mask of another page
  std::string description;             // its first bytes
  std::array<double, 2> resolution{};  // pixels in a unit of length; 0: not told
  std::uint64_t next = 0;              // place of the next page; 0: none

  std::int64_t pieces_across() const { return (width + piece_width - 1) / piece_width; }
  std::int64_t pieces_down() const { return (height + piece_height - 1) / piece_height; }
  // All its numbers lie one after the other from offsets[0] on.
  bool is_contiguous() const;
};

// The page whose directory lies there in the file. Throws UsageError, one line that begins with the
// path, also for a page that holds no labels or whose compression is none of TiffPacking. All its
// pieces lie in the file.
TiffPage tiff_page(const TiffFile& file, std::uint64_t at);

}  // namespace lbm::io
