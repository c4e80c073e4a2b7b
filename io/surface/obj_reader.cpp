// SPDX-License-Identifier: Apache-2.0
#include "io/surface/obj_reader.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>

#include "io/surface/line_words.hpp"
#include "io/surface/polygon.hpp"
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
      std::size_t behind = static_cast<std::size_t>(word.data() - line.data()) + 1;
      object_ = rest_of_line(line, behind);
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
    if (words_.size() > most_convex_corners)
      fail(
          fmt::format("found a face of more than {} corners: split it in the program that made it "
                      "(triangulate)",
                      most_convex_corners));
    corners_.clear();
    for (std::size_t n = 1; n < words_.size(); ++n) {
      surface_.watch_time();
      corners_.push_back(corner(words_[n]));
    }
    if (const auto wrong = surface_.add_polygon(corners_, "export the file again")) fail(*wrong);
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
};

}  // namespace

void read_obj(std::string& text, const std::string& name, SurfaceBuilder& surface) {
  join_lines(text);
  ObjReader(name, surface).read(text);
}

}  // namespace lbm::io
