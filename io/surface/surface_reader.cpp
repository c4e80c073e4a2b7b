// SPDX-License-Identifier: Apache-2.0
#include "io/surface/surface_reader.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <string_view>
#include <utility>

#include "io/files/input_file.hpp"
#include "solver/core/error.hpp"

namespace lbm::io {
namespace {

constexpr std::uint64_t head_bytes = 1024;

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

constexpr std::size_t most_names = 10'000;
constexpr std::size_t most_bytes = std::size_t{32} << 20;  // with a time limit
// Length of the list of names in a message, in bytes: solids of the file, solids asked for.
constexpr std::size_t longest_list = 300, longest_list_asked = 100;

// "hull, keel and 3 more"
std::string list_of(const std::vector<std::string>& names, std::size_t longest) {
  std::string text;
  for (std::size_t n = 0; n < names.size(); ++n) {
    const std::string name = shown(names[n]);
    if (n > 0 && text.size() + name.size() > longest)
      return text + fmt::format(" and {} more", names.size() - n);
    text += (n == 0 ? "" : ", ") + name;
  }
  return text;
}

}  // namespace

Surface read_surface(const std::filesystem::path& path, const SurfaceRequest& request) {
  const std::string name = path.string();
  const bool is_obj = same_word(path.extension().string(), ".obj");
  const std::uint64_t size = size_of_file(path, "the path of an STL or OBJ file");
  std::string bytes = first_bytes(path, std::min(size, head_bytes));
  const bool is_text = is_obj || !is_binary_stl(bytes, size);
  const std::size_t mark = is_text && bytes.starts_with("\xef\xbb\xbf") ? 3 : 0;  // of UTF-8
  const std::string_view head = std::string_view(bytes).substr(mark);
  refuse_others(path, head);
  if (is_text) refuse_utf16(path, head);
  // Before memory is taken for the whole file.
  if (!is_obj) check_stl(head, size - mark, name);
  if (request.limit.is_set() && size > most_bytes) throw TimeLimitReached();
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

std::string shown(std::string_view word) { return printable(word, 40); }

bool is_coordinate(double x) { return std::fabs(x) <= std::numeric_limits<float>::max(); }

SurfaceBuilder::SurfaceBuilder(const std::string& file, const SurfaceRequest& request)
    : file_(file),
      request_(request),
      asked_(request.solids.begin(), request.solids.end()),
      missing_(asked_),
      wanted_(request.solids.empty()) {}

void SurfaceBuilder::begin_solids(std::span<const std::string_view> names) {
  watch_time();
  wanted_ = request_.solids.empty();
  for (const std::string_view name : names) {
    if (name.empty()) continue;
    if (!names_.contains(name) && names_.size() < most_names) {
      names_.emplace(name);
      surface_.solids.emplace_back(name);
    }
    if (request_.solids.empty()) continue;
    if (const auto at = missing_.find(name); at != missing_.end()) missing_.erase(at);
    wanted_ = wanted_ || asked_.contains(name);
  }
}

void SurfaceBuilder::add_point(const std::array<double, 3>& p) {
  watch_time();
  require_room(surface_.points.size(), "corners");
  surface_.points.push_back(p);
}

void SurfaceBuilder::add_triangle(const std::array<std::int32_t, 3>& corners) {
  watch_time();
  any_triangle_ = true;
  if (!wanted_) return;
  require_room(surface_.triangles.size(), "triangles");
  surface_.triangles.push_back(corners);
}

void SurfaceBuilder::require_room(std::size_t count, const char* what) const {
  if (count < std::numeric_limits<std::int32_t>::max() / 3) return;
  throw UsageError(
      fmt::format("{}: more than {} {}, which is too much for one body; use a coarser surface",
                  file_, count, what));
}

void SurfaceBuilder::watch_time() {
  constexpr std::uint32_t rarely = 4096;
  if (!request_.limit.is_set() || watched_++ % rarely != 0) return;
  request_.limit.check();
  const std::size_t bytes = surface_.points.size() * sizeof(surface_.points[0]) +
                            surface_.triangles.size() * sizeof(surface_.triangles[0]);
  if (bytes > most_bytes) throw TimeLimitReached();
}

void SurfaceBuilder::require_solids() const {
  if (missing_.empty()) return;
  const std::string missing = list_of({missing_.begin(), missing_.end()}, longest_list_asked);
  throw UsageError(
      surface_.solids.empty()
          ? fmt::format("{}: the file has no named solids, found solids: [{}]; remove the key, or "
                        "export the solids with names (text STL: solid NAME; OBJ: o NAME or g "
                        "NAME)",
                        file_, missing)
          : fmt::format("{}: found no solid named {}; the solids of the file are: {}", file_,
                        missing, list_of(surface_.solids, longest_list)));
}

Surface SurfaceBuilder::finish() {
  require_solids();
  if (surface_.triangles.empty())
    throw UsageError(any_triangle_
                         ? fmt::format("{}: the solids [{}] hold no triangles; choose others",
                                       file_, list_of(request_.solids, longest_list_asked))
                         : fmt::format("{}: holds no triangles; export or copy it again", file_));
  return std::move(surface_);
}

}  // namespace lbm::io
