// SPDX-License-Identifier: Apache-2.0
#include "io/surface/surface_reader.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cctype>
#include <cmath>

#include "io/files/input_file.hpp"
#include "solver/core/error.hpp"

namespace lbm::io {
namespace {

constexpr std::uint64_t header_bytes = 84, triangle_bytes = 50;

// Little endian on every machine.
std::uint32_t word_at(std::string_view bytes, std::size_t at) {
  std::uint32_t word = 0;
  for (std::size_t n = 4; n-- > 0;) word = word << 8U | static_cast<unsigned char>(bytes[at + n]);
  return word;
}

bool is_white_space(char c) { return std::isspace(static_cast<unsigned char>(c)) != 0; }

bool is_text(std::string_view head) {
  return std::all_of(head.begin(), head.end(), [](char c) {
    return std::iscntrl(static_cast<unsigned char>(c)) == 0 || is_white_space(c);
  });
}

// Begins a line before a `solid` that no grammar knows, but some programs write.
bool is_comment(char first) {
  return std::string_view("#;!%/").find(first) != std::string_view::npos;
}

// Behind comments.
bool begins_with_solid(std::string_view head) {
  for (;;) {
    head.remove_prefix(std::min(head.find_first_not_of(" \t\r\n"), head.size()));
    if (head.empty() || !is_comment(head[0])) return same_word(head.substr(0, 5), "solid");
    head.remove_prefix(std::min(head.find_first_of("\r\n"), head.size()));
  }
}

// Each triangle is its normal, three corners, and two bytes without meaning.
void read_binary(std::string_view bytes, const std::string& name, SurfaceBuilder& surface) {
  std::int64_t bad = 0;
  for (std::size_t at = header_bytes; at < bytes.size(); at += triangle_bytes) {
    const auto first = static_cast<std::int32_t>(surface.points().size());
    for (std::size_t corner = 1; corner <= 3; ++corner) {
      std::array<double, 3> p{};
      for (std::size_t a = 0; a < 3; ++a) {
        p[a] = std::bit_cast<float>(word_at(bytes, at + 12 * corner + 4 * a));
        bad += std::isfinite(p[a]) ? 0 : 1;
      }
      if (surface.wanted()) surface.add_point(p);
    }
    surface.add_triangle({first, first + 1, first + 2});
  }
  if (bad > 0)
    throw UsageError(fmt::format(
        "{}: {} of the coordinates are not finite (NaN or infinity); export the file again", name,
        bad));
}

class TextParser {
 public:
  TextParser(std::string_view text, const std::string& name, SurfaceBuilder& surface)
      : text_(text), name_(name), surface_(surface) {}

  // Grammar: solid NAME, facets, endsolid NAME; repeated for several solids.
  void parse() {
    skip_comments();
    while (!at_end()) {
      expect("solid");
      const std::array solid{rest_of_line()};
      surface_.begin_solids(solid);
      for (;;) {
        where_ = "before 'endsolid'";
        const std::string_view word = next();
        if (is_end(word, "solid")) break;
        if (!same_word(word, "facet")) wrong(word, "'facet' or 'endsolid'");
        facet();
      }
      rest_of_line();
      skip_comments();
    }
  }

 private:
  // Lines that some programs write before a solid.
  void skip_comments() {
    while (!at_end() && is_comment(text_[position_])) rest_of_line();
  }

  void facet() {
    where_ = "within a facet";
    const auto first = static_cast<std::int32_t>(surface_.points().size());
    expect("normal");
    // Normals are not used; some programs write nan for those of slivers.
    for (int n = 0; n < 3; ++n) number(next());
    expect("outer");
    expect("loop");
    for (int n = 0; n < 3; ++n) {
      expect("vertex");
      std::array<double, 3> corner{};
      for (double& x : corner) {
        const std::string_view word = next();
        x = number(word);
        if (!is_coordinate(x))
          fail(fmt::format("the coordinate '{}' is no number below 3.4e38; export the file again",
                           shown(word)));
      }
      if (surface_.wanted()) surface_.add_point(corner);
    }
    expect_end("loop");
    expect_end("facet");
    surface_.add_triangle({first, first + 1, first + 2});
  }

  // "endloop", or "end loop" as some programs write.
  bool is_end(std::string_view found, const std::string& of) {
    if (!same_word(found, "end")) return same_word(found, "end" + of);
    return same_word(next(), of);
  }
  void expect_end(const std::string& of) {
    const std::string_view found = next();
    if (!is_end(found, of)) wrong(found, fmt::format("'end{}'", of));
  }
  void expect(std::string_view word) {
    const std::string_view found = next();
    if (!same_word(found, word)) wrong(found, fmt::format("'{}'", word));
  }

  double number(std::string_view word) {
    const auto value = number_of(word);
    if (!value) wrong(word, "a number");
    return *value;
  }

  bool at_end() {
    for (; position_ < text_.size() && is_white_space(text_[position_]); ++position_)
      if (text_[position_] == '\n') ++line_;
    return position_ == text_.size();
  }

  std::string_view next() {
    if (at_end())
      fail(fmt::format("the file ends {}: it is cut short; export or copy it again", where_));
    const std::size_t begin = position_;
    while (position_ < text_.size() && !is_white_space(text_[position_])) ++position_;
    return text_.substr(begin, position_ - begin);
  }

  std::string_view rest_of_line() {
    const std::size_t begin = position_;
    position_ = std::min(text_.find('\n', begin), text_.size());
    return trimmed(text_.substr(begin, position_ - begin));
  }

  [[noreturn]] void wrong(std::string_view found, const std::string& allowed) {
    fail(
        fmt::format("found '{}' where {} belongs: not an STL file, or a damaged one; export or "
                    "copy it again",
                    shown(found), allowed));
  }
  [[noreturn]] void fail(const std::string& what) {
    throw UsageError(fmt::format("{}:{}: {}", name_, line_, what));
  }

  std::string_view text_;
  const std::string& name_;
  SurfaceBuilder& surface_;
  const char* where_ = "";  // in the grammar, for messages
  std::size_t position_ = 0;
  std::int64_t line_ = 1;
};

}  // namespace

bool is_binary_stl(std::string_view head, std::uint64_t size) {
  return size >= header_bytes &&
         size == header_bytes + triangle_bytes * std::uint64_t{word_at(head, 80)};
}

void check_stl(std::string_view head, std::uint64_t size, const std::string& name) {
  if (is_binary_stl(head, size) || (is_text(head) && begins_with_solid(head))) return;
  std::string what;
  if (size < header_bytes) {
    what = fmt::format(
        "has {} bytes and does not begin with 'solid': it is no STL file, or cut short", size);
  } else if (is_text(head) &&
             std::none_of(head.begin(), head.end(), [](char c) { return c < 0; })) {
    what =
        "is text and does not begin with 'solid': it is no STL file, or not all of it (OBJ files "
        "are known by the ending .obj)";
  } else {
    const std::uint64_t triangles = word_at(head, 80),
                        expected = header_bytes + triangle_bytes * triangles;
    what = fmt::format(
        "announces {} triangles, which take {} bytes, but has {} bytes: it is {} or no STL file",
        triangles, expected, size, size < expected ? "cut short" : "too long");
  }
  throw UsageError(fmt::format("{}: {}; export or copy it again", name, what));
}

void read_stl(std::string_view bytes, const std::string& name, SurfaceBuilder& surface) {
  if (is_binary_stl(bytes, bytes.size())) return read_binary(bytes, name, surface);
  TextParser(bytes, name, surface).parse();
}

}  // namespace lbm::io
