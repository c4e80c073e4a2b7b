// SPDX-License-Identifier: Apache-2.0
#include "cases/geometry/surface/mesh_prepare.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <unordered_map>
#include <utility>

#include "cases/geometry/mesh_shape.hpp"
#include "io/surface/surface_reader.hpp"
#include "solver/core/error.hpp"

namespace lbm::geometry {
namespace {

struct Hole {
  double length = 0;
  Vec moment{};  // of its edges: length times middle
  Vec area{};    // twice the vector area of the cap
  Vec apex{};
};

// Vertices seen so far, hashed by cells of the size of the tolerance.
class NearVertices {
 public:
  NearVertices(const Mesh& mesh, double tolerance) : mesh_(mesh), tolerance_(tolerance) {}

  // An earlier vertex within the tolerance, or `vertex` itself.
  std::int32_t find_or_add(std::int32_t vertex) {
    const Cell cell = cell_of(mesh_.vertices[vertex]);
    for (int n = 0; n < 27; ++n) {
      const auto at =
          cells_.find(key({cell[0] + n % 3 - 1, cell[1] + n / 3 % 3 - 1, cell[2] + n / 9 - 1}));
      if (at == cells_.end()) continue;
      for (const std::int32_t other : at->second)
        if (length(mesh_.vertices[other] - mesh_.vertices[vertex]) <= tolerance_) return other;
    }
    cells_[key(cell)].push_back(vertex);
    return vertex;
  }

 private:
  using Cell = std::array<std::int64_t, 3>;
  Cell cell_of(const Vec& p) const {
    constexpr double most = 4e18;  // corners farther away than that share a cell
    Cell cell;
    for (int a = 0; a < 3; ++a)
      cell[a] = static_cast<std::int64_t>(std::clamp(std::floor(p[a] / tolerance_), -most, most));
    return cell;
  }
  // Cells with the same key are searched together.
  static std::uint64_t key(const Cell& c) {
    return static_cast<std::uint64_t>(c[0]) * 0x9E3779B97F4A7C15U ^
           static_cast<std::uint64_t>(c[1]) * 0xC2B2AE3D27D4EB4FU ^
           static_cast<std::uint64_t>(c[2]) * 0x165667B19E3779F9U;
  }

  const Mesh& mesh_;
  double tolerance_;
  std::unordered_map<std::uint64_t, std::vector<std::int32_t>> cells_;
};

void turn(std::array<std::int32_t, 3>& t) { std::swap(t[1], t[2]); }

// Orients every shell consistently; returns the number of turned triangles.
std::int64_t agree(Mesh& mesh, const Shells& shells) {
  // Per shell: triangles to turn minus triangles to keep, if its first triangle stays.
  std::vector<std::int64_t> balance(shells.count, 0);
  for (std::size_t n = 0; n < mesh.triangles.size(); ++n)
    balance[shells.shell[n]] += shells.turned[n] != 0 ? 1 : -1;
  std::int64_t count = 0;
  for (std::size_t n = 0; n < mesh.triangles.size(); ++n) {
    if ((shells.turned[n] != 0) == (balance[shells.shell[n]] > 0)) continue;
    turn(mesh.triangles[n]);
    ++count;
  }
  return count;
}

// Six times the volume enclosed by each shell.
std::vector<double> volumes_of(const Mesh& mesh, const Shells& shells) {
  std::vector<double> volumes(shells.count, 0);
  const Vec origin = mesh.vertices[mesh.triangles[0][0]];
  for (std::size_t n = 0; n < mesh.triangles.size(); ++n) {
    const auto& t = mesh.triangles[n];
    volumes[shells.shell[n]] +=
        dot(mesh.vertices[t[0]] - origin,
            cross(mesh.vertices[t[1]] - origin, mesh.vertices[t[2]] - origin));
  }
  return volumes;
}

// Shells oriented inward with most corners in no other shell. Most, not all: a cavity may touch the
// surface, and a wrongly turned shell may overlap another one.
std::vector<char> inward_by_mistake(const Mesh& mesh, const Shells& shells,
                                    const std::vector<double>& volumes) {
  std::vector<char> mistake(shells.count, 0);
  if (std::none_of(volumes.begin(), volumes.end(), [](double v) { return v < 0; })) return mistake;
  Mesh outward{mesh.vertices, {}};
  std::vector<std::int64_t> triangles(shells.count, 0), seen(shells.count, 0),
      balance(shells.count, 0);
  for (std::size_t n = 0; n < mesh.triangles.size(); ++n) {
    ++triangles[shells.shell[n]];
    if (volumes[shells.shell[n]] >= 0) outward.triangles.push_back(mesh.triangles[n]);
  }
  const MeshShape solid(std::move(outward));
  for (std::size_t n = 0; n < mesh.triangles.size(); ++n) {
    const std::int32_t shell = shells.shell[n];
    constexpr std::int64_t enough = 64;
    if (volumes[shell] >= 0 || seen[shell]++ % (1 + triangles[shell] / enough) != 0) continue;
    for (const std::int32_t v : mesh.triangles[n])
      balance[shell] += solid.inside(mesh.vertices[v]) ? -1 : 1;
  }
  std::transform(balance.begin(), balance.end(), mistake.begin(),
                 [](std::int64_t b) { return static_cast<char>(b > 0 ? 1 : 0); });
  return mistake;
}

// The median of all edges, counted once for each triangle; 0 without triangles.
double usual_edge(const Mesh& mesh) {
  std::vector<double> lengths;
  lengths.reserve(3 * mesh.triangles.size());
  for (const auto& t : mesh.triangles)
    for (int n = 0; n < 3; ++n)
      lengths.push_back(length(mesh.vertices[t[n]] - mesh.vertices[t[(n + 1) % 3]]));
  if (lengths.empty()) return 0;
  const auto middle = lengths.begin() + static_cast<std::ptrdiff_t>(lengths.size() / 2);
  std::nth_element(lengths.begin(), middle, lengths.end());
  return *middle;
}

// Moves each vertex of an open edge to an earlier one that is no farther away than `tolerance` (>
// 0, in units of the mesh). Vertices at open edges only, so that closed parts stay as they are.
// Triangles may get equal corners.
void weld_open_edges(Mesh& mesh, double tolerance) {
  std::vector<std::int32_t> target(mesh.vertices.size(), -1);
  NearVertices near(mesh, tolerance);
  for_each_edge(edge_uses(mesh), [&](const EdgeUse* first, const EdgeUse* last) {
    if (last - first != 1) return;
    for (const std::int32_t v : {first->low, first->high})
      if (target[v] < 0) target[v] = near.find_or_add(v);
  });
  for (auto& t : mesh.triangles)
    for (std::int32_t& v : t)
      if (target[v] >= 0) v = target[v];
}

// Triangles that contradict their neighbours follow the majority of their shell. A mesh of negative
// volume is turned as a whole. Then shells oriented inward are turned, except those within another
// shell: they are cavities. Appends a warning that begins with `name` for each such repair. Throws
// UsageError for a surface that cannot be oriented.
//
// A mesh that is not closed gets only the first of these repairs. If it cannot be oriented it stays
// as it is, with a warning.
void orient(Mesh& mesh, bool closed, const std::string& name, std::vector<std::string>& warnings) {
  const Shells shells = find_shells(mesh, edge_uses(mesh));
  if (!shells.orientable) {
    const std::string why =
        name + ": the surface has no outside (its triangles cannot all be oriented alike)";
    if (closed) throw UsageError(why + "; repair it in the program that made it");
    return warnings.push_back(why + ", so they stay as they are");
  }
  if (const std::int64_t turned = agree(mesh, shells); turned > 0)
    warnings.push_back(
        fmt::format("{}: {} triangles were oriented against their neighbours and have been turned",
                    name, turned));
  if (!closed) return;

  std::vector<double> volumes = volumes_of(mesh, shells);
  double whole = 0;
  for (const double volume : volumes) whole += volume;
  if (whole < 0) {
    for (auto& t : mesh.triangles) turn(t);
    for (double& volume : volumes) volume = -volume;
    warnings.push_back(fmt::format("{}: the surface was inside out and has been turned", name));
  }
  const std::vector<char> mistake = inward_by_mistake(mesh, shells, volumes);
  for (std::size_t n = 0; n < mesh.triangles.size(); ++n)
    if (mistake[shells.shell[n]] != 0) turn(mesh.triangles[n]);
  const auto count = std::count(mistake.begin(), mistake.end(), 1);
  if (count > 0)
    warnings.push_back(fmt::format(
        "{}: {} of its {} shells were inside out, in no other one, and have been turned", name,
        count, shells.count));
}

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

std::vector<BorderEdge> border_of(const Mesh& mesh) {
  std::vector<BorderEdge> border;
  for_each_edge(edge_uses(mesh), [&](const EdgeUse* first, const EdgeUse* last) {
    std::int32_t excess = 0;
    for (const EdgeUse* use = first; use != last; ++use) excess += use->forward ? 1 : -1;
    if (excess > 0) border.push_back({first->low, first->high, excess});
    if (excess < 0) border.push_back({first->high, first->low, -excess});
  });
  return border;
}

ClosedHoles close_holes(const Mesh& mesh) {
  const std::vector<BorderEdge> border = border_of(mesh);
  ClosedHoles result;
  result.holes.edges = static_cast<std::int64_t>(border.size());
  VertexSets parts(mesh.vertices.size());
  for (const BorderEdge& e : border) parts.join(e.from, e.to);
  std::vector<Hole> holes(mesh.vertices.size());
  for (const BorderEdge& e : border) {
    const Vec &a = mesh.vertices[e.from], &b = mesh.vertices[e.to];
    Hole& hole = holes[parts.find(e.from)];
    const double size = e.times * length(b - a);
    hole.length += size;
    hole.moment = hole.moment + 0.5 * size * (a + b);
  }
  for (Hole& hole : holes)
    if (hole.length > 0) hole.apex = (1 / hole.length) * hole.moment;
  const Vec origin = mesh.vertices.empty() ? Vec{} : mesh.vertices[0];
  const auto six_volumes = [&](const Vec& a, const Vec& b, const Vec& c) {
    return dot(a - origin, cross(b - origin, c - origin));
  };
  double sum = 0;
  for (const auto& t : mesh.triangles)
    sum += six_volumes(mesh.vertices[t[0]], mesh.vertices[t[1]], mesh.vertices[t[2]]);
  for (const BorderEdge& e : border) {
    const Vec &a = mesh.vertices[e.from], &b = mesh.vertices[e.to];
    Hole& hole = holes[parts.find(e.from)];
    hole.area = hole.area + double(e.times) * cross(a - hole.apex, b - hole.apex);
    sum += e.times * six_volumes(b, a, hole.apex);
  }
  for (const Hole& hole : holes) {
    if (hole.length == 0) continue;
    ++result.holes.count;
    result.holes.length += hole.length;
    result.holes.area += length(hole.area) / 2;
  }
  result.volume = std::fabs(sum) / 6;
  return result;
}

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
