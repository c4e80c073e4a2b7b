// SPDX-License-Identifier: Apache-2.0

// Reads surfaces of triangles from files; for the files of this room, what the readers of all
// formats share.
#pragma once

#include <array>
#include <cstdint>
#include <filesystem>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "solver/core/time_limit.hpp"

namespace lbm::io {

struct Surface {
  // In the units of the file. Points may be equal, and some may belong to no triangle.
  std::vector<std::array<double, 3>> points;
  std::vector<std::array<std::int32_t, 3>>
      triangles;  // indices of points, in the order of the file
  // Names of all solids of the file, each once, in its order; 10,000 at most.
  std::vector<std::string> solids;
};

struct SurfaceRequest {
  std::vector<std::string> solids = {};  // keeps the triangles of these; empty: all
  // With a limit, the bytes of the file and the surface may take 32 MiB each at most, too.
  TimeLimit limit = {};
};

// Formats:
// - OBJ: the file name ends in .obj; polygons are cut into triangles;
// - STL, text or binary: any other file. It is binary if its size matches the number of triangles
//   that it announces, whatever its first word.
// PLY files and files packed by gzip are refused with the command that converts them.
// Solids are the `solid NAME` of a text STL file, and the objects `o NAME` and groups `g NAME...`
// of an OBJ file; a triangle may belong to several groups.
//
// Throws UsageError, one line that begins with the path (and the line in a text file), for a file
// that is missing, a directory, empty, of no such format, truncated, without triangles, with a
// coordinate that is not finite in single precision, or without a solid that is asked for.
// Throws TimeLimitReached.
Surface read_surface(const std::filesystem::path& path, const SurfaceRequest& request = {});

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

// A file of `size` bytes with these first bytes: of the size that its count of triangles needs.
bool is_binary_stl(std::string_view head, std::uint64_t size);

// Refuses a file of `size` bytes that can be no STL file, by its first 1024 bytes (or all of them,
// if it has fewer). Throws UsageError, one line that begins with `name`.
void check_stl(std::string_view head, std::uint64_t size, const std::string& name);

// Adds the triangles of a whole file that check_stl() accepted. The solids of a text have as name
// the rest of the line after `solid`, of any length; their coordinates keep double precision: those
// of maps have seven digits before the point. Throws UsageError, one line that begins with `name`
// (and the line number in a text), for an unexpected word, a number that is invalid or beyond
// single precision, and a missing 'endsolid'.
void read_stl(std::string_view bytes, const std::string& name, SurfaceBuilder& surface);

// Adds the faces (f) of an OBJ file, cut into triangles. A face belongs to the object (o) and to
// the groups (g) above it. Texture, normals, materials, lines and points are skipped. Throws
// UsageError, one line that begins with `name` and the line number, for an unknown word, a
// free-form surface, a number that is invalid or not finite, and a face of fewer than three
// corners, of points that are not above it, or that cannot be cut (cut_polygon). Changes the ends
// of lines in `text`.
void read_obj(std::string& text, const std::string& name, SurfaceBuilder& surface);

// More corners are cut only if the polygon is convex.
inline constexpr std::size_t most_corners = 1000;

// Appends the triangles of the polygon, with its winding and with no edges but its own and pairs of
// inner ones: a closed surface stays closed. A convex polygon becomes a fan, any other one is cut
// ear by ear (Meisters 1975, American Mathematical Monthly 82, 648), in the plane of coordinates
// that it covers most of. corners: at least three indices of points. False, and nothing is
// appended, for a polygon that is not convex and has more than most_corners.
bool cut_polygon(std::span<const std::array<double, 3>> points,
                 std::span<const std::int32_t> corners,
                 std::vector<std::array<std::int32_t, 3>>& triangles);

}  // namespace lbm::io
