// SPDX-License-Identifier: Apache-2.0
#include "io/surface/surface_reader.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>

#include "io/files/input_file.hpp"
#include "io/surface/surface_builder.hpp"
#include "io/text/words.hpp"

namespace lbm::io {
namespace {

constexpr std::uint64_t head_bytes = 1024;
constexpr std::uint64_t most_in_time = std::uint64_t{32} << 20;  // with a time limit

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

// Text of two bytes a letter.
void refuse_utf16(const std::filesystem::path& path, std::string_view head) {
  const auto zero = [&](std::size_t i) { return head[i] == '\0'; };
  const bool marked = head.starts_with("\xff\xfe") || head.starts_with("\xfe\xff");
  const bool by_zeros =
      head.size() >= 4 && zero(0) != zero(1) && zero(0) == zero(2) && zero(1) == zero(3);
  if (marked || by_zeros)
    refuse_file(path, "is text in UTF-16, two bytes a letter: save it as UTF-8 or ASCII");
}

// Ends all lines by '\n' alone that '\r' alone ends.
void end_lines(std::string& text) {
  for (std::size_t i = text.find('\r'); i < text.size(); i = text.find('\r', i + 1))
    if (i + 1 == text.size() || text[i + 1] != '\n') text[i] = '\n';
}

}  // namespace

Surface read_surface(const std::filesystem::path& path, const SurfaceRequest& request) {
  const std::string name = path.string();
  const bool is_obj =
      same_word(name.substr(name.size() - std::min<std::size_t>(name.size(), 4)), ".obj");
  const std::uint64_t size = size_of_file(path, "the path of an STL or OBJ file");
  std::string bytes = first_bytes(path, std::min(size, head_bytes));
  const bool is_text = is_obj || !is_binary_stl(bytes, size);
  const std::size_t mark = is_text && bytes.starts_with("\xef\xbb\xbf") ? 3 : 0;  // of UTF-8
  const std::string_view head = std::string_view(bytes).substr(mark);
  refuse_others(path, head);
  if (is_text) refuse_utf16(path, head);
  // Before memory is taken for the whole file.
  if (!is_obj) check_stl(head, size - mark, name);
  if (request.limit.is_set() && size > most_in_time) throw TimeLimitReached();
  bytes = first_bytes(path, size);
  bytes.erase(0, mark);
  if (is_text) end_lines(bytes);
  SurfaceBuilder surface(name, request);
  if (is_obj) {
    read_obj(bytes, name, surface);
  } else {
    read_stl(bytes, name, surface);
  }
  bytes = {};
  return surface.finish();
}

}  // namespace lbm::io
