// SPDX-License-Identifier: Apache-2.0
#include "io/surface/stl_text.hpp"

#include <fmt/format.h>

#include <array>
#include <cctype>
#include <cmath>
#include <cstdlib>

#include "io/surface/line_words.hpp"
#include "solver/core/error.hpp"

namespace lbm::io {
namespace {

bool is_white_space(char c) { return std::isspace(static_cast<unsigned char>(c)) != 0; }

class Parser {
 public:
  Parser(std::string_view text, const std::string& name, SurfaceBuilder& surface)
      : text_(text), name_(name), surface_(surface) {}

  // Grammar: solid NAME, facets, endsolid NAME; repeated for several solids.
  void parse() {
    skip_comments();
    expect("solid", "at its beginning");
    for (;;) {
      const std::array solid{rest_of_line(text_, position_)};
      surface_.begin_solids(solid);
      std::string_view word;
      while (!is_end(word = next("before 'endsolid'"), "solid")) {
        if (!same_word(word, "facet")) wrong(word, "'facet' or 'endsolid'");
        facet();
      }
      rest_of_line(text_, position_);
      skip_comments();
      if (at_end()) return;
      expect("solid", "after 'endsolid'");
    }
  }

 private:
  // Lines that some programs write before a solid.
  void skip_comments() {
    while (!at_end() && is_stl_comment(text_[position_])) rest_of_line(text_, position_);
  }

  void facet() {
    constexpr const char* where = "within a facet";
    const auto first = static_cast<std::int32_t>(surface_.points().size());
    expect("normal", where);
    // Normals are not used; some programs write nan for those of slivers.
    for (int n = 0; n < 3; ++n) number(next(where));
    expect("outer", where);
    expect("loop", where);
    for (int n = 0; n < 3; ++n) {
      expect("vertex", where);
      std::array<double, 3> corner{};
      for (double& x : corner) {
        const std::string_view word = next(where);
        x = number(word);
        if (!is_coordinate(x))
          fail(fmt::format("the coordinate '{}' is no number below 3.4e38; export the file again",
                           shown(word)));
      }
      if (surface_.wanted()) surface_.add_point(corner);
    }
    expect_end("loop", where);
    expect_end("facet", where);
    surface_.add_triangle({first, first + 1, first + 2});
  }

  // "endloop", or "end loop" as some programs write.
  bool is_end(std::string_view found, const std::string& of) {
    if (!same_word(found, "end")) return same_word(found, "end" + of);
    return same_word(next("behind 'end'"), of);
  }
  void expect_end(const std::string& of, const char* where) {
    const std::string_view found = next(where);
    if (!is_end(found, of)) wrong(found, fmt::format("'end{}'", of));
  }

  void expect(const char* word, const char* where) {
    const std::string_view found = next(where);
    if (!same_word(found, word)) wrong(found, fmt::format("'{}'", word));
  }

  double number(std::string_view word) {
    const std::string copy(word);
    char* end = nullptr;
    // Underflow gives zero, overflow infinity.
    const double value = std::strtod(copy.c_str(), &end);
    if (end != copy.c_str() + copy.size()) wrong(word, "a number");
    return value;
  }

  void skip_space() {
    for (; position_ < text_.size() && is_white_space(text_[position_]); ++position_)
      if (text_[position_] == '\n') ++line_;
  }

  bool at_end() {
    skip_space();
    return position_ == text_.size();
  }

  std::string_view next(const char* where) {
    if (at_end())
      fail(fmt::format("the file ends {}: it is cut short; export or copy it again", where));
    const std::size_t begin = position_;
    while (position_ < text_.size() && !is_white_space(text_[position_])) ++position_;
    return text_.substr(begin, position_ - begin);
  }

  [[noreturn]] void wrong(std::string_view found, const std::string& allowed) {
    fail(fmt::format(
        "found '{}' where {} belongs: not an STL file, or a damaged one; export or copy "
        "it again",
        shown(found), allowed));
  }

  [[noreturn]] void fail(const std::string& what) {
    throw UsageError(fmt::format("{}:{}: {}", name_, line_, what));
  }

  std::string_view text_;
  const std::string& name_;
  SurfaceBuilder& surface_;
  std::size_t position_ = 0;
  std::int64_t line_ = 1;
};

}  // namespace

void parse_stl_text(std::string_view text, const std::string& name, SurfaceBuilder& surface) {
  Parser(text, name, surface).parse();
}

}  // namespace lbm::io
