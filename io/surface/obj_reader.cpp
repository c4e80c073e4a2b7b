// SPDX-License-Identifier: Apache-2.0
#include "io/surface/surface_reader.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>

#include "io/files/input_file.hpp"
#include "solver/core/error.hpp"

namespace lbm::io {
namespace {

constexpr std::string_view spaces = " \t\r\f\v";
constexpr std::size_t most_groups = 1000;  // of one face

bool is_one_of(std::string_view word, std::initializer_list<std::string_view> words) {
  return std::find(words.begin(), words.end(), word) != words.end();
}

bool is_skipped(std::string_view word) {
  return is_one_of(
      word, {"vt", "vn", "vp", "l", "p", "s", "mg", "usemtl", "mtllib", "usemap", "maplib", "bevel",
             "c_interp", "d_interp", "lod", "shadow_obj", "trace_obj"});
}

// A '\' at the end of a line joins it with the next one: '\v' takes the place of that end.
void join_lines(std::string& text) {
  for (std::size_t at = text.find('\\'); at != std::string::npos; at = text.find('\\', at + 1)) {
    const std::size_t end = text.find_first_not_of(spaces, at + 1);
    if (end == std::string::npos || text[end] != '\n') continue;
    text[at] = ' ';
    text[end] = '\v';
  }
}

class ObjReader {
 public:
  ObjReader(const std::string& name, SurfaceBuilder& surface) : name_(name), surface_(surface) {}

  void read(std::string_view text) {
    for (std::size_t at = 0; at < text.size(); ++at) {
      const std::string_view line = text.substr(at, text.find('\n', at) - at);
      ++line_;
      read_line(line);
      line_ += std::count(line.begin(), line.end(), '\v');
      at += line.size();
    }
  }

 private:
  void read_line(std::string_view line) {
    split(line.substr(0, line.find('#')));
    if (words_.empty()) return;
    const std::string_view word = words_[0];
    if (word == "v") {
      point();
    } else if (is_one_of(word, {"f", "fo"})) {
      face();
    } else if (word == "o") {
      object_ = trimmed(line.substr(static_cast<std::size_t>(word.data() - line.data()) + 1));
      begin_solids();
    } else if (word == "g") {
      if (words_.size() > most_groups + 1)
        fail(fmt::format("found more than {} groups, must be fewer; export the file again",
                         most_groups));
      groups_.assign(words_.begin() + 1, words_.end());
      begin_solids();
    } else if (is_one_of(word, {"curv", "curv2", "surf"})) {
      fail(
          fmt::format("found '{}', a free-form curve or surface: only polygons (f) are read; "
                      "export the body as triangles",
                      word));
    } else if (!is_skipped(word)) {
      fail(
          fmt::format("found '{}' where a word of OBJ (v, f, o, g, ...) belongs: not an OBJ file, "
                      "or a damaged one; export or copy it again",
                      shown(word)));
    }
  }

  void split(std::string_view line) {
    words_.clear();
    for (std::size_t at = line.find_first_not_of(spaces); at < line.size();) {
      const std::size_t end = std::min(line.find_first_of(spaces, at), line.size());
      words_.push_back(line.substr(at, end - at));
      at = line.find_first_not_of(spaces, end);
    }
  }

  void point() {
    std::array<double, 3> p{};
    for (std::size_t a = 0; a < 3; ++a) {
      const std::string_view word = a + 1 < words_.size() ? words_[a + 1] : "";
      const auto value = number_of(word);
      if (!value || !is_coordinate(*value))
        fail(
            fmt::format("found '{}' where a coordinate belongs, must be a number below 3.4e38; "
                        "export the file again",
                        shown(word)));
      p[a] = *value;
    }
    surface_.add_point(p);
  }

  void face() {
    corners_.clear();
    for (std::size_t n = 1; n < words_.size(); ++n) {
      surface_.watch_time();
      corners_.push_back(corner(words_[n]));
    }
    if (corners_.size() < 3)
      fail(fmt::format("found a face of {} corners, must be three or more; export the file again",
                       corners_.size()));
    triangles_.clear();
    if (!cut_polygon(surface_.points(), corners_, triangles_))
      fail(
          fmt::format("found a face of {} corners that is not convex, must have {} at most: split "
                      "it in the program that made it (triangulate)",
                      corners_.size(), most_corners));
    for (const auto& triangle : triangles_) surface_.add_triangle(triangle);
  }

  // "7", "7/1", "7//3", "7/1/3"; -1 is the last point so far.
  std::int32_t corner(std::string_view word) const {
    const auto count = static_cast<std::int64_t>(surface_.points().size());
    const std::string_view digits = word.substr(0, word.find('/'));
    std::int64_t number = 0;
    const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), number);
    if (error != std::errc() || end != digits.data() + digits.size())
      fail(fmt::format("found '{}' where the number of a point belongs; export the file again",
                       shown(word)));
    const std::int64_t index = number < 0 ? count + number : number - 1;
    if (index < 0 || index >= count)
      fail(
          fmt::format("found point {} in a face, must be one of the {} points above; export the "
                      "file again",
                      number, count));
    return static_cast<std::int32_t>(index);
  }

  void begin_solids() {
    std::vector<std::string_view> solids = groups_;
    solids.push_back(object_);
    surface_.begin_solids(solids);
  }

  [[noreturn]] void fail(const std::string& what) const {
    throw UsageError(fmt::format("{}:{}: {}", name_, line_, what));
  }

  const std::string& name_;
  SurfaceBuilder& surface_;
  std::int64_t line_ = 0;
  std::string_view object_;
  std::vector<std::string_view> words_, groups_;
  std::vector<std::int32_t> corners_;
  std::vector<std::array<std::int32_t, 3>> triangles_;  // of one face
};

}  // namespace

void read_obj(std::string& text, const std::string& name, SurfaceBuilder& surface) {
  join_lines(text);
  ObjReader(name, surface).read(text);
}

namespace {

using Point = std::array<double, 2>;

// Twice the area of the triangle; positive if it is counterclockwise.
double area(const Point& a, const Point& b, const Point& c) {
  return (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]);
}

// Along the axis of the largest component of Newell's normal; mirrored where that is negative, so
// that the polygon is counterclockwise.
std::vector<Point> projected(std::span<const std::array<double, 3>> points,
                             std::span<const std::int32_t> corners) {
  std::array<double, 3> normal{};
  for (std::size_t n = 0; n < corners.size(); ++n) {
    const auto& p = points[corners[n]];
    const auto& q = points[corners[(n + 1) % corners.size()]];
    for (int a = 0; a < 3; ++a) {
      const int u = (a + 1) % 3, v = (a + 2) % 3;
      normal[a] += (p[u] - q[u]) * (p[v] + q[v]);
    }
  }
  int axis = 0;
  for (int a = 1; a < 3; ++a)
    if (std::fabs(normal[a]) > std::fabs(normal[axis])) axis = a;
  const int u = (axis + 1) % 3, v = (axis + 2) % 3;
  const double sign = normal[axis] < 0 ? -1 : 1;
  std::vector<Point> flat;
  flat.reserve(corners.size());
  for (const std::int32_t corner : corners)
    flat.push_back({sign * points[corner][u], points[corner][v]});
  return flat;
}

bool is_convex(const std::vector<Point>& p) {
  for (std::size_t n = 0; n < p.size(); ++n)
    if (area(p[n], p[(n + 1) % p.size()], p[(n + 2) % p.size()]) < 0) return false;
  return true;
}

// True if the triangle at position n of the rest is counterclockwise and contains no other corner
// of the rest.
bool is_ear(const std::vector<Point>& p, const std::vector<std::size_t>& rest, std::size_t n) {
  const std::size_t m = rest.size();
  const Point &a = p[rest[(n + m - 1) % m]], &b = p[rest[n]], &c = p[rest[(n + 1) % m]];
  if (area(a, b, c) <= 0) return false;
  return std::none_of(rest.begin(), rest.end(), [&](std::size_t k) {
    const Point& q = p[k];
    return q != a && q != b && q != c && area(a, b, q) >= 0 && area(b, c, q) >= 0 &&
           area(c, a, q) >= 0;
  });
}

}  // namespace

bool cut_polygon(std::span<const std::array<double, 3>> points,
                 std::span<const std::int32_t> corners,
                 std::vector<std::array<std::int32_t, 3>>& triangles) {
  std::vector<std::size_t> rest(corners.size());
  for (std::size_t n = 0; n < rest.size(); ++n) rest[n] = n;
  if (corners.size() > 3) {
    const std::vector<Point> flat = projected(points, corners);
    const bool convex = is_convex(flat);
    if (!convex && corners.size() > most_corners) return false;
    while (!convex && rest.size() > 3) {
      std::size_t n = 0;
      while (n < rest.size() && !is_ear(flat, rest, n)) ++n;
      if (n == rest.size()) break;  // it crosses itself: a fan of the rest
      const std::size_t m = rest.size();
      triangles.push_back(
          {corners[rest[(n + m - 1) % m]], corners[rest[n]], corners[rest[(n + 1) % m]]});
      rest.erase(rest.begin() + static_cast<std::ptrdiff_t>(n));
    }
  }
  for (std::size_t n = 1; n + 1 < rest.size(); ++n)
    triangles.push_back({corners[rest[0]], corners[rest[n]], corners[rest[n + 1]]});
  return true;
}

}  // namespace lbm::io
