// SPDX-License-Identifier: Apache-2.0

// Pages of TIFF files, read by libtiff. Internal to the .cpp files of io: this header needs
// libtiff.
#pragma once

#include <tiffio.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <span>
#include <string>

#include "io/voxels/voxel_image.hpp"

namespace lbm::io {

// One image of the file, one number a pixel.
struct TiffPage {
  std::uint64_t directory = 0;  // its place in the file
  bool reduced = false;         // a preview or mask of another page: nothing else is told
  bool last = false;            // of the file
  std::int64_t width = 0, height = 0;
  VoxelType type = VoxelType::uint8;
  std::string description;
  std::array<double, 2> resolution{};   // pixels in a unit of length; 0: not told
  std::optional<std::uint64_t> offset;  // where all numbers begin that lie one after the other
};

// An open file, which is untrusted. All functions throw UsageError, one line that begins with the
// path. One thread at a time may use it.
class TiffFile {
 public:
  // At its first page.
  explicit TiffFile(std::filesystem::path path);

  const std::filesystem::path& path() const { return path_; }
  std::uint64_t bytes() const { return bytes_; }
  bool big_endian() const { return TIFFIsBigEndian(tiff_.get()) != 0; }

  // False behind the last page.
  bool next_page();
  // directory: of a page.
  void go_to(std::uint64_t directory);
  // The page at which the file is. Refuses a page that holds no labels, or whose compression
  // libtiff does not know.
  TiffPage page() const;
  // The numbers of that page, which is `page`: x fastest, in the byte order of this machine. to:
  // exactly as many bytes. Holds one tile beside it.
  void read(const TiffPage& page, std::span<std::byte> to) const;

  [[noreturn]] void refuse(const std::string& what) const;

 private:
  struct Close {
    void operator()(TIFF* file) const { TIFFClose(file); }
  };
  template <class T>
  T tag(std::uint32_t name, T otherwise) const;
  [[noreturn]] void refuse_damaged() const;
  VoxelType type_of_numbers() const;
  void check_layout() const;
  std::optional<std::uint64_t> check_pieces() const;

  std::filesystem::path path_;
  std::uint64_t bytes_ = 0;
  std::unique_ptr<TIFF, Close> tiff_;
};

}  // namespace lbm::io
