// SPDX-License-Identifier: Apache-2.0
#include "io/surface/surface_reader.hpp"

#include <algorithm>
#include <string_view>

#include "io/files/input_file.hpp"
#include "io/surface/file_bytes.hpp"
#include "io/surface/line_words.hpp"
#include "io/surface/obj_reader.hpp"
#include "io/surface/ply_reader.hpp"
#include "io/surface/stl_reader.hpp"
#include "io/surface/surface_builder.hpp"

namespace lbm::io {
namespace {

constexpr std::uint64_t head_bytes = 1024;

enum class Format { stl, obj, ply };

bool ends_with(std::string_view text, std::string_view end) {
  return text.size() >= end.size() && same_word(text.substr(text.size() - end.size()), end);
}

Format format_of(std::string_view name, std::string_view head) {
  if (is_ply(head)) return Format::ply;
  if (ends_with(name, ".gz")) name.remove_suffix(3);
  return ends_with(name, ".obj") ? Format::obj : Format::stl;
}

// A header whose lines end in '\r' alone is so to its end, whatever byte follows.
void end_ply_lines(std::string& bytes) {
  constexpr std::string_view last = "end_header";
  const std::size_t at = bytes.find(last), end = at + last.size();
  if (at == std::string::npos || end >= bytes.size()) return;
  if (bytes.find('\n') > end) {
    std::replace(bytes.begin(), bytes.begin() + static_cast<std::ptrdiff_t>(end) + 1, '\r', '\n');
  }
  const std::size_t format = bytes.find("format ascii");
  if (format < at) end_lines(bytes, bytes.size());
}

}  // namespace

Surface read_surface(const std::filesystem::path& path, const SurfaceRequest& request) {
  const std::string name = path.string();
  const std::uint64_t size = size_of_file(path, "the path of an STL, OBJ or PLY file");
  std::string bytes = first_bytes(path, std::min(size, head_bytes));
  const bool packed = is_gzip(bytes);
  if (packed) bytes = unpacked(path, size, request.limit);
  const std::uint64_t whole = packed ? bytes.size() : size;
  const bool marked = bytes.starts_with("\xef\xbb\xbf") && !is_binary_stl(bytes, whole);
  const std::size_t mark = marked ? 3 : 0;  // of UTF-8
  const std::string_view head = std::string_view(bytes).substr(mark, head_bytes);
  const Format format = format_of(name, head);
  // Before memory is taken for the whole file.
  if (format == Format::stl) check_stl(head, whole - mark, name);
  if (request.limit.is_set() && size > most_in_time) throw TimeLimitReached();
  if (!packed) bytes = first_bytes(path, size);
  bytes.erase(0, mark);
  SurfaceBuilder surface(name, request);
  if (format == Format::ply) {
    end_ply_lines(bytes);
    read_ply(bytes, name, surface);
  }
  if (format == Format::obj) {
    refuse_utf16(bytes, name);
    end_lines(bytes, bytes.size());
    read_obj(bytes, name, surface);
  }
  if (format == Format::stl) {
    if (!is_binary_stl(bytes, bytes.size())) end_lines(bytes, bytes.size());
    read_stl(bytes, name, surface);
  }
  bytes = {};
  return surface.finish();
}

}  // namespace lbm::io
