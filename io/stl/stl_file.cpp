#include "io/stl/stl_file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cerrno>
#include <cstring>
#include <fstream>
#include <string>

#include "io/files/remedy.hpp"
#include "io/stl/stl_text.hpp"
#include "solver/core/error.hpp"

namespace lbm::io {
namespace {

namespace fs = std::filesystem;

constexpr std::uint64_t header_bytes = 84, triangle_bytes = 50;
constexpr const char* remedy = "export or copy it again";

[[noreturn]] void fail(const fs::path& path, const std::string& what) {
  throw UsageError(path.string() + ": " + what);
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
  if (!file || !file.read(text.data(), static_cast<std::streamsize>(bytes)))
    fail(path, fmt::format("cannot be read: {}{}", std::strerror(errno),
                           io::remedy_of(errno, "; check its rights")));
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

}  // namespace

StlFile check_stl_file(const fs::path& path) {
  const std::uint64_t size = size_of(path);
  const std::string head = read(path, std::min<std::uint64_t>(size, 1024));
  StlFile file;
  if (size >= header_bytes && size == header_bytes + triangle_bytes * announced_triangles(head)) {
    file = {true, static_cast<std::int64_t>(announced_triangles(head))};
  } else if (looks_like_text(head)) {
    file = {false, check_stl_text(read(path, size), path.string())};
  } else if (size < header_bytes) {
    fail(path,
         fmt::format("has {} bytes and does not begin with 'solid': it is no STL file, or cut "
                     "short; {}",
                     size, remedy));
  } else {
    check_size(path, size, announced_triangles(head));
  }
  if (file.triangles == 0) fail(path, fmt::format("holds no triangles; {}", remedy));
  return file;
}

}  // namespace lbm::io
