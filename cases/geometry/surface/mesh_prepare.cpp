// SPDX-License-Identifier: Apache-2.0
#include "cases/geometry/surface/mesh_prepare.hpp"

#include <fmt/format.h>

#include <utility>

#include "cases/geometry/surface/mesh_repair.hpp"
#include "io/surface/surface_reader.hpp"
#include "solver/core/error.hpp"

namespace lbm::geometry {
namespace {

constexpr double weld_tolerance = 1e-6;  // share of the diagonal of the bounds

void drop_equal_corners(Mesh& mesh) { std::erase_if(mesh.triangles, has_equal_corners); }

double diagonal(const Mesh& mesh) {
  Box box;
  for (const Vec& p : mesh.vertices) box.add(p);
  return length(box.high - box.low);
}

// A single corner far away would make the default tolerance larger than the body.
void require_gaps_below_edges(const Mesh& mesh, double tolerance, bool given,
                              std::int64_t open_edges, const std::string& name) {
  const double edge = usual_edge(mesh);
  if (tolerance <= edge / 2) return;
  if (given)
    throw UsageError(fmt::format(
        "{}: merge_tolerance: found {:.6g}, must be at most {:.6g}, in the units of the file: half "
        "of the edges are shorter than {:.6g}",
        name, tolerance, edge / 2, edge));
  throw UsageError(fmt::format(
      "{}: the surface is not closed: it has {} open edges, and corners far away from the others: "
      "its diagonal is {:.3g}, but half of its edges are shorter than {:.3g}; remove the stray "
      "corners, and close it in the program that made it",
      name, open_edges, tolerance / weld_tolerance, edge));
}

[[noreturn]] void throw_not_closed(const std::string& name, const MeshReport& r) {
  std::string what;
  if (r.open_edges > 0) what = fmt::format("{} open edges", r.open_edges);
  if (r.odd_edges > 0)
    what += fmt::format("{}{} edges of an odd number of triangles", what.empty() ? "" : " and ",
                        r.odd_edges);
  throw UsageError(fmt::format(
      "{}: the surface of {} triangles is not closed: it has {}; close it in the program that made "
      "it (fill holes, remove inner walls), so that every edge belongs to two triangles, or set "
      "open: fill or open: shell",
      name, r.triangles, what));
}

// Where four or more triangles share an edge, both directions must occur equally often: otherwise a
// line could enter the body and never leave it.
void require_balance(const Mesh& mesh, const std::string& name) {
  const std::size_t bad = border_of(mesh).size();
  if (bad > 0)
    throw UsageError(fmt::format(
        "{}: {} edges belong to four or more triangles whose orientations contradict each other; "
        "orient the surface outward in the program that made it",
        name, bad));
}

void require_values(const Mesh& mesh, const std::string& name) {
  if (mesh.triangles.empty())
    throw UsageError(
        fmt::format("{}: no triangles; export the body again as a surface of triangles", name));
  std::int64_t bad = 0;
  for (const Vec& p : mesh.vertices)
    for (const double x : p) bad += std::isfinite(x) ? 0 : 1;
  if (bad > 0)
    throw UsageError(fmt::format(
        "{}: {} of the coordinates are not finite (NaN or infinity); export the body again", name,
        bad));
}

bool is_whole(const MeshReport& r) { return r.open_edges == 0 && r.odd_edges == 0; }

class Preparation {
 public:
  Preparation(const std::string& name, const PrepareOptions& options)
      : name_(name), options_(options) {}

  PreparedMesh prepare(const Mesh& given) {
    const bool must_close = options_.open == OpenSurface::refuse;
    require_values(given, name_);
    mesh_ = weld(given);
    options_.limit.check();
    result_.left = check_mesh(mesh_);
    options_.limit.check();
    drop_equal_corners(mesh_);
    if (result_.left.open_edges > 0) join_corners(must_close);
    options_.limit.check();
    if (must_close && !is_whole(result_.left)) throw_not_closed(name_, result_.left);
    count_dropped(given.triangles.size());
    result_.closed = must_close || is_whole(result_.left);
    if (result_.closed) close(must_close);
    if (!result_.closed) orient(mesh_, false, name_, result_.warnings);
    options_.limit.check();
    const ClosedHoles holes = close_holes(mesh_);
    result_.holes = holes.holes;
    result_.volume = holes.volume;
    return std::move(result_);
  }

 private:
  void join_corners(bool must_close) {
    const bool is_given = options_.merge_tolerance.has_value();
    const double tolerance = options_.merge_tolerance.value_or(weld_tolerance * diagonal(mesh_));
    if (is_given || must_close)
      require_gaps_below_edges(mesh_, tolerance, is_given, result_.left.open_edges, name_);
    if (tolerance == 0 || tolerance > usual_edge(mesh_) / 2) return;
    weld_open_edges(mesh_, tolerance);
    drop_equal_corners(mesh_);
    const std::int64_t before = result_.left.open_edges;
    result_.left = check_mesh(mesh_);
    if (result_.left.open_edges == before) return;
    result_.warnings.push_back(fmt::format(
        "{}: {} open edges closed by joining vertices that are less than {:.3g} apart ({})", name_,
        before - result_.left.open_edges, tolerance,
        is_given ? "merge_tolerance" : "1e-6 of the diagonal"));
  }

  void count_dropped(std::size_t triangles) {
    const auto dropped = static_cast<std::int64_t>(triangles - mesh_.triangles.size());
    if (mesh_.triangles.empty())
      throw UsageError(fmt::format(
          "{}: all {} triangles have two equal corners; export the body again, larger or with "
          "finer units",
          name_, dropped));
    if (dropped > 0)
      result_.warnings.push_back(
          fmt::format("{}: {} triangles with two equal corners dropped", name_, dropped));
  }

  // A surface that may be open counts as open where this fails.
  void close(bool must_close) {
    const PreparedMesh as_found = must_close ? PreparedMesh{} : result_;
    try {
      orient(mesh_, true, name_, result_.warnings);
      require_balance(mesh_, name_);
    } catch (const UsageError&) {
      if (must_close) throw;
      result_ = as_found;
      result_.closed = false;
    }
  }

  const std::string& name_;
  const PrepareOptions& options_;
  PreparedMesh result_;
  Mesh& mesh_ = result_.mesh;
};

}  // namespace

PreparedMesh prepare_mesh(const Mesh& mesh, const std::string& name,
                          const PrepareOptions& options) {
  return Preparation(name, options).prepare(mesh);
}

PreparedMesh load_mesh(const std::filesystem::path& path, const std::vector<std::string>& solids,
                       const PrepareOptions& options) {
  io::Surface surface = io::read_surface(path, {solids, options.limit});
  const Mesh mesh{std::move(surface.points), std::move(surface.triangles)};
  return prepare_mesh(mesh, path.string(), options);
}

}  // namespace lbm::geometry
