// SPDX-License-Identifier: Apache-2.0
#include "io/voxels/tiff_file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdarg>
#include <cstdio>
#include <cstring>
#include <utility>
#include <vector>

#include "io/files/input_file.hpp"

namespace lbm::io {
namespace {

constexpr std::uint64_t most_tile_bytes = std::uint64_t{256} << 20;
constexpr std::size_t most_description = std::size_t{1} << 20;

thread_local std::string last_error;

void keep_error(const char*, const char* format, va_list values) {
  std::array<char, 200> text{};
  if (std::vsnprintf(text.data(), text.size(), format, values) > 0) last_error = text.data();
}

// libtiff would print its messages.
void keep_errors() {
  [[maybe_unused]] static const bool done = [] {
    TIFFSetErrorHandler(keep_error);
    TIFFSetWarningHandler(nullptr);
    return true;
  }();
  last_error.clear();
}

std::string reason() { return last_error.empty() ? "" : " (" + printable(last_error) + ")"; }

}  // namespace

TiffFile::TiffFile(std::filesystem::path path) : path_(std::move(path)) {
  bytes_ = size_of_file(path_, "the path of an image");
  keep_errors();
  tiff_.reset(TIFFOpen(path_.c_str(), "rm"));
  if (!tiff_)
    refuse(fmt::format("is no TIFF file, or a damaged one{}: copy or save it again", reason()));
}

void TiffFile::refuse(const std::string& what) const { refuse_file(path_, what); }

void TiffFile::refuse_damaged() const {
  refuse(fmt::format("is damaged or cut short{}: copy or save it again", reason()));
}

bool TiffFile::next_page() {
  if (TIFFLastDirectory(tiff_.get()) != 0) return false;
  if (TIFFReadDirectory(tiff_.get()) == 0) refuse_damaged();
  return true;
}

void TiffFile::go_to(std::uint64_t directory) {
  if (TIFFCurrentDirOffset(tiff_.get()) == directory) return;
  if (TIFFSetSubDirectory(tiff_.get(), directory) == 0) refuse_damaged();
}

template <class T>
T TiffFile::tag(std::uint32_t name, T otherwise) const {
  T value{};
  return TIFFGetField(tiff_.get(), name, &value) == 1 ? value : otherwise;
}

VoxelType TiffFile::type_of_numbers() const {
  const auto samples = tag<std::uint16_t>(TIFFTAG_SAMPLESPERPIXEL, 1),
             bits = tag<std::uint16_t>(TIFFTAG_BITSPERSAMPLE, 1),
             kind = tag<std::uint16_t>(TIFFTAG_SAMPLEFORMAT, 1);
  if (samples != 1) {
    refuse(
        fmt::format("has {} numbers a pixel (colours), must have one, the label: segment the "
                    "image, and save the labels",
                    samples));
  }
  if (kind < 1 || kind > 4 || kind == 3 || (bits != 8 && bits != 16 && bits != 32)) {
    refuse(
        fmt::format("holds {} of {} bits, must be labels: whole numbers of 8, 16 or 32 bits: "
                    "segment the image, or convert it (Python: lbm.voxels.convert)",
                    kind == 3 ? "floating-point numbers" : "numbers", bits));
  }
  using enum VoxelType;
  const auto types = kind == 2 ? std::array{int8, int16, int32} : std::array{uint8, uint16, uint32};
  return types[bits / 16];
}

// Pixels in an order that is not read.
void TiffFile::check_layout() const {
  if (const int turned = tag<std::uint16_t>(TIFFTAG_ORIENTATION, 1); turned > 4) {
    refuse(fmt::format("has its rows and columns exchanged (Orientation {}): save it upright",
                       turned));
  }
  if (tag<std::uint32_t>(TIFFTAG_IMAGEDEPTH, 1) != 1) {
    refuse("has several planes in a page (ImageDepth): save each plane as a page");
  }
  const auto code = tag<std::uint16_t>(TIFFTAG_COMPRESSION, 1);
  if (TIFFIsCODECConfigured(code) == 0) {
    refuse(
        fmt::format("is compressed in a way that this libtiff does not read (number {}): save it "
                    "uncompressed",
                    code));
  }
  if (TIFFIsTiled(tiff_.get()) != 0 && TIFFTileSize64(tiff_.get()) > most_tile_bytes) {
    refuse(fmt::format("has tiles of {} bytes, must have at most {}: save it in strips",
                       TIFFTileSize64(tiff_.get()), most_tile_bytes));
  }
}

// Each strip or tile must lie in the file. Returns where all numbers begin that lie one after the
// other.
std::optional<std::uint64_t> TiffFile::check_pieces() const {
  TIFF* const file = tiff_.get();
  const bool tiled = TIFFIsTiled(file) != 0;
  const std::uint32_t count = tiled ? TIFFNumberOfTiles(file) : TIFFNumberOfStrips(file);
  const std::uint64_t first = TIFFGetStrileOffset(file, 0);
  std::uint64_t next = first;
  bool contiguous = !tiled && tag<std::uint16_t>(TIFFTAG_COMPRESSION, 1) == COMPRESSION_NONE;
  for (std::uint32_t piece = 0; piece < count; ++piece) {
    const std::uint64_t at = TIFFGetStrileOffset(file, piece),
                        size = TIFFGetStrileByteCount(file, piece);
    contiguous = contiguous && at == next;
    if (contiguous) next += TIFFStripSize64(file);
    if (at > 0 && size > 0 && at <= bytes_ && size <= bytes_ - at) continue;
    refuse(
        fmt::format("holds {} bytes, and some of its {} strips or tiles lie elsewhere: it is "
                    "damaged or cut short: copy or save it again",
                    bytes_, count));
  }
  return contiguous ? std::optional(first) : std::nullopt;
}

TiffPage TiffFile::page() const {
  keep_errors();
  TiffPage page;
  page.directory = TIFFCurrentDirOffset(tiff_.get());
  page.last = TIFFLastDirectory(tiff_.get()) != 0;
  page.reduced = (tag<std::uint32_t>(TIFFTAG_SUBFILETYPE, 0) & 5U) != 0;
  if (page.reduced) return page;
  page.width = tag<std::uint32_t>(TIFFTAG_IMAGEWIDTH, 0);
  page.height = tag<std::uint32_t>(TIFFTAG_IMAGELENGTH, 0);
  check_plane(path_, static_cast<std::uint64_t>(page.width),
              static_cast<std::uint64_t>(page.height));
  if (const char* text = tag<const char*>(TIFFTAG_IMAGEDESCRIPTION, nullptr)) {
    page.description.assign(text, strnlen(text, most_description));
  }
  page.resolution = {tag<float>(TIFFTAG_XRESOLUTION, 0), tag<float>(TIFFTAG_YRESOLUTION, 0)};
  check_layout();
  page.type = type_of_numbers();
  page.offset = check_pieces();
  return page;
}

// A strip is read as a tile of the width of the page.
void TiffFile::read(const TiffPage& page, std::span<std::byte> to) const {
  keep_errors();
  TIFF* const file = tiff_.get();
  const bool tiled = TIFFIsTiled(file) != 0;
  const auto size = static_cast<std::int64_t>(bytes_of(page.type));
  const std::int64_t across = tiled ? tag<std::uint32_t>(TIFFTAG_TILEWIDTH, 0) : page.width;
  const std::int64_t down =
      tiled ? tag<std::uint32_t>(TIFFTAG_TILELENGTH, 0)
            : std::min<std::int64_t>(tag<std::uint32_t>(TIFFTAG_ROWSPERSTRIP, UINT32_MAX),
                                     page.height);
  std::vector<std::byte> tile(tiled ? static_cast<std::size_t>(TIFFTileSize64(file)) : 0);
  if (across < 1 || down < 1 ||
      (tiled && tile.size() != static_cast<std::size_t>(across * down * size)))
    refuse_damaged();
  std::uint32_t piece = 0;
  for (std::int64_t y = 0; y < page.height; y += down) {
    for (std::int64_t x = 0; x < page.width; x += across, ++piece) {
      const std::int64_t rows = std::min(down, page.height - y);
      std::byte* const at = to.data() + (y * page.width + x) * size;
      const tmsize_t wanted = (tiled ? down : rows) * across * size;
      const tmsize_t found = tiled ? TIFFReadEncodedTile(file, piece, tile.data(), wanted)
                                   : TIFFReadEncodedStrip(file, piece, at, wanted);
      if (found != wanted) refuse_damaged();
      for (std::int64_t row = 0; tiled && row < rows; ++row) {
        std::memcpy(at + row * page.width * size, tile.data() + row * across * size,
                    static_cast<std::size_t>(std::min(across, page.width - x) * size));
      }
    }
  }
}

}  // namespace lbm::io
