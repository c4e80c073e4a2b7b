// SPDX-License-Identifier: Apache-2.0
#include "io/voxels/tiff_description.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <limits>
#include <optional>
#include <string>
#include <string_view>

#include "io/text/header_text.hpp"
#include "io/voxels/voxel_edges.hpp"

namespace lbm::io {
namespace {

constexpr double not_told = std::numeric_limits<double>::quiet_NaN();

template <class T>
std::optional<T> number_in(std::string_view text) {
  T number{};
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  return error == std::errc() ? std::optional(number) : std::nullopt;
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

// The value behind `key` in the lines that ImageJ writes.
std::string_view line_of(std::string_view text, std::string_view key) {
  const std::size_t at = text.find(fmt::format("\n{}=", key));
  if (at == std::string_view::npos) return {};
  const std::string_view value = text.substr(at + key.size() + 2);
  return trimmed(value.substr(0, value.find_first_of(std::string_view("\n\0", 2))));
}

TiffDescription imagej(const TiffFile& file, const TiffPage& page) {
  const std::string_view text = page.description;
  const auto count = [&](const char* key) {
    return number_in<std::int64_t>(line_of(text, key)).value_or(1);
  };
  const std::int64_t told = count_planes(file, count("channels"), count("slices"), count("frames"));
  TiffDescription result{.planes = number_in<std::int64_t>(line_of(text, "images")).value_or(0)};
  result.one_directory = result.planes > 1 && page.last;
  if (told > 1 && result.planes > 0 && told != result.planes) {
    file.refuse(fmt::format("says images={} and {} slices: save it again", result.planes, told));
  }
  // Without a unit the resolution is that of a printer.
  const std::string_view unit = line_of(text, "unit");
  const auto depth = number_in<double>(line_of(text, "spacing"));
  std::vector<double> edges{1, 1, depth.value_or(not_told)};
  for (std::size_t a = 0; a < 2 && !unit.empty(); ++a) {
    edges[a] = page.resolution[a] > 0 ? 1 / page.resolution[a] : not_told;
  }
  if (!unit.empty() || depth) result.edges = voxel_edges(file.path(), "spacing", edges, unit);
  return result;
}

// The value of an attribute of an XML element.
std::string_view attribute(std::string_view element, std::string_view name) {
  const std::size_t at = element.find(fmt::format(" {}=\"", name));
  if (at == std::string_view::npos) return {};
  const std::string_view value = element.substr(at + name.size() + 3);
  return value.substr(0, value.find('"'));
}

TiffDescription ome(const TiffFile& file, const TiffPage& page) {
  const std::string_view text = page.description;
  const std::size_t at = text.find("Pixels ");
  if (text.find("Pixels ", at + 1) != std::string_view::npos) {
    file.refuse("holds several images (OME-XML), must be one: save the labels alone");
  }
  const std::string_view pixels = text.substr(at, text.find('>', at) - at);
  const auto count = [&](const char* name) {
    return number_in<std::int64_t>(attribute(pixels, name)).value_or(1);
  };
  check_plane_size(file, page, count("SizeX"), count("SizeY"));
  TiffDescription result{.planes =
                             count_planes(file, count("SizeC"), count("SizeZ"), count("SizeT"))};
  std::vector<double> edges;
  std::string_view unit = attribute(pixels, "PhysicalSizeXUnit");
  for (const char axis : {'X', 'Y', 'Z'}) {
    const auto edge = number_in<double>(attribute(pixels, fmt::format("PhysicalSize{}", axis)));
    edges.push_back(edge.value_or(not_told));
    const auto own = attribute(pixels, fmt::format("PhysicalSize{}Unit", axis));
    if (edge && own != unit) {
      file.refuse(
          "its axes have different units (PhysicalSizeXUnit), must have one: save it again");
    }
  }
  if (unit.empty()) unit = "um";  // as OME says
  result.edges = voxel_edges(file.path(), "PhysicalSize", edges, unit);
  return result;
}

// {"shape": [planes, rows, columns]}, as tifffile writes.
TiffDescription shaped(const TiffFile& file, const TiffPage& page) {
  const std::string_view text = page.description;
  if (text.find("\"truncated\": true") != std::string_view::npos) {
    file.refuse("names its first page alone, and other planes follow: save it without truncate");
  }
  const std::size_t begin = text.find('[') + 1;
  auto axes = numbers_in<std::int64_t>(text.substr(begin, text.find(']', begin) - begin));
  if (axes.size() > 2 && axes.back() == 1 && page.width != 1) axes.pop_back();
  if (axes.size() < 3) return {};
  check_plane_size(file, page, axes[axes.size() - 1], axes[axes.size() - 2]);
  axes.resize(axes.size() - 2);
  if (axes.size() - static_cast<std::size_t>(std::count(axes.begin(), axes.end(), 1)) > 1) {
    file.refuse(
        fmt::format("is an array of {} axes (shape), must be [z, y, x]: save the labels "
                    "alone",
                    axes.size() + 2));
  }
  return {.planes = *std::max_element(axes.begin(), axes.end())};
}

}  // namespace

TiffDescription tiff_description(const TiffFile& file, const TiffPage& page) {
  const std::string_view text = page.description;
  if (text.starts_with("ImageJ=")) return imagej(file, page);
  if (text.starts_with("{\"shape\": [")) return shaped(file, page);
  const bool is_ome =
      text.find("<OME ") != std::string_view::npos || text.find(":OME ") != std::string_view::npos;
  if (is_ome && text.find("Pixels ") != std::string_view::npos) return ome(file, page);
  return {};
}

}  // namespace lbm::io
