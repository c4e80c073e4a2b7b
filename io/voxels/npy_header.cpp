// SPDX-License-Identifier: Apache-2.0
#include "io/voxels/npy_header.hpp"

#include <fmt/format.h>

#include <map>
#include <utility>

#include "io/files/input_file.hpp"
#include "io/text/header_text.hpp"

namespace lbm::io {
namespace {

namespace fs = std::filesystem;

[[noreturn]] void no_labels(const fs::path& path, const std::string& type) {
  refuse_file(path,
              fmt::format("holds numbers of type {}, must be labels: whole numbers of 1, 2 or 4 "
                          "bytes: segment the image, or convert it (NumPy: image.astype('uint8'))",
                          type));
}

std::array<std::int64_t, 3> three_axes(const fs::path& path, std::string_view text) {
  const auto sizes = numbers_in<std::int64_t>(text);
  if (sizes.size() != 3) {
    refuse_file(path,
                fmt::format("is an image of sizes ({}), must have three axes of whole numbers",
                            printable(text)));
  }
  return {sizes[0], sizes[1], sizes[2]};
}

// The text of an item of a Python dictionary, up to the comma or bracket that ends it.
std::string_view item_of(const fs::path& path, std::string_view dictionary, std::string_view key) {
  const std::size_t at = dictionary.find(fmt::format("'{}':", key));
  if (at == std::string_view::npos) {
    refuse_file(path, fmt::format("its header has no {}: is it damaged?", key));
  }
  if (dictionary.find(fmt::format("'{}':", key), at + 1) != std::string_view::npos) {
    refuse_file(path, fmt::format("its header says {} twice: save the array again", key));
  }
  std::string_view value = trimmed(dictionary.substr(at + key.size() + 3));
  if (value.starts_with('(')) {
    return value.substr(1, value.find(')') == std::string_view::npos ? 0 : value.find(')') - 1);
  }
  return trimmed(value.substr(0, value.find_first_of(",}")));
}

}  // namespace

VoxelFormat npy_header(const fs::path& path, std::string_view text) {
  const auto byte = [&](std::size_t i) {
    return static_cast<std::uint64_t>(static_cast<unsigned char>(text[i]));
  };
  if (text.size() < 12 || !text.starts_with("\x93NUMPY")) {
    refuse_file(path, "is no .npy file: its first bytes are not those of NumPy");
  }
  constexpr const char* no_header = "its header is none of NumPy, versions 1 to 3: save it again";
  if (byte(6) < 1 || byte(6) > 3) refuse_file(path, no_header);
  const bool first_version = byte(6) == 1;
  const std::size_t begin = first_version ? 10 : 12;
  const std::uint64_t length = first_version
                                   ? byte(8) | byte(9) << 8
                                   : byte(8) | byte(9) << 8 | byte(10) << 16 | byte(11) << 24;
  if (length > text.size() - begin) refuse_file(path, "its header is cut short: copy it again");
  const std::string_view dictionary = text.substr(begin, length);
  const std::string_view whole = dictionary.substr(0, dictionary.find_last_not_of(" \n") + 1);
  if (!whole.starts_with('{') || !whole.ends_with('}')) refuse_file(path, no_header);

  VoxelFormat format;
  format.file = path;
  format.offset = begin + length;
  std::string_view type = item_of(path, dictionary, "descr");
  if (type.starts_with('\'') && type.ends_with('\'') && type.size() > 1) {
    type = type.substr(1, type.size() - 2);
  }
  static const std::map<std::string_view, VoxelType> types = {
      {"u1", VoxelType::uint8},  {"b1", VoxelType::uint8}, {"i1", VoxelType::int8},
      {"u2", VoxelType::uint16}, {"i2", VoxelType::int16}, {"u4", VoxelType::uint32},
      {"i4", VoxelType::int32}};
  const bool has_order =
      type.size() == 3 && std::string_view("<>|=").find(type[0]) != std::string_view::npos;
  const auto known = has_order ? types.find(type.substr(1)) : types.end();
  if (known == types.end()) no_labels(path, printable(type));
  format.type = known->second;
  format.big_endian = type[0] == '>';
  format.voxels = three_axes(path, item_of(path, dictionary, "shape"));
  const std::string_view order = item_of(path, dictionary, "fortran_order");
  if (order != "True" && order != "False") {
    refuse_file(path, fmt::format("its header has fortran_order: {}, must be True or False",
                                  printable(order)));
  }
  if (order == "False") std::swap(format.voxels[0], format.voxels[2]);
  return format;
}

}  // namespace lbm::io
