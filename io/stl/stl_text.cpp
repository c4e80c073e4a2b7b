#include "io/stl/stl_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cmath>
#include <cstdlib>

#include "solver/core/error.hpp"

namespace lbm::io {
namespace {

bool is_space(char c) { return std::isspace(static_cast<unsigned char>(c)) != 0; }

class Parser {
 public:
  Parser(std::string_view text, const std::string& name) : text_(text), name_(name) {}

  // Grammar: solid NAME, facets, endsolid NAME; repeated for several solids.
  std::vector<StlFacet> parse() {
    std::vector<StlFacet> facets;
    expect("solid", "at its beginning");
    for (;;) {
      skip_line();  // skips the name of the solid
      std::string_view word;
      while (!same_word(word = next("before 'endsolid'"), "endsolid")) {
        if (!same_word(word, "facet")) wrong(word, "'facet' or 'endsolid'");
        facets.push_back(facet());
      }
      skip_line();
      if (at_end()) return facets;
      expect("solid", "after 'endsolid'");
    }
  }

 private:
  StlFacet facet() {
    constexpr const char* where = "within a facet";
    StlFacet corners;
    expect("normal", where);
    // Normals are not used; some programs write nan for those of slivers.
    for (int n = 0; n < 3; ++n) number(next(where));
    expect("outer", where);
    expect("loop", where);
    for (auto& corner : corners) {
      expect("vertex", where);
      for (float& x : corner) {
        const std::string_view word = next(where);
        x = number(word);
        if (!std::isfinite(x))
          fail(
              fmt::format("the coordinate '{}' is not finite in single precision; export the file "
                          "again",
                          shown(word)));
      }
    }
    expect("endloop", where);
    expect("endfacet", where);
    return corners;
  }

  void expect(const char* word, const char* where) {
    const std::string_view found = next(where);
    if (!same_word(found, word)) wrong(found, fmt::format("'{}'", word));
  }

  float number(std::string_view word) {
    const std::string copy(word);
    char* end = nullptr;
    // Underflow gives zero, overflow infinity.
    const float value = std::strtof(copy.c_str(), &end);
    if (end != copy.c_str() + copy.size()) wrong(word, "a number");
    return value;
  }

  void skip_space() {
    for (; position_ < text_.size() && is_space(text_[position_]); ++position_)
      if (text_[position_] == '\n') ++line_;
  }

  void skip_line() {
    while (position_ < text_.size() && text_[position_] != '\n') ++position_;
  }

  bool at_end() {
    skip_space();
    return position_ == text_.size();
  }

  std::string_view next(const char* where) {
    if (at_end())
      fail(fmt::format("the file ends {}: it is cut short; export or copy it again", where));
    const std::size_t begin = position_;
    while (position_ < text_.size() && !is_space(text_[position_])) ++position_;
    return text_.substr(begin, position_ - begin);
  }

  static std::string shown(std::string_view word) {
    std::string text(word.substr(0, 40));
    std::replace_if(
        text.begin(), text.end(), [](char c) { return c < ' '; }, '?');
    return text;
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
  std::size_t position_ = 0;
  std::int64_t line_ = 1;
};

}  // namespace

bool same_word(std::string_view a, std::string_view b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](char x, char y) {
    return std::tolower(static_cast<unsigned char>(x)) ==
           std::tolower(static_cast<unsigned char>(y));
  });
}

std::vector<StlFacet> parse_stl_text(std::string_view text, const std::string& name) {
  return Parser(text, name).parse();
}

}  // namespace lbm::io
