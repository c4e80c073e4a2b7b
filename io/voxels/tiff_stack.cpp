// SPDX-License-Identifier: Apache-2.0
#include "io/voxels/voxel_image.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "io/files/input_file.hpp"
#include "io/voxels/tiff_file.hpp"
#include "solver/core/enum_names.hpp"

namespace lbm::io {
namespace {

namespace fs = std::filesystem;

constexpr double not_told = std::numeric_limits<double>::quiet_NaN();

// The first page of a file describes all of them.
struct Description {
  std::int64_t planes = 0;     // of the whole image; 0: not told
  bool one_directory = false;  // ImageJ: the planes follow each other behind one page
  VoxelEdges edges{};
};

template <class T>
std::optional<T> number_in(std::string_view text) {
  T number{};
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  return error == std::errc() ? std::optional(number) : std::nullopt;
}

// The text behind `key`, up to one of `ends`.
std::string_view value_of(std::string_view text, const std::string& key, std::string_view ends) {
  const std::size_t at = text.find(key);
  if (at == std::string_view::npos) return {};
  const std::string_view value = text.substr(at + key.size());
  return value.substr(0, value.find_first_of(ends));
}

// Planes are often saved as channels or times.
std::int64_t count_planes(const TiffFile& file, std::int64_t channels, std::int64_t slices,
                          std::int64_t frames) {
  if ((channels > 1) + (frames > 1) + (slices > 1) > 1) {
    file.refuse(
        fmt::format("is a stack of {} channels, {} slices and {} times, must be one image: save "
                    "the labels alone",
                    channels, slices, frames));
  }
  return std::max({channels, slices, frames});
}

void check_plane_size(const TiffFile& file, const TiffPage& page, std::int64_t width,
                      std::int64_t height) {
  if (width == page.width && height == page.height) return;
  file.refuse(fmt::format("is described as {} x {} pixels, and has {} x {}: save it again", width,
                          height, page.width, page.height));
}

Description imagej(const TiffFile& file, const TiffPage& page) {
  const auto line = [&](const char* key) {
    return trimmed(value_of(page.description, fmt::format("\n{}=", key), {"\n\0", 2}));
  };
  const auto count = [&](const char* key) {
    return number_in<std::int64_t>(line(key)).value_or(1);
  };
  const std::int64_t told = count_planes(file, count("channels"), count("slices"), count("frames"));
  Description result{.planes = number_in<std::int64_t>(line("images")).value_or(0)};
  result.one_directory = result.planes > 1 && page.last;
  if (told > 1 && result.planes > 0 && told != result.planes) {
    file.refuse(fmt::format("says images={} and {} slices: save it again", result.planes, told));
  }
  // Without a unit the resolution is that of a printer.
  const std::string_view unit = line("unit");
  const auto depth = number_in<double>(line("spacing"));
  std::vector<double> edges{1, 1, depth.value_or(not_told)};
  for (std::size_t a = 0; a < 2 && !unit.empty(); ++a) {
    edges[a] = page.resolution[a] > 0 ? 1 / page.resolution[a] : not_told;
  }
  if (!unit.empty() || depth) result.edges = voxel_edges(file.path(), "spacing", edges, unit);
  return result;
}

Description ome(const TiffFile& file, const TiffPage& page, std::size_t at) {
  const std::string_view text = page.description;
  if (text.find("Pixels ", at + 1) != std::string_view::npos) {
    file.refuse("holds several images (OME-XML), must be one: save the labels alone");
  }
  const std::string_view pixels = text.substr(at, text.find('>', at) - at);
  const auto attribute = [&](const std::string& name) {
    return value_of(pixels, fmt::format(" {}=\"", name), "\"");
  };
  const auto count = [&](const char* name) {
    return number_in<std::int64_t>(attribute(name)).value_or(1);
  };
  check_plane_size(file, page, count("SizeX"), count("SizeY"));
  Description result{.planes = count_planes(file, count("SizeC"), count("SizeZ"), count("SizeT"))};
  std::vector<double> edges;
  const std::string_view unit = attribute("PhysicalSizeXUnit");
  for (const char axis : {'X', 'Y', 'Z'}) {
    const std::string key = fmt::format("PhysicalSize{}", axis);
    const auto edge = number_in<double>(attribute(key));
    edges.push_back(edge.value_or(not_told));
    if (edge && attribute(key + "Unit") != unit) {
      file.refuse(
          "its axes have different units (PhysicalSizeXUnit), must have one: save it again");
    }
  }
  // Micrometres are the default of OME.
  result.edges = voxel_edges(file.path(), "PhysicalSize", edges, unit.empty() ? "um" : unit);
  return result;
}

// {"shape": [planes, rows, columns]}, as tifffile writes.
Description shaped(const TiffFile& file, const TiffPage& page) {
  const std::string_view text = page.description;
  if (text.find("\"truncated\": true") != std::string_view::npos) {
    file.refuse("names its first page alone, and other planes follow: save it without truncate");
  }
  auto axes = numbers_in<std::int64_t>(value_of(text, "[", "]"));
  if (axes.size() > 2 && axes.back() == 1 && page.width != 1) axes.pop_back();
  if (axes.size() < 3) return {};
  check_plane_size(file, page, axes[axes.size() - 1], axes[axes.size() - 2]);
  axes.resize(axes.size() - 2);
  if (axes.size() - static_cast<std::size_t>(std::count(axes.begin(), axes.end(), 1)) > 1) {
    file.refuse(
        fmt::format("is an array of {} axes (shape), must be [z, y, x]: save the labels alone",
                    axes.size() + 2));
  }
  return {.planes = *std::max_element(axes.begin(), axes.end())};
}

// Default values for the texts of other programs.
Description description_of(const TiffFile& file, const TiffPage& page) {
  const std::string_view text = page.description;
  if (text.starts_with("ImageJ=")) return imagej(file, page);
  if (text.starts_with("{\"shape\": [")) return shaped(file, page);
  const bool is_ome =
      text.find("<OME ") != std::string_view::npos || text.find(":OME ") != std::string_view::npos;
  const std::size_t pixels = text.find("Pixels ");
  if (is_ome && pixels != std::string_view::npos) return ome(file, page, pixels);
  return {};
}

struct Plane {
  std::uint64_t directory = 0;
  std::size_t file = 0;
};

bool same_kind(const TiffPage& a, const TiffPage& b) {
  return a.width == b.width && a.height == b.height && a.type == b.type;
}

// Appends the planes of a file, all like `first`: the first of all, which the first call sets.
void add_planes(TiffFile& file, std::size_t number, const fs::path& name, TiffPage& first,
                std::vector<Plane>& planes) {
  do {
    TiffPage page = file.page();
    if (page.reduced) continue;
    if (planes.empty()) first = page;
    if (!same_kind(page, first)) {
      file.refuse(
          fmt::format("plane {} has {} x {} pixels of {}, the first plane {} x {} of {}: all must "
                      "be alike: is it a file of another image?",
                      planes.size() + 1, page.width, page.height, to_string(page.type), first.width,
                      first.height, to_string(first.type)));
    }
    if (planes.size() == most_voxels) {
      refuse_file(name, fmt::format("has more than {} planes", most_voxels));
    }
    planes.push_back({page.directory, number});
  } while (file.next_page());
}

// A stack of ImageJ: its planes lie one after the other behind the only page.
void place_behind_one_page(const TiffFile& file, const TiffPage& first, VoxelFormat& format) {
  const std::int64_t planes = format.voxels[2];
  if (!first.offset) {
    file.refuse(fmt::format("says images={} and has one page: save it uncompressed", planes));
  }
  format.offset = *first.offset;
  const std::uint64_t plane =
      static_cast<std::uint64_t>(first.width * first.height) * bytes_of(first.type);
  if (planes <= most_voxels && format.offset <= file.bytes() &&
      plane * static_cast<std::uint64_t>(planes) <= file.bytes() - format.offset) {
    return;
  }
  file.refuse(
      fmt::format("holds {} bytes, less than its {} planes of {} x {} pixels of {}: it is cut "
                  "short: copy it again",
                  file.bytes(), planes, first.width, first.height, to_string(first.type)));
}

}  // namespace

VoxelFormat tiff_format(const fs::path& name, const std::vector<fs::path>& files) {
  TiffFile first_file(files[0]);
  TiffPage first;
  std::vector<Plane> planes;
  add_planes(first_file, 0, name, first, planes);
  if (planes.empty()) refuse_file(name, "has no pages but previews: save the image again");
  const std::size_t planes_of_file = planes.size();
  for (std::size_t i = 1; i < files.size(); ++i) {
    const std::size_t before = planes.size();
    TiffFile file(files[i]);
    add_planes(file, i, name, first, planes);
    if (planes.size() - before == planes_of_file) continue;
    file.refuse(fmt::format("has {} planes, the file before has {}: is it a file of another image?",
                            planes.size() - before, planes_of_file));
  }
  const Description described = description_of(first_file, first);
  VoxelFormat format{
      .file = name,
      .voxels = {first.width, first.height, static_cast<std::int64_t>(planes.size())},
      .type = first.type,
      .big_endian = first_file.big_endian(),
      .edges = described.edges};
  const bool alone = files.size() == 1;
  if (alone && described.one_directory) {
    format.file = files[0];
    format.voxels[2] = described.planes;
    place_behind_one_page(first_file, first, format);
    return format;
  }
  // A description of more planes than there are belongs to a file that lost some, or to another
  // image; files of one plane each may all describe the whole image.
  if (alone && described.planes != 0 && described.planes != format.voxels[2]) {
    first_file.refuse(fmt::format("says that it has {} planes, and has {}: save it again",
                                  described.planes, planes.size()));
  }
  // Opens the file for each plane: many threads may read, and a stack may have more files than a
  // process may open.
  format.source = [files, first,
                   all = std::make_shared<const std::vector<Plane>>(std::move(planes))](
                      std::int64_t z, std::span<std::byte> to) {
    const Plane& plane = (*all)[static_cast<std::size_t>(z)];
    TiffFile file(files[plane.file]);
    file.go_to(plane.directory);
    const TiffPage page = file.page();
    if (!same_kind(page, first)) {
      file.refuse("has changed while it was read: do not change it during a run");
    }
    file.read(page, to);
  };
  return format;
}

bool reads_tiff() { return true; }

}  // namespace lbm::io
