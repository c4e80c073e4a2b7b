// SPDX-License-Identifier: Apache-2.0
#include "io/surface/stl_reader.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cctype>
#include <cmath>

#include "io/surface/line_words.hpp"
#include "io/surface/stl_text.hpp"
#include "solver/core/error.hpp"

namespace lbm::io {
namespace {

constexpr std::uint64_t header_bytes = 84, triangle_bytes = 50;
constexpr const char* remedy = "export or copy it again";

[[noreturn]] void fail(const std::string& name, const std::string& what) {
  throw UsageError(name + ": " + what);
}

// Little endian on every machine.
std::uint32_t word_at(std::string_view bytes, std::size_t at) {
  std::uint32_t word = 0;
  for (std::size_t n = 4; n-- > 0;) word = word << 8U | static_cast<unsigned char>(bytes[at + n]);
  return word;
}

std::uint64_t announced_triangles(std::string_view head) { return word_at(head, 80); }

bool is_text(std::string_view head) {
  constexpr std::string_view allowed = "\t\r\n\f\v";
  return std::none_of(head.begin(), head.end(), [&](char c) {
    return std::iscntrl(static_cast<unsigned char>(c)) != 0 &&
           allowed.find(c) == std::string_view::npos;
  });
}

// Behind comments.
bool begins_with_solid(std::string_view head) {
  for (;;) {
    head.remove_prefix(std::min(head.find_first_not_of(" \t\r\n"), head.size()));
    if (head.empty() || !is_stl_comment(head[0])) return same_word(head.substr(0, 5), "solid");
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
    fail(name, fmt::format("{} of the coordinates are not finite (NaN or infinity); export the "
                           "file again",
                           bad));
}

}  // namespace

bool is_binary_stl(std::string_view head, std::uint64_t size) {
  return size >= header_bytes && size == header_bytes + triangle_bytes * announced_triangles(head);
}

void check_stl(std::string_view head, std::uint64_t size, const std::string& name) {
  if (is_binary_stl(head, size) || (is_text(head) && begins_with_solid(head))) return;
  refuse_utf16(head, name);
  if (size < header_bytes)
    fail(name,
         fmt::format("has {} bytes and does not begin with 'solid': it is no STL file, or cut "
                     "short; {}",
                     size, remedy));
  if (is_text(head) && std::none_of(head.begin(), head.end(), [](char c) { return c < 0; })) {
    fail(name, fmt::format("is text and does not begin with 'solid': it is no STL file, or not all "
                           "of it (OBJ files are known by the ending .obj); {}",
                           remedy));
  }
  const std::uint64_t expected = header_bytes + triangle_bytes * announced_triangles(head);
  fail(name,
       fmt::format("announces {} triangles, which take {} bytes, but has {} bytes: it is {} or "
                   "no STL file; {}",
                   announced_triangles(head), expected, size,
                   size < expected ? "cut short" : "too long", remedy));
}

void read_stl(std::string_view bytes, const std::string& name, SurfaceBuilder& surface) {
  if (is_binary_stl(bytes, bytes.size()))
    read_binary(bytes, name, surface);
  else
    parse_stl_text(bytes, name, surface);
}

}  // namespace lbm::io
