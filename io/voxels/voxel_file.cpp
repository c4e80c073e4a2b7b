// SPDX-License-Identifier: Apache-2.0
#include "io/voxels/voxel_file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "io/files/input_file.hpp"
#include "io/text/header_text.hpp"
#include "io/voxels/hdf5_labels.hpp"
#include "io/voxels/npy_header.hpp"
#include "io/voxels/plane_files.hpp"
#include "io/voxels/tiff_stack.hpp"
#include "io/voxels/voxel_format.hpp"
#include "solver/core/enum_names.hpp"
#include "solver/core/error.hpp"

namespace lbm::io {
namespace {

namespace fs = std::filesystem;

constexpr const char* wanted_file = "the path of an image";

std::string box_text(const std::array<std::int64_t, 3>& voxels) {
  return fmt::format("{} x {} x {}", voxels[0], voxels[1], voxels[2]);
}

// Sizes and types that would fit the file: the commonest mistakes.
std::string would_fit(std::uint64_t bytes, std::uint64_t count) {
  std::vector<std::string> found;
  for (const auto& [size, types] : {std::pair{std::uint64_t{1}, "uint8 or int8"},
                                    {std::uint64_t{2}, "uint16 or int16"},
                                    {std::uint64_t{4}, "uint32 or int32"}}) {
    if (bytes == count * size) found.push_back(fmt::format("these voxels of type {}", types));
  }
  for (const auto& [size, type] :
       {std::pair{std::uint64_t{1}, "uint8"}, {std::uint64_t{2}, "uint16"}}) {
    const auto edge =
        static_cast<std::uint64_t>(std::llround(std::cbrt(double(bytes) / double(size))));
    if (edge > 1 && edge * edge * edge * size == bytes && edge * edge * edge != count) {
      found.push_back(fmt::format("{0} x {0} x {0} voxels of {1}", edge, type));
    }
  }
  if (found.empty()) return "";
  std::string text = "; it has the size of " + found.front();
  for (std::size_t i = 1; i < found.size(); ++i) text += ", or " + found[i];
  return text;
}

void check_size(const VoxelFormat& format, bool raw) {
  std::uint64_t count = 1;
  for (const std::int64_t n : format.voxels) {
    if (n < 1 || n > most_voxels) {
      refuse_file(format.file,
                  fmt::format("is an image of {} voxels, must have from 1 to {} along each axis",
                              box_text(format.voxels), most_voxels));
    }
    count *= static_cast<std::uint64_t>(n);  // at most 2^60
  }
  check_plane(format.file, static_cast<std::uint64_t>(format.voxels[0]),
              static_cast<std::uint64_t>(format.voxels[1]));
  const std::uint64_t bytes = size_of_file(format.file, wanted_file),
                      needed = count * bytes_of(format.type);
  if (format.offset <= bytes && bytes - format.offset == needed) return;
  const std::string wanted =
      fmt::format("holds {} bytes, {} voxels of {}{} need {}", bytes, box_text(format.voxels),
                  to_string(format.type),
                  format.offset > 0 ? fmt::format(" behind {} bytes", format.offset) : "",
                  format.offset + needed);
  const bool shorter = bytes < format.offset + needed;
  if (!raw) {
    refuse_file(format.file,
                fmt::format("{}: {}", wanted,
                            shorter ? "it is cut short: copy it again"
                                    : "its header belongs to another image: save it again"));
  }
  const std::string advice =
      shorter ? ", or copy it again if it was cut short"
              : fmt::format(", or header_bytes: {} if so many bytes precede the labels",
                            bytes - needed);
  refuse_file(format.file,
              fmt::format("{}: check cells and type{}{}", wanted, advice, would_fit(bytes, count)));
}

// Refuses a hint that contradicts the header.
template <class T, class Text>
void compare(const fs::path& path, const char* name, const std::optional<T>& hint, const T& found,
             const Text& text) {
  if (!hint || *hint == found) return;
  refuse_file(
      path, fmt::format("its header says {}: {}, the case {}: remove this key, or correct it", name,
                        text(found), text(*hint)));
}

// Throws UsageError if a key of the case differs from the header of the file.
void compare_all(const fs::path& path, const VoxelHints& hints, const VoxelFormat& format) {
  compare(path, "cells", hints.voxels, format.voxels, box_text);
  compare(path, "type", hints.type, format.type, [](VoxelType t) { return to_string(t); });
  compare(path, "byte_order", hints.big_endian, format.big_endian,
          [](bool big) { return big ? "big" : "little"; });
  compare(path, "header_bytes", hints.offset, format.offset,
          [](std::uint64_t n) { return std::to_string(n); });
}

// Files are told apart by their ending.
enum class FileKind { raw, npy, to_convert, tiff, hdf5 };

FileKind kind_of(const fs::path& path) {
  const std::string ending = small_letters(path.extension().string());
  for (const auto& [known, kind] : {std::pair{".npy", FileKind::npy},
                                    {".mhd", FileKind::to_convert},
                                    {".mha", FileKind::to_convert},
                                    {".nrrd", FileKind::to_convert},
                                    {".nhdr", FileKind::to_convert},
                                    {".tif", FileKind::tiff},
                                    {".tiff", FileKind::tiff},
                                    {".h5", FileKind::hdf5},
                                    {".hdf5", FileKind::hdf5},
                                    {".hdf", FileKind::hdf5},
                                    {".nxs", FileKind::hdf5},
                                    {".nc", FileKind::hdf5}}) {
    if (ending == known) return kind;
  }
  return FileKind::raw;
}

// A file without a known ending and without `cells`: what its first bytes say.
[[noreturn]] void refuse_unknown(const fs::path& path, std::uint64_t size) {
  const std::string text = first_bytes(path, std::min<std::uint64_t>(size, 8));
  for (const auto& [begin, what] :
       {std::pair<std::string_view, const char*>{"II*",
                                                 "of TIFF: give it a name that ends in .tif"},
        {"II+", "of TIFF: give it a name that ends in .tif"},
        {std::string_view("MM\0", 3), "of TIFF: give it a name that ends in .tif"},
        {"\x89HDF", "of HDF5: give dataset, the path of the labels in the file"},
        {"\x93NUMPY", "of NumPy: give it a name that ends in .npy"},
        {"NRRD", "of NRRD: convert it (Python: lbm.voxels.convert)"},
        {"\x1f\x8b", "of a file packed by gzip: unpack it (gunzip)"},
        {"\x89PNG", "of a picture, one plane: join the planes (Python: lbm.voxels.convert)"}}) {
    if (text.starts_with(begin)) {
      refuse_file(path, fmt::format("its first bytes are those {}", what));
    }
  }
  refuse_file(
      path,
      "has no header that is known (.npy, .tif, .h5): give cells, the voxels along x, y and z, and "
      "type");
}

[[noreturn]] void refuse_to_convert(const fs::path& path) {
  fs::path to = path;
  refuse_file(path, fmt::format("MetaImage and NRRD are read by the Python package: python -m "
                                "lbm.voxels '{}' '{}', and give the file that it writes",
                                path.string(), to.replace_extension(".npy").string()));
}

}  // namespace

void check_plane(const fs::path& path, std::uint64_t width, std::uint64_t height) {
  constexpr auto most = static_cast<std::uint64_t>(most_voxels);
  if (width >= 1 && height >= 1 && width <= most && height <= most &&
      width * height <= static_cast<std::uint64_t>(most_in_plane)) {
    return;
  }
  refuse_file(path, fmt::format("has planes of {} x {} voxels, must have from 1 to {} along each "
                                "axis and at most {} in all",
                                width, height, most_voxels, most_in_plane));
}

VoxelFormat find_voxel_format(const fs::path& path, const VoxelHints& hints) {
  const FileKind kind = hints.dataset.empty() ? kind_of(path) : FileKind::hdf5;
  VoxelFormat format;
  if (kind != FileKind::hdf5 && names_plane_files(path)) {
    format = tiff_format(path, plane_files(path));
  } else if (kind == FileKind::tiff) {
    format = tiff_format(path, {path});
  } else {
    const std::uint64_t size = size_of_file(path, wanted_file);
    if (kind == FileKind::raw) {
      if (!hints.voxels) refuse_unknown(path, size);
      format = {path, *hints.voxels, hints.type.value_or(VoxelType::uint8),
                hints.big_endian.value_or(false), hints.offset.value_or(0)};
      check_size(format, true);
      return format;
    }
    if (kind == FileKind::to_convert) refuse_to_convert(path);
    if (kind == FileKind::hdf5) {
      format = hdf5_format(path, hints.dataset, size);
    } else {
      format = npy_header(path, first_bytes(path, std::min<std::uint64_t>(size, most_of_header)));
      check_size(format, false);
    }
  }
  compare_all(path, hints, format);
  return format;
}

}  // namespace lbm::io
