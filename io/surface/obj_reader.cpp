// SPDX-License-Identifier: Apache-2.0
#include "io/surface/obj_reader.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "io/surface/line_words.hpp"
#include "io/surface/polygon.hpp"

namespace lbm::io {
namespace {

bool is_one_of(std::string_view word, std::initializer_list<std::string_view> words) {
  return std::find(words.begin(), words.end(), word) != words.end();
}

constexpr std::size_t most_groups = 1000;  // of one face

class ObjReader {
 public:
  ObjReader(std::string_view text, const std::string& name, SurfaceBuilder& surface)
      : lines_(text, name), surface_(surface) {}

  void read() {
    while (lines_.next_line()) {
      const std::string_view word = lines_.next_word();
      if (word == "v") {
        point();
      } else if (is_one_of(word, {"f", "fo"})) {
        face();
      } else if (word == "o") {
        object_ = lines_.rest();
        begin_solids();
      } else if (word == "g") {
        groups();
      } else if (is_one_of(word, {"curv", "curv2", "surf"})) {
        lines_.fail(fmt::format(
            "found '{}', a free-form curve or surface: only polygons (f) are read; export the body "
            "as triangles",
            word));
      } else if (!word.empty() && !is_skipped(word)) {
        lines_.fail(
            fmt::format("found '{}' where a word of OBJ (v, f, o, g, ...) belongs: not an OBJ "
                        "file, or a damaged "
                        "one; export or copy it again",
                        shown(word)));
      }
    }
  }

 private:
  static bool is_skipped(std::string_view word) {
    return is_one_of(word,
                     {"vt", "vn", "vp", "l", "p", "s", "mg", "usemtl", "mtllib", "usemap", "maplib",
                      "bevel", "c_interp", "d_interp", "lod", "shadow_obj", "trace_obj"});
  }

  void point() {
    std::array<double, 3> p{};
    for (double& x : p) {
      const std::string_view word = lines_.next_word();
      const auto value = number_of(word);
      if (!value || !is_coordinate(*value))
        lines_.fail(
            fmt::format("found '{}' where a coordinate belongs, must be a number below 3.4e38; "
                        "export the file again",
                        shown(word)));
      x = *value;
    }
    surface_.add_point(p);
  }

  void face() {
    corners_.clear();
    for (std::string_view word; !(word = lines_.next_word()).empty();) {
      surface_.watch_time();
      if (corners_.size() == most_convex_corners)
        lines_.fail(fmt::format(
            "found a face of more than {} corners: split it in the program that made it "
            "(triangulate)",
            most_convex_corners));
      corners_.push_back(corner(word));
    }
    if (const auto wrong = surface_.add_polygon(corners_, "export the file again"))
      lines_.fail(*wrong);
  }

  // "7", "7/1", "7//3", "7/1/3"; -1 is the last point so far.
  std::int32_t corner(std::string_view word) const {
    const auto count = static_cast<std::int64_t>(surface_.points().size());
    const auto number = whole_number_of(word.substr(0, word.find('/')));
    if (!number)
      lines_.fail(fmt::format(
          "found '{}' where the number of a point belongs; export the file again", shown(word)));
    const std::int64_t index = *number < 0 ? count + *number : *number - 1;
    if (index < 0 || index >= count)
      lines_.fail(fmt::format(
          "found point {} in a face, must be one of the {} points above; export the file "
          "again",
          *number, count));
    return static_cast<std::int32_t>(index);
  }

  void groups() {
    groups_.clear();
    for (std::string_view word; !(word = lines_.next_word()).empty();) {
      if (groups_.size() == most_groups)
        lines_.fail(fmt::format("found more than {} groups, must be fewer; export the file again",
                                most_groups));
      groups_.push_back(word);
    }
    begin_solids();
  }

  void begin_solids() {
    solids_ = groups_;
    solids_.push_back(object_);
    surface_.begin_solids(solids_);
  }

  LineWords lines_;
  SurfaceBuilder& surface_;
  std::string_view object_;
  std::vector<std::string_view> groups_, solids_;
  std::vector<std::int32_t> corners_;
};

}  // namespace

void read_obj(std::string_view text, const std::string& name, SurfaceBuilder& surface) {
  ObjReader(text, name, surface).read();
}

}  // namespace lbm::io
