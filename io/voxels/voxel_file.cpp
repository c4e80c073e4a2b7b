#include "io/voxels/voxel_file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "io/files/input_file.hpp"
#include "io/voxels/voxel_header.hpp"
#include "solver/core/enum_names.hpp"
#include "solver/core/error.hpp"

namespace lbm::io {
namespace {

namespace fs = std::filesystem;

constexpr std::int64_t most_voxels = std::int64_t{1} << 20;  // along an axis

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
  const std::string header =
      shorter ? ""
              : fmt::format(", or header_bytes: {} if so many bytes precede the labels",
                            bytes - needed);
  refuse_file(format.file,
              fmt::format("{}: check cells and type{}{}", wanted, header, would_fit(bytes, count)));
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

}  // namespace

VoxelFormat find_voxel_format(const fs::path& path, const VoxelHints& hints) {
  const std::string ending = path.extension().string();
  const bool npy = ending == ".npy", meta = ending == ".mhd" || ending == ".mha",
             nrrd = ending == ".nrrd" || ending == ".nhdr";
  const std::uint64_t size = size_of_file(path, wanted_file);
  if (!npy && !meta && !nrrd) {
    if (!hints.voxels) {
      refuse_file(path,
                  "has no header that is known (.npy, .mhd, .mha, .nrrd, .nhdr): give cells, the "
                  "voxels along x, y and z, and type");
    }
    VoxelFormat format{path, *hints.voxels, hints.type.value_or(VoxelType::uint8),
                       hints.big_endian.value_or(false), hints.offset.value_or(0)};
    check_size(format, true);
    return format;
  }
  const std::string text = first_bytes(path, std::min<std::uint64_t>(size, most_of_header));
  VoxelFormat format = npy    ? npy_header(path, text)
                       : meta ? meta_image_header(path, text)
                              : nrrd_header(path, text);
  compare(path, "cells", hints.voxels, format.voxels, box_text);
  compare(path, "type", hints.type, format.type, [](VoxelType t) { return to_string(t); });
  compare(path, "byte_order", hints.big_endian, format.big_endian,
          [](bool big) { return big ? "big" : "little"; });
  compare(path, "header_bytes", hints.offset, format.offset,
          [](std::uint64_t n) { return std::to_string(n); });
  check_size(format, false);
  return format;
}

}  // namespace lbm::io
