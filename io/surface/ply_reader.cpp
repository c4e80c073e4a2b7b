// SPDX-License-Identifier: Apache-2.0
#include "io/surface/ply_reader.hpp"

#include <fmt/format.h>

#include <array>
#include <cmath>
#include <cstdint>
#include <span>
#include <vector>

#include "io/surface/ply_header.hpp"
#include "io/surface/ply_values.hpp"
#include "io/surface/polygon.hpp"
#include "solver/core/error.hpp"

namespace lbm::io {
namespace {

constexpr const char* again = "export or copy the file again";

class PlyReader {
 public:
  PlyReader(std::string_view bytes, const std::string& name, SurfaceBuilder& surface)
      : name_(name),
        surface_(surface),
        header_(read_ply_header(bytes, name)),
        values_(bytes, header_, name) {
    for (const PlyElement& element : header_.elements)
      if (element.name == "vertex") points_ += element.count;
  }

  void read() {
    bool any = false;
    for (const PlyElement& element : header_.elements) {
      require_bytes(element);
      const bool faces = element.name == "face";
      if (element.properties.empty()) continue;
      if (faces && element.count > 0 && points_ == 0)
        throw UsageError(fmt::format("{}: holds faces and no vertices; {}", name_, again));
      for (std::int64_t n = 0; n < element.count; ++n) {
        surface_.watch_time();
        if (element.name == "vertex")
          point(element);
        else
          polygon(element, faces);
      }
      any = any || (faces && element.count > 0);
      if (any && points_are_known()) return add_later();  // nothing behind matters
    }
    throw UsageError(fmt::format(
        "{}: holds no faces ({}): export the body as a surface of triangles", name_, contents()));
  }

 private:
  void require_bytes(const PlyElement& element) const {
    // The last value of a text needs no space behind it.
    const std::int64_t least = element.least_bytes(values_.is_text());
    const std::int64_t left = values_.left() + (values_.is_text() ? 1 : 0);
    if (least == 0 || element.count <= left / least) return;
    throw UsageError(fmt::format(
        "{}: announces {} of '{}', which take {} bytes or more each, but {} bytes are left: it is "
        "cut "
        "short, or a damaged PLY file; {}",
        name_, element.count, element.name.substr(0, 40), least, values_.left(), again));
  }

  void point(const PlyElement& element) {
    std::array<double, 3> p{NAN, NAN, NAN};
    for (const PlyProperty& property : element.properties) {
      if (property.count) {
        skip_list(property);
        continue;
      }
      const double value = values_.next(property.type);
      if (property.name.size() == 1 && property.name[0] >= 'x' && property.name[0] <= 'z')
        p[static_cast<std::size_t>(property.name[0] - 'x')] = value;
    }
    for (const double x : p)
      if (!is_coordinate(x))
        values_.fail(
            fmt::format("point {} has a coordinate that is missing or no number below 3.4e38; "
                        "export the file again",
                        surface_.points().size()));
    surface_.add_point(p);
  }

  void polygon(const PlyElement& element, bool is_face) {
    corners_.clear();
    for (const PlyProperty& property : element.properties) {
      const bool corners =
          is_face && (property.name == "vertex_indices" || property.name == "vertex_index");
      if (!property.count)
        values_.next(property.type);
      else if (corners)
        read_corners(property);
      else
        skip_list(property);
    }
    if (!is_face) return;
    if (!points_are_known()) {
      later_.push_back(static_cast<std::int32_t>(corners_.size()));
      later_.insert(later_.end(), corners_.begin(), corners_.end());
      return;
    }
    if (const auto wrong = surface_.add_polygon(corners_, again)) values_.fail(*wrong);
  }

  bool points_are_known() const {
    return static_cast<std::int64_t>(surface_.points().size()) == points_;
  }

  // Faces before the vertices.
  void add_later() {
    for (std::size_t at = 0; at < later_.size();) {
      const auto count = static_cast<std::size_t>(later_[at]);
      const auto corners = std::span<const std::int32_t>(later_).subspan(at + 1, count);
      if (const auto wrong = surface_.add_polygon(corners, again)) values_.fail(*wrong);
      at += 1 + count;
    }
  }

  std::int64_t length_of(const PlyProperty& property) {
    const double length = values_.next(*property.count);
    if (!(length >= 0 && length <= static_cast<double>(values_.left())))
      values_.fail(
          fmt::format("found a list of {:.15g} values, {} bytes are left: the file is damaged "
                      "or cut short; {}",
                      length, values_.left(), again));
    return static_cast<std::int64_t>(length);
  }

  void skip_list(const PlyProperty& property) {
    for (std::int64_t n = length_of(property); n > 0; --n) {
      surface_.watch_time();
      values_.next(property.type);
    }
  }

  void read_corners(const PlyProperty& property) {
    const std::int64_t length = length_of(property);
    if (length > static_cast<std::int64_t>(most_convex_corners))
      values_.fail(fmt::format(
          "found a face of {} corners, must have {} at most: split it in the program that made it "
          "(triangulate)",
          length, most_convex_corners));
    const auto count = static_cast<double>(points_);
    for (std::int64_t n = 0; n < length; ++n) {
      surface_.watch_time();
      const double index = values_.next(property.type);
      if (!(index >= 0 && index < count && index == std::floor(index)))
        values_.fail(fmt::format("found point {:.15g} in a face, must be one of 0 to {}; {}", index,
                                 count - 1, again));
      corners_.push_back(static_cast<std::int32_t>(index));
    }
  }

  // "vertex: 12, tristrips: 4"
  std::string contents() const {
    std::string text;
    for (const PlyElement& element : header_.elements) {
      if (text.size() > 100) return text + ", ...";
      text += fmt::format("{}{}: {}", text.empty() ? "" : ", ", shown(element.name), element.count);
    }
    return text.empty() ? "no elements" : text;
  }

  const std::string& name_;
  SurfaceBuilder& surface_;
  PlyHeader header_;
  PlyValues values_;
  std::int64_t points_ = 0;  // in the whole file
  std::vector<std::int32_t> corners_;
  std::vector<std::int32_t> later_;  // faces before the vertices: each its count and its corners
};

}  // namespace

bool is_ply(std::string_view head) {
  return head.size() > 3 && head.substr(0, 3) == "ply" && (head[3] == '\n' || head[3] == '\r');
}

void read_ply(std::string_view bytes, const std::string& name, SurfaceBuilder& surface) {
  PlyReader(bytes, name, surface).read();
}

}  // namespace lbm::io
