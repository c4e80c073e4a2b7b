// SPDX-License-Identifier: Apache-2.0
#include "io/surface/surface_builder.hpp"

#include <fmt/format.h>

#include <limits>
#include <utility>

#include "io/surface/line_words.hpp"
#include "io/surface/polygon.hpp"
#include "solver/core/error.hpp"

namespace lbm::io {
namespace {

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
  if (surface_.points.size() >= std::numeric_limits<std::int32_t>::max() / 3)
    throw UsageError(fmt::format(
        "{}: more than {} corners, which is too much for one body; use a coarser surface", file_,
        surface_.points.size()));
  surface_.points.push_back(p);
}

void SurfaceBuilder::add_triangle(const std::array<std::int32_t, 3>& corners) {
  watch_time();
  any_triangle_ = true;
  if (!wanted_) return;
  if (surface_.triangles.size() >= std::numeric_limits<std::int32_t>::max() / 3)
    throw UsageError(fmt::format(
        "{}: more than {} triangles, which is too much for one body; use a coarser surface", file_,
        surface_.triangles.size()));
  surface_.triangles.push_back(corners);
}

std::optional<std::string> SurfaceBuilder::add_polygon(std::span<const std::int32_t> corners,
                                                       const char* again) {
  if (corners.size() < 3)
    return fmt::format("found a face of {} corners, must be three or more; {}", corners.size(),
                       again);
  cut_.clear();
  if (!cut_polygon(surface_.points, corners, cut_))
    return fmt::format(
        "found a face of {} corners that is not convex, must have {} at most: split it in the "
        "program that made it (triangulate)",
        corners.size(), most_corners);
  for (const auto& triangle : cut_) add_triangle(triangle);
  return std::nullopt;
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
  if (surface_.solids.empty())
    throw UsageError(
        fmt::format("{}: the file has no named solids, found solids: [{}]; remove the key, or "
                    "export the solids with names (text STL: solid NAME; OBJ: o NAME or g NAME)",
                    file_, list_of({missing_.begin(), missing_.end()}, longest_list_asked)));
  throw UsageError(fmt::format("{}: found no solid named {}; the solids of the file are: {}", file_,
                               list_of({missing_.begin(), missing_.end()}, longest_list_asked),
                               list_of(surface_.solids, longest_list)));
}

Surface SurfaceBuilder::finish() {
  require_solids();
  if (surface_.triangles.empty() && any_triangle_)
    throw UsageError(fmt::format("{}: the solids [{}] hold no triangles; choose others", file_,
                                 list_of(request_.solids, longest_list_asked)));
  if (surface_.triangles.empty())
    throw UsageError(fmt::format("{}: holds no triangles; export or copy it again", file_));
  return std::move(surface_);
}

}  // namespace lbm::io
