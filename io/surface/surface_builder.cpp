// SPDX-License-Identifier: Apache-2.0
#include "io/surface/surface_builder.hpp"

#include <fmt/format.h>

#include <cmath>
#include <limits>
#include <utility>

#include "io/text/words.hpp"
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
