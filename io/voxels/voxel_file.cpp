// SPDX-License-Identifier: Apache-2.0
#include "io/voxels/voxel_image.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <regex>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>

#include "io/files/input_file.hpp"
#include "solver/core/enum_names.hpp"

namespace lbm::io {
namespace fs = std::filesystem;

namespace {

struct Unit {
  std::string_view name, sign;
  double metres;
};
constexpr std::array<Unit, 9> units{{{"m", "m", 1},
                                     {"centim", "cm", 1e-2},
                                     {"millim", "mm", 1e-3},
                                     {"microm", "um", 1e-6},
                                     {"micron", "um", 1e-6},
                                     {"nanom", "nm", 1e-9},
                                     {"angstrom", "angstrom", 1e-10},
                                     {"inch", "inch", 0.0254},
                                     {"in", "inch", 0.0254}}};

// "Micrometers", "micron" and all signs of micro are "um". Null: no unit of length.
const Unit* unit_of(std::string_view word) {
  std::string text(word);
  // Latin-1 (ImageJ), the escape of Java, the two characters of Unicode in UTF-8.
  for (const std::string_view micro : {"\xc2\xb5", "\xce\xbc", "\xb5", "\\u00B5"}) {
    if (text.starts_with(micro)) text.replace(0, micro.size(), "u");
  }
  text = small_letters(text);
  if (text.size() > 2 && text.ends_with('s')) text.pop_back();
  for (const std::string_view metre : {"metre", "meter"}) {
    if (text.ends_with(metre)) text.replace(text.size() - metre.size(), metre.size(), "m");
  }
  const auto* const found = std::find_if(units.begin(), units.end(), [&](const Unit& unit) {
    return text == unit.name || text == unit.sign;
  });
  return found == units.end() ? nullptr : found;
}

constexpr const char* wanted_file = "the path of an image";
constexpr std::uint64_t most_of_header = 1024;  // bytes, of .npy files

std::string box_text(const std::array<std::int64_t, 3>& voxels) {
  return fmt::format("{} x {} x {}", voxels[0], voxels[1], voxels[2]);
}

// Sizes and types that would fit the file: the commonest mistakes.
std::string would_fit(std::uint64_t bytes, std::uint64_t count) {
  std::string text;
  const auto add = [&](const std::string& what) {
    text += (text.empty() ? "; it has the size of " : ", or ") + what;
  };
  for (const auto& [size, types] :
       {std::pair{1U, "uint8 or int8"}, {2U, "uint16 or int16"}, {4U, "uint32 or int32"}}) {
    if (bytes == count * size) add(fmt::format("these voxels of type {}", types));
  }
  for (const auto& [size, type] : {std::pair{1U, "uint8"}, {2U, "uint16"}}) {
    const auto edge = static_cast<std::uint64_t>(std::llround(std::cbrt(double(bytes) / size)));
    const std::uint64_t cube = edge * edge * edge;
    if (edge > 1 && cube * size == bytes && cube != count)
      add(fmt::format("{0} x {0} x {0} voxels of {1}", edge, type));
  }
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

// Throws UsageError if a key of the case differs from the header of the file.
void compare(const fs::path& path, const VoxelHints& hints, const VoxelFormat& format) {
  const auto text = [](const auto& value) {
    using T = std::decay_t<decltype(value)>;
    if constexpr (std::is_same_v<T, VoxelType>) return std::string(to_string(value));
    if constexpr (std::is_same_v<T, bool>) return std::string(value ? "big" : "little");
    if constexpr (std::is_same_v<T, std::uint64_t>) return std::to_string(value);
    if constexpr (std::is_same_v<T, std::array<std::int64_t, 3>>) return box_text(value);
  };
  const auto check = [&](const char* name, const auto& hint, const auto& found) {
    if (!hint || *hint == found) return;
    refuse_file(path,
                fmt::format("its header says {}: {}, the case {}: remove this key, or correct it",
                            name, text(found), text(*hint)));
  };
  check("cells", hints.voxels, format.voxels);
  check("type", hints.type, format.type);
  check("byte_order", hints.big_endian, format.big_endian);
  check("header_bytes", hints.offset, format.offset);
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

// NumPy's format of one array, versions 1 to 3. The last axis is x where it runs fastest
// (fortran_order: False), as in arrays [z, y, x]. text: the first bytes of the file, at least
// most_of_header unless it is shorter.
VoxelFormat npy_header(const fs::path& path, const std::string& text) {
  const auto byte = [&](std::size_t i) {
    return static_cast<std::uint64_t>(static_cast<unsigned char>(text[i]));
  };
  if (text.size() < 12 || !text.starts_with("\x93NUMPY")) {
    refuse_file(path, "is no .npy file: its first bytes are not those of NumPy");
  }
  const std::size_t begin = byte(6) == 1 ? 10 : 12;
  const std::uint64_t length =
      byte(8) | byte(9) << 8 | (begin == 10 ? 0 : byte(10) << 16 | byte(11) << 24);
  static const std::regex known(
      R"(\{'descr': *'([^']*)', *'fortran_order': *(True|False), *'shape': *\(([^)]*)\),? *\}[ \n]*)");
  std::smatch found;
  const std::string dictionary = text.substr(begin, length);
  if (byte(6) < 1 || byte(6) > 3 || dictionary.size() < length ||
      !std::regex_match(dictionary, found, known)) {
    refuse_file(path,
                "its header is none of NumPy, versions 1 to 3, or is cut short: save the array "
                "again (numpy.save)");
  }
  static const std::map<std::string, VoxelType> types = {
      {"u1", VoxelType::uint8},  {"b1", VoxelType::uint8}, {"i1", VoxelType::int8},
      {"u2", VoxelType::uint16}, {"i2", VoxelType::int16}, {"u4", VoxelType::uint32},
      {"i4", VoxelType::int32}};
  const std::string type = found[1], shape = found[3];
  const bool has_order = type.find_first_of("<>|=") == 0;
  const auto label = has_order ? types.find(type.substr(1)) : types.end();
  if (label == types.end()) {
    refuse_file(path,
                fmt::format("holds numbers of type {}, must be labels: whole numbers of 1, 2 or 4 "
                            "bytes: segment the image, or convert it (NumPy: "
                            "image.astype('uint8'))",
                            printable(type)));
  }
  const auto sizes = numbers_in<std::int64_t>(shape);
  if (sizes.size() != 3) {
    refuse_file(path,
                fmt::format("is an image of sizes ({}), must have three axes of whole numbers",
                            printable(shape)));
  }
  VoxelFormat format{.file = path,
                     .voxels = {sizes[0], sizes[1], sizes[2]},
                     .type = label->second,
                     .big_endian = type[0] == '>',
                     .offset = begin + length};
  if (found[2] == "False") std::swap(format.voxels[0], format.voxels[2]);
  return format;
}

}  // namespace

VoxelEdges voxel_edges(const std::filesystem::path& path, std::string_view key,
                       const std::vector<double>& lengths, std::string_view unit) {
  const auto is_wrong = [](double x) { return x <= 0 || std::isinf(x); };
  if (lengths.size() != 3 || std::any_of(lengths.begin(), lengths.end(), is_wrong)) {
    refuse_file(path, fmt::format("its header has {} ({}), must be three numbers > 0, the edges of "
                                  "a voxel: correct or remove it",
                                  key, fmt::join(lengths, " ")));
  }
  VoxelEdges edges;
  for (std::size_t a = 0; a < 3; ++a) edges.lengths[a] = std::isnan(lengths[a]) ? 0 : lengths[a];
  if (const Unit* known = unit_of(unit)) {
    edges.unit = known->sign;
    edges.metres = known->metres;
  }
  return edges;
}

std::string text_of(const VoxelEdges& edges) {
  if (edges.lengths == std::array<double, 3>{}) return "";
  std::vector<std::string> texts;
  for (const double x : edges.lengths) texts.push_back(x > 0 ? fmt::format("{:.6g}", x) : "?");
  return fmt::format("{}{}{}", fmt::join(texts, " x "), edges.unit.empty() ? "" : " ", edges.unit);
}

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

// Files are told apart by their ending.
VoxelFormat find_voxel_format(const fs::path& path, const VoxelHints& hints) {
  const std::string ending = small_letters(path.extension().string());
  const auto ends_in = [&](std::initializer_list<std::string_view> known) {
    return std::find(known.begin(), known.end(), ending) != known.end();
  };
  const bool is_hdf5 = !hints.dataset.empty() || ends_in({".h5", ".hdf5", ".hdf", ".nxs", ".nc"});
  VoxelFormat format;
  if (!is_hdf5 && names_plane_files(path)) {
    format = tiff_format(path, plane_files(path));
  } else if (!is_hdf5 && ends_in({".tif", ".tiff"})) {
    format = tiff_format(path, {path});
  } else {
    const std::uint64_t size = size_of_file(path, wanted_file);
    if (is_hdf5) {
      format = hdf5_format(path, hints.dataset, size);
    } else if (ends_in({".npy"})) {
      format = npy_header(path, first_bytes(path, std::min(size, most_of_header)));
      check_size(format, false);
    } else if (ends_in({".mhd", ".mha", ".nrrd", ".nhdr"})) {
      fs::path to = path;
      refuse_file(path, fmt::format("MetaImage and NRRD are read by the Python package: python -m "
                                    "lbm.voxels '{}' '{}', and give the file that it writes",
                                    path.string(), to.replace_extension(".npy").string()));
    } else {
      if (!hints.voxels) refuse_unknown(path, size);
      format = {path, *hints.voxels, hints.type.value_or(VoxelType::uint8),
                hints.big_endian.value_or(false), hints.offset.value_or(0)};
      check_size(format, true);
      return format;
    }
  }
  compare(path, hints, format);
  return format;
}

}  // namespace lbm::io
