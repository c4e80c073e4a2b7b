// SPDX-License-Identifier: Apache-2.0
#include "io/surface/surface_reader.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>

#include "io/files/input_file.hpp"
#include "io/surface/line_words.hpp"
#include "io/surface/obj_reader.hpp"
#include "io/surface/stl_reader.hpp"
#include "io/surface/surface_builder.hpp"

namespace lbm::io {
namespace {

constexpr std::uint64_t head_bytes = 1024;
constexpr std::uint64_t most_in_time = std::uint64_t{32} << 20;  // with a time limit

bool is_obj(std::string_view name) {
  constexpr std::string_view end = ".obj";
  return name.size() >= end.size() && same_word(name.substr(name.size() - end.size()), end);
}

void refuse_others(const std::filesystem::path& path, std::string_view head) {
  if (head.starts_with("\x1f\x8b")) {
    refuse_file(path, "is packed by gzip: unpack it (gunzip), and give the file that it holds");
  }
  if (!head.starts_with("ply\n") && !head.starts_with("ply\r")) return;
  std::filesystem::path to = path;
  refuse_file(path, fmt::format("is a PLY file, which the Python package converts: python -m "
                                "lbm.surfaces '{}' '{}', and give the file that it writes",
                                path.string(), to.replace_extension(".stl").string()));
}

}  // namespace

Surface read_surface(const std::filesystem::path& path, const SurfaceRequest& request) {
  const std::string name = path.string();
  const std::uint64_t size = size_of_file(path, "the path of an STL or OBJ file");
  std::string bytes = first_bytes(path, std::min(size, head_bytes));
  const bool marked = bytes.starts_with("\xef\xbb\xbf") && !is_binary_stl(bytes, size);
  const std::size_t mark = marked ? 3 : 0;  // of UTF-8
  const std::string_view head = std::string_view(bytes).substr(mark, head_bytes);
  refuse_others(path, head);
  // Before memory is taken for the whole file.
  if (!is_obj(name)) check_stl(head, size - mark, name);
  if (request.limit.is_set() && size > most_in_time) throw TimeLimitReached();
  bytes = first_bytes(path, size);
  bytes.erase(0, mark);
  SurfaceBuilder surface(name, request);
  if (is_obj(name)) {
    refuse_utf16(bytes, name);
    end_lines(bytes, bytes.size());
    read_obj(bytes, name, surface);
  } else {
    if (!is_binary_stl(bytes, bytes.size())) end_lines(bytes, bytes.size());
    read_stl(bytes, name, surface);
  }
  bytes = {};
  return surface.finish();
}

}  // namespace lbm::io
