// SPDX-License-Identifier: Apache-2.0

// Collects the points and triangles of a file.
#pragma once

#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "io/surface/surface_reader.hpp"

namespace lbm::io {

// Part of a file for a message: at most 40 bytes, printable ASCII only.
std::string shown(std::string_view word);
// True if x is in the range of single precision, as all coordinates of binary STL are.
bool is_coordinate(double x);

// `file` begins all messages; it and the request must outlive the builder.
class SurfaceBuilder {
 public:
  SurfaceBuilder(const std::string& file, const SurfaceRequest& request);

  // The next triangles belong to these solids; empty names count for nothing.
  void begin_solids(std::span<const std::string_view> names);
  // False while the solids of the next triangles were not asked for.
  bool wanted() const { return wanted_; }

  // Throw TimeLimitReached, and UsageError for more points than an index can count.
  void add_point(const std::array<double, 3>& p);
  void add_triangle(const std::array<std::int32_t, 3>& corners);  // kept only if wanted()
  void watch_time();                                              // looks at the clock now and then

  const std::vector<std::array<double, 3>>& points() const { return surface_.points; }

  // Throws UsageError if a solid that was asked for is not in the file, or no triangle is left.
  Surface finish();

 private:
  void require_solids() const;
  void require_room(std::size_t count, const char* what) const;

  const std::string& file_;
  const SurfaceRequest& request_;
  Surface surface_;
  std::set<std::string, std::less<>> names_, asked_, missing_;
  bool wanted_;
  bool any_triangle_ = false;
  std::uint32_t watched_ = 0;
};

}  // namespace lbm::io
