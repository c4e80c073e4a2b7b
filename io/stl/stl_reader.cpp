#include "io/stl/stl_reader.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cctype>
#include <cerrno>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <fstream>
#include <string>

#include "io/files/remedy.hpp"
#include "solver/core/error.hpp"

namespace lbm::io {
namespace {

namespace fs = std::filesystem;

constexpr std::uint64_t header_bytes = 84, triangle_bytes = 50;
constexpr const char* remedy = "export or copy it again";

[[noreturn]] void fail(const fs::path& path, const std::string& what) {
  throw UsageError(path.string() + ": " + what);
}

[[noreturn]] void cannot_read(const fs::path& path) {
  const int error = errno;
  fail(path, fmt::format("cannot be read: {}{}", std::strerror(error),
                         remedy_of(error, "; check its rights")));
}

std::uint64_t size_of(const fs::path& path) {
  std::error_code error;
  const fs::file_status status = fs::status(path, error);
  if (status.type() == fs::file_type::not_found)
    fail(path, "there is no such file; give the path of an STL file, relative to the case file");
  if (status.type() == fs::file_type::directory)
    fail(path, "is a directory; give the path of an STL file");
  if (error || status.type() != fs::file_type::regular)
    fail(path, "is not a regular file; give the path of an STL file");
  const std::uint64_t size = fs::file_size(path, error);
  if (error) fail(path, fmt::format("cannot be read ({}); check its rights", error.message()));
  if (size == 0) fail(path, fmt::format("is empty; {}", remedy));
  return size;
}

std::string read(const fs::path& path, std::uint64_t bytes) {
  std::ifstream file(path, std::ios::binary);
  std::string text(bytes, '\0');
  if (!file || !file.read(text.data(), static_cast<std::streamsize>(bytes))) cannot_read(path);
  return text;
}

// Little endian on every machine.
std::uint64_t announced_triangles(const std::string& head) {
  std::uint64_t count = 0;
  for (int n = 3; n >= 0; --n) count = count << 8U | static_cast<unsigned char>(head[80 + n]);
  return count;
}

// Begins with "solid" and holds no binary bytes.
bool looks_like_text(const std::string& head) {
  const auto start = head.find_first_not_of(" \t\r\n");
  if (start == std::string::npos || !same_word(std::string_view(head).substr(start, 5), "solid"))
    return false;
  constexpr std::string_view allowed = "\t\r\n\f\v";
  return std::none_of(head.begin(), head.end(), [&](char c) {
    return std::iscntrl(static_cast<unsigned char>(c)) != 0 &&
           allowed.find(c) == std::string_view::npos;
  });
}

void check_size(const fs::path& path, std::uint64_t size, std::uint64_t triangles) {
  const std::uint64_t expected = header_bytes + triangle_bytes * triangles;
  if (size == expected) return;
  fail(path,
       fmt::format("announces {} triangles, which take {} bytes, but has {} bytes: it is {} or "
                   "no STL file; {}",
                   triangles, expected, size, size < expected ? "cut short" : "too long", remedy));
}

// Little endian on every machine.
float value_at(const char* bytes) {
  std::uint32_t bits = 0;
  for (int n = 3; n >= 0; --n) bits = bits << 8U | static_cast<unsigned char>(bytes[n]);
  return std::bit_cast<float>(bits);
}

// Each triangle is its normal, three corners, and two bytes without meaning.
std::vector<StlFacet> read_binary(const fs::path& path, std::uint64_t triangles) {
  std::vector<StlFacet> facets;
  facets.reserve(triangles);
  constexpr std::uint64_t piece = 1 << 14;
  std::ifstream file(path, std::ios::binary);
  file.seekg(header_bytes);
  std::string bytes;
  while (facets.size() < triangles) {
    const std::uint64_t count = std::min(piece, triangles - facets.size());
    bytes.resize(count * triangle_bytes);
    if (!file.read(bytes.data(), static_cast<std::streamsize>(bytes.size()))) cannot_read(path);
    for (std::uint64_t n = 0; n < count; ++n) {
      const char* at = bytes.data() + n * triangle_bytes + 12;
      StlFacet& facet = facets.emplace_back();
      for (auto& corner : facet)
        for (float& x : corner) {
          x = value_at(at);
          at += 4;
        }
    }
  }
  return facets;
}

void require_finite(const std::vector<StlFacet>& facets, const fs::path& path) {
  std::int64_t bad = 0;
  for (const StlFacet& facet : facets)
    for (const auto& corner : facet)
      for (const float x : corner) bad += std::isfinite(x) ? 0 : 1;
  if (bad > 0)
    fail(path, fmt::format("{} of the coordinates are not finite (NaN or infinity); export the "
                           "file again",
                           bad));
}

}  // namespace

std::vector<StlFacet> read_stl(const fs::path& path) {
  const std::uint64_t size = size_of(path);
  const std::string head = read(path, std::min<std::uint64_t>(size, 1024));
  std::vector<StlFacet> facets;
  if (size >= header_bytes && size == header_bytes + triangle_bytes * announced_triangles(head)) {
    facets = read_binary(path, announced_triangles(head));
  } else if (looks_like_text(head)) {
    facets = parse_stl_text(read(path, size), path.string());
  } else if (size < header_bytes) {
    fail(path,
         fmt::format("has {} bytes and does not begin with 'solid': it is no STL file, or cut "
                     "short; {}",
                     size, remedy));
  } else {
    check_size(path, size, announced_triangles(head));
  }
  if (facets.empty()) fail(path, fmt::format("holds no triangles; {}", remedy));
  require_finite(facets, path);
  return facets;
}

}  // namespace lbm::io
