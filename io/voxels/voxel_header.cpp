// SPDX-License-Identifier: Apache-2.0
#include "io/voxels/voxel_header.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <charconv>
#include <map>
#include <vector>

#include "io/files/input_file.hpp"

namespace lbm::io {
namespace {

namespace fs = std::filesystem;

[[noreturn]] void no_labels(const fs::path& path, const std::string& type) {
  refuse_file(path,
              fmt::format("holds numbers of type {}, must be labels: whole numbers of 1, 2 or 4 "
                          "bytes: segment the image, or convert it (NumPy: image.astype('uint8'))",
                          type));
}

std::string_view trimmed(std::string_view text) {
  const auto is_space = [](char c) { return c == ' ' || c == '\t' || c == '\r'; };
  while (!text.empty() && is_space(text.front())) text.remove_prefix(1);
  while (!text.empty() && is_space(text.back())) text.remove_suffix(1);
  return text;
}

std::string shown(std::string_view text) {
  std::string line(text.substr(0, 60));
  for (char& c : line) {
    if (static_cast<unsigned char>(c) < 0x20 || static_cast<unsigned char>(c) >= 0x7f) c = '?';
  }
  return line;
}

// Numbers apart by commas or spaces; empty if anything else is among them.
std::vector<std::int64_t> numbers_in(std::string_view text) {
  std::vector<std::int64_t> numbers;
  const char *at = text.data(), *end = text.data() + text.size();
  while (at != end) {
    if (*at == ' ' || *at == ',' || *at == '\t') {
      ++at;
      continue;
    }
    std::int64_t number = 0;
    const auto [next, error] = std::from_chars(at, end, number);
    if (error != std::errc()) return {};
    numbers.push_back(number);
    at = next;
  }
  return numbers;
}

std::array<std::int64_t, 3> three_axes(const fs::path& path, std::string_view text) {
  const auto sizes = numbers_in(text);
  if (sizes.size() != 3) {
    refuse_file(path,
                fmt::format("is an image of sizes ({}), must have three axes of whole numbers",
                            shown(text)));
  }
  return {sizes[0], sizes[1], sizes[2]};
}

// A number that must be there.
std::int64_t number_of(const fs::path& path, std::string_view key, std::string_view text) {
  const auto numbers = numbers_in(text);
  if (numbers.size() != 1) {
    refuse_file(path, fmt::format("its header has {}: {}, must be a number", key, shown(text)));
  }
  return numbers[0];
}

// Lines `KEY separator VALUE` up to an empty one, or to one with the key `last`. Keys in small
// letters.
struct Lines {
  std::map<std::string, std::string, std::less<>> values;
  std::size_t end = 0;  // of the last line, in bytes

  std::string_view get(std::string_view key) const {
    const auto found = values.find(key);
    return found == values.end() ? std::string_view() : std::string_view(found->second);
  }
};

Lines lines_of(const fs::path& path, std::string_view text, std::string_view separator,
               std::string_view last) {
  Lines lines;
  while (lines.end < text.size()) {
    const std::size_t end = text.find('\n', lines.end);
    if (end == std::string_view::npos) break;
    const std::string_view line = trimmed(text.substr(lines.end, end - lines.end));
    lines.end = end + 1;
    if (line.empty()) return lines;
    const std::size_t at = line.find(separator);
    if (at == std::string_view::npos) continue;  // the magic, comments
    std::string key(trimmed(line.substr(0, at)));
    std::transform(key.begin(), key.end(), key.begin(),
                   [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
    lines.values[key] = std::string(trimmed(line.substr(at + separator.size())));
    if (key == last) return lines;
  }
  if (text.size() >= most_of_header) {
    refuse_file(path, fmt::format("its header does not end within {} bytes", most_of_header));
  }
  return lines;  // of a file that is a header alone
}

std::string_view required(const fs::path& path, const Lines& lines, std::string_view key) {
  const std::string_view value = lines.get(key);
  if (value.empty()) refuse_file(path, fmt::format("its header has no {}: is it damaged?", key));
  return value;
}

bool is_true(std::string_view word) { return word == "True" || word == "true" || word == "1"; }

// The text of an item of a Python dictionary, up to the comma or bracket that ends it.
std::string_view item_of(const fs::path& path, std::string_view dictionary, std::string_view key) {
  const std::size_t at = dictionary.find(fmt::format("'{}':", key));
  if (at == std::string_view::npos) {
    refuse_file(path, fmt::format("its header has no {}: is it damaged?", key));
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
  const bool first_version = byte(6) == 1;
  const std::size_t begin = first_version ? 10 : 12;
  const std::uint64_t length = first_version
                                   ? byte(8) | byte(9) << 8
                                   : byte(8) | byte(9) << 8 | byte(10) << 16 | byte(11) << 24;
  if (length > text.size() - begin) refuse_file(path, "its header is cut short: copy it again");
  const std::string_view dictionary = text.substr(begin, length);

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
  const auto known = type.size() == 3 ? types.find(type.substr(1)) : types.end();
  if (known == types.end()) no_labels(path, shown(type));
  format.type = known->second;
  format.big_endian = type[0] == '>';
  format.voxels = three_axes(path, item_of(path, dictionary, "shape"));
  if (item_of(path, dictionary, "fortran_order") != "True") {
    std::swap(format.voxels[0], format.voxels[2]);
  }
  return format;
}

VoxelFormat meta_image_header(const fs::path& path, std::string_view text) {
  const Lines lines = lines_of(path, text, "=", "elementdatafile");
  VoxelFormat format;
  format.voxels = three_axes(path, required(path, lines, "dimsize"));
  static const std::map<std::string_view, VoxelType> types = {
      {"MET_UCHAR", VoxelType::uint8},   {"MET_CHAR", VoxelType::int8},
      {"MET_USHORT", VoxelType::uint16}, {"MET_SHORT", VoxelType::int16},
      {"MET_UINT", VoxelType::uint32},   {"MET_INT", VoxelType::int32}};
  const std::string_view type = required(path, lines, "elementtype");
  const auto known = types.find(type);
  if (known == types.end()) no_labels(path, shown(type));
  format.type = known->second;
  format.big_endian =
      is_true(lines.get("elementbyteordermsb")) || is_true(lines.get("binarydatabyteordermsb"));
  if (is_true(lines.get("compresseddata"))) {
    refuse_file(path,
                "has compressed labels, which cannot be read plane by plane: save it uncompressed");
  }
  const std::string_view file = required(path, lines, "elementdatafile");
  const std::string_view skipped = lines.get("headersize");
  if (file == "LOCAL") {
    format.file = path;
    format.offset = lines.end;
    return format;
  }
  if (file == "LIST" || file.find('%') != std::string_view::npos) {
    refuse_file(path, "names one file a plane, which is not read: save it as one file");
  }
  format.file = path.parent_path() / file;
  const std::int64_t skip = skipped.empty() ? 0 : number_of(path, "HeaderSize", skipped);
  if (skip < 0) {
    refuse_file(path,
                "has HeaderSize: -1, which is not read: give the bytes before the first label");
  }
  format.offset = static_cast<std::uint64_t>(skip);
  return format;
}

VoxelFormat nrrd_header(const fs::path& path, std::string_view text) {
  if (!text.starts_with("NRRD")) refuse_file(path, "is no NRRD file: its first bytes are not NRRD");
  const Lines lines = lines_of(path, text, ":", "");
  VoxelFormat format;
  format.voxels = three_axes(path, required(path, lines, "sizes"));
  static const std::map<std::string_view, VoxelType> types = {{"uchar", VoxelType::uint8},
                                                              {"unsigned char", VoxelType::uint8},
                                                              {"uint8", VoxelType::uint8},
                                                              {"uint8_t", VoxelType::uint8},
                                                              {"signed char", VoxelType::int8},
                                                              {"int8", VoxelType::int8},
                                                              {"int8_t", VoxelType::int8},
                                                              {"ushort", VoxelType::uint16},
                                                              {"unsigned short", VoxelType::uint16},
                                                              {"uint16", VoxelType::uint16},
                                                              {"uint16_t", VoxelType::uint16},
                                                              {"short", VoxelType::int16},
                                                              {"int16", VoxelType::int16},
                                                              {"int16_t", VoxelType::int16},
                                                              {"uint", VoxelType::uint32},
                                                              {"unsigned int", VoxelType::uint32},
                                                              {"uint32", VoxelType::uint32},
                                                              {"uint32_t", VoxelType::uint32},
                                                              {"int", VoxelType::int32},
                                                              {"int32", VoxelType::int32},
                                                              {"int32_t", VoxelType::int32}};
  const std::string_view type = required(path, lines, "type");
  const auto known = types.find(type);
  if (known == types.end()) no_labels(path, shown(type));
  format.type = known->second;
  format.big_endian = lines.get("endian") == "big";
  if (const std::string_view encoding = required(path, lines, "encoding"); encoding != "raw") {
    refuse_file(
        path, fmt::format("has labels of encoding {}, which cannot be read plane by plane: save it "
                          "with encoding raw",
                          shown(encoding)));
  }
  const std::string_view name =
      lines.get(lines.get("data file").empty() ? "datafile" : "data file");
  const std::string_view skipped =
      lines.get(lines.get("byte skip").empty() ? "byteskip" : "byte skip");
  const std::int64_t skip = skipped.empty() ? 0 : number_of(path, "byte skip", skipped);
  if (skip < 0 || !lines.get("line skip").empty()) {
    refuse_file(path, "skips lines or to the end of the file, which is not read: save it again");
  }
  if (name == "LIST" || name.find('%') != std::string_view::npos) {
    refuse_file(path, "names one file a plane, which is not read: save it as one file");
  }
  format.file = name.empty() ? path : path.parent_path() / name;
  format.offset = (name.empty() ? lines.end : 0) + static_cast<std::uint64_t>(skip);
  return format;
}

}  // namespace lbm::io
