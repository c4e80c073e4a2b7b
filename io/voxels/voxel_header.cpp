// SPDX-License-Identifier: Apache-2.0
#include "io/voxels/voxel_header.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>
#include <utility>
#include <vector>

#include "io/files/input_file.hpp"
#include "io/text/header_lines.hpp"
#include "io/voxels/voxel_edges.hpp"

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

// A number that must be there.
std::int64_t number_of(const fs::path& path, std::string_view key, std::string_view text) {
  const auto numbers = numbers_in<std::int64_t>(text);
  if (numbers.size() != 1) {
    refuse_file(path, fmt::format("its header has {}: {}, must be a number", key, printable(text)));
  }
  return numbers[0];
}

// By the first letter, as MetaIO reads it.
bool is_true(const fs::path& path, const HeaderLines& lines, std::string_view key) {
  const std::string word = small_letters(lines.get(key));
  if (word.empty() || word[0] == 'f' || word[0] == '0') return false;
  if (word[0] == 't' || word[0] == '1') return true;
  refuse_file(path,
              fmt::format("its header has {}: {}, must be True or False", key, printable(word)));
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

// Bytes before the labels. MetaIO and NRRD: -1 for labels at the end of their file.
std::uint64_t offset_of(const fs::path& path, std::string_view key, std::int64_t skip) {
  if (skip >= -1) return skip < 0 ? at_end_of_file : static_cast<std::uint64_t>(skip);
  refuse_file(path, fmt::format("its header has {}: {}, must be -1 or more", key, skip));
}

// Keys that do not describe a plain image of one number a voxel.
void check_meta_image(const fs::path& path, const HeaderLines& lines) {
  for (const auto& [key, wanted] :
       {std::pair{"objecttype", "image"}, {"ndims", "3"}, {"elementnumberofchannels", "1"}}) {
    const std::string found = small_letters(lines.get(key));
    if (found.empty() || found == wanted) continue;
    refuse_file(path, fmt::format("its header has {}: {}, must be {}: save one label a voxel, in "
                                  "three axes",
                                  key, printable(found), wanted));
  }
  if (!lines.get("binarydata").empty() && !is_true(path, lines, "binarydata")) {
    refuse_file(path, "has its labels as text (BinaryData = False): save it in binary form");
  }
  if (is_true(path, lines, "compresseddata")) {
    refuse_file(path,
                "has compressed labels, which cannot be read plane by plane: save it uncompressed "
                "(CompressedData = False; 3D Slicer: without Compress)");
  }
  const std::string one = small_letters(lines.get("elementbyteordermsb")),
                    other = small_letters(lines.get("binarydatabyteordermsb"));
  if (!one.empty() && !other.empty() && one[0] != other[0]) {
    refuse_file(path, "its ElementByteOrderMSB and BinaryDataByteOrderMSB differ: remove one");
  }
}

// The lengths of three vectors such as (0.5,0,0): the edges of a voxel, however the image is
// turned.
std::vector<double> lengths_of(std::string_view vectors) {
  std::vector<double> lengths;
  while (!vectors.empty()) {
    const std::size_t open = vectors.find('('), close = vectors.find(')');
    if (open != 0 || close == std::string_view::npos) return {};
    double square = 0;
    for (const double x : numbers_in<double>(vectors.substr(1, close - 1))) square += x * x;
    lengths.push_back(std::sqrt(square));
    vectors = trimmed(vectors.substr(close + 1));
  }
  return lengths;
}

VoxelEdges nrrd_edges(const fs::path& path, const HeaderLines& lines) {
  const bool by_vectors = lines.get("spacings").empty();
  const char* key = by_vectors ? "space directions" : "spacings";
  const std::string_view value = lines.get(key);
  if (value.empty()) return {};
  std::string units(lines.get(by_vectors ? "space units" : "units"));
  std::replace(units.begin(), units.end(), '"', ' ');
  const auto words = words_in(units);
  if (std::adjacent_find(words.begin(), words.end(), std::not_equal_to<>()) != words.end()) {
    refuse_file(path,
                fmt::format("its axes have different units ({}), must have one: save it again",
                            printable(units)));
  }
  return voxel_edges(path, key, by_vectors ? lengths_of(value) : numbers_in<double>(value),
                     words.empty() ? "" : words.front());
}

const std::map<std::string_view, VoxelType>& nrrd_types() {
  using enum VoxelType;
  static const std::map<std::string_view, VoxelType> types = {{"uchar", uint8},
                                                              {"unsigned char", uint8},
                                                              {"uint8", uint8},
                                                              {"uint8_t", uint8},
                                                              {"signed char", int8},
                                                              {"int8", int8},
                                                              {"int8_t", int8},
                                                              {"ushort", uint16},
                                                              {"unsigned short", uint16},
                                                              {"unsigned short int", uint16},
                                                              {"uint16", uint16},
                                                              {"uint16_t", uint16},
                                                              {"short", int16},
                                                              {"short int", int16},
                                                              {"signed short", int16},
                                                              {"signed short int", int16},
                                                              {"int16", int16},
                                                              {"int16_t", int16},
                                                              {"uint", uint32},
                                                              {"unsigned int", uint32},
                                                              {"uint32", uint32},
                                                              {"uint32_t", uint32},
                                                              {"int", int32},
                                                              {"signed int", int32},
                                                              {"int32", int32},
                                                              {"int32_t", int32}};
  return types;
}

// An axis of colours, times or vectors is no axis of the image.
void check_nrrd_axes(const fs::path& path, const HeaderLines& lines) {
  if (const std::string_view axes = lines.get("dimension"); !axes.empty() && axes != "3") {
    refuse_file(path, fmt::format("its header has dimension: {}, must be 3", printable(axes)));
  }
  for (const std::string_view word : words_in(lines.get("kinds"))) {
    const std::string kind = small_letters(word);
    if (kind == "domain" || kind == "space" || kind == "none" || kind == "???") continue;
    refuse_file(path, fmt::format("has an axis of kind {}, must be three axes of space: save the "
                                  "labels alone",
                                  printable(kind)));
  }
}

bool nrrd_big_endian(const fs::path& path, const HeaderLines& lines) {
  const std::string order = small_letters(lines.get("endian"));
  if (order == "big" || order == "little" || order.empty()) return order == "big";
  refuse_file(path,
              fmt::format("its header has endian: {}, must be big or little", printable(order)));
}

// Bytes up to the end of so many lines.
std::uint64_t bytes_of_lines(const fs::path& file, std::int64_t lines) {
  if (lines <= 0) return 0;
  const std::uint64_t size = size_of_file(file, "the file of the labels");
  const std::string text = first_bytes(file, std::min<std::uint64_t>(size, most_of_header));
  std::size_t at = 0;
  for (; lines > 0; --lines) {
    at = text.find('\n', at) + 1;
    if (at == 0)
      refuse_file(file, "has fewer lines than its header skips (line skip): save it again");
  }
  return at;
}

void place_nrrd_labels(const fs::path& path, const HeaderLines& lines, VoxelFormat& format) {
  const auto either = [&](const char* one, const char* other) {
    return lines.get(lines.get(one).empty() ? other : one);
  };
  const std::string_view name = either("data file", "datafile");
  if (name.starts_with("LIST") || name.find('%') != std::string_view::npos) {
    refuse_file(path, "names one file a plane, which is not read: save it as one file");
  }
  const auto skip = [&](const char* one, const char* other) {
    const std::string_view value = either(one, other);
    return value.empty() ? 0 : number_of(path, one, value);
  };
  const std::int64_t lines_skipped = skip("line skip", "lineskip"),
                     bytes = skip("byte skip", "byteskip");
  format.file = name.empty() ? path : path.parent_path() / name;
  format.offset = offset_of(path, "byte skip", bytes);
  if (lines_skipped < 0 || (lines_skipped > 0 && name.empty())) {
    refuse_file(
        path,
        fmt::format(
            "its header has line skip: {}, must be 0 or more, and needs a data file: save it again",
            lines_skipped));
  }
  if (format.offset != at_end_of_file)
    format.offset += name.empty() ? lines.end() : bytes_of_lines(format.file, lines_skipped);
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

VoxelFormat meta_image_header(const fs::path& path, std::string_view text) {
  const HeaderLines lines(path, text, "=", "elementdatafile");
  check_meta_image(path, lines);
  VoxelFormat format;
  format.voxels = three_axes(path, lines.required("dimsize"));
  static const std::map<std::string_view, VoxelType> types = {
      {"met_uchar", VoxelType::uint8},   {"met_char", VoxelType::int8},
      {"met_ushort", VoxelType::uint16}, {"met_short", VoxelType::int16},
      {"met_uint", VoxelType::uint32},   {"met_int", VoxelType::int32}};
  const std::string_view type = lines.required("elementtype");
  const auto known = types.find(small_letters(type));
  if (known == types.end()) no_labels(path, printable(type));
  format.type = known->second;
  format.big_endian =
      is_true(path, lines, "elementbyteordermsb") || is_true(path, lines, "binarydatabyteordermsb");
  const char* spacing = lines.get("elementspacing").empty() ? "elementsize" : "elementspacing";
  if (const std::string_view edges = lines.get(spacing); !edges.empty()) {
    format.edges =
        voxel_edges(path, spacing, numbers_in<double>(edges), lines.get("distanceunits"));
  }
  const std::string_view file = lines.required("elementdatafile");
  if (file == "LIST" || file.find('%') != std::string_view::npos) {
    refuse_file(path, "names one file a plane, which is not read: save it as one file");
  }
  const bool is_local = small_letters(file) == "local";
  format.file = is_local ? path : path.parent_path() / file;
  const std::string_view skipped = lines.get("headersize");
  const std::int64_t skip = skipped.empty() ? 0 : number_of(path, "HeaderSize", skipped);
  format.offset = skip == 0 && is_local ? lines.end() : offset_of(path, "HeaderSize", skip);
  return format;
}

VoxelFormat nrrd_header(const fs::path& path, std::string_view text) {
  const std::string_view magic = text.substr(0, 8);
  if (!magic.starts_with("NRRD000") || magic.size() < 8 || magic[7] < '1' || magic[7] > '6') {
    refuse_file(path, "is no NRRD file: its first bytes are not NRRD0001 to NRRD0006");
  }
  const HeaderLines lines(path, text, ":", "");
  VoxelFormat format;
  format.voxels = three_axes(path, lines.required("sizes"));
  const std::string_view type = lines.required("type");
  const auto known = nrrd_types().find(small_letters(type));
  if (known == nrrd_types().end()) no_labels(path, printable(type));
  format.type = known->second;
  check_nrrd_axes(path, lines);
  format.big_endian = nrrd_big_endian(path, lines);
  format.edges = nrrd_edges(path, lines);
  if (const std::string_view encoding = lines.required("encoding");
      small_letters(encoding) != "raw") {
    refuse_file(
        path, fmt::format("has labels of encoding {}, which cannot be read plane by plane: save it "
                          "with encoding raw (unu save -e raw; 3D Slicer: without Compress)",
                          printable(encoding)));
  }
  place_nrrd_labels(path, lines, format);
  return format;
}

}  // namespace lbm::io
