#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>
#include <unordered_map>
#include <utility>

#include "cases/geometry/mesh_edges.hpp"
#include "cases/geometry/mesh_orient.hpp"
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

// Half of all edges are shorter.
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

// A single corner far away would make the tolerance larger than the body.
void require_gaps_below_edges(const Mesh& mesh, double tolerance, std::int64_t open_edges,
                              const std::string& name) {
  const double edge = usual_edge(mesh);
  if (tolerance <= edge / 2) return;
  throw UsageError(fmt::format(
      "{}: the surface is not closed: it has {} open edges, and corners far away from the others: "
      "its diagonal is {:.3g}, but half of its edges are shorter than {:.3g}; remove the stray "
      "corners, and close it in the program that made it",
      name, open_edges, tolerance / weld_tolerance, edge));
}

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
    Cell cell;
    for (int a = 0; a < 3; ++a) cell[a] = static_cast<std::int64_t>(std::floor(p[a] / tolerance_));
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

// Moves vertices at open edges only, so that closed parts stay as they are.
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

[[noreturn]] void throw_not_closed(const std::string& name, const MeshReport& r) {
  std::string what;
  if (r.open_edges > 0) what = fmt::format("{} open edges", r.open_edges);
  if (r.odd_edges > 0)
    what += fmt::format("{}{} edges of an odd number of triangles", what.empty() ? "" : " and ",
                        r.odd_edges);
  throw UsageError(fmt::format(
      "{}: the surface of {} triangles is not closed: it has {}; close it in the program that made "
      "it (fill holes, remove inner walls), so that every edge belongs to two triangles",
      name, r.triangles, what));
}

// Where four or more triangles share an edge, both directions must occur equally often: otherwise a
// line could enter the body and never leave it.
void require_balance(const Mesh& mesh, const std::string& name) {
  std::int64_t bad = 0;
  for_each_edge(edge_uses(mesh), [&](const EdgeUse* first, const EdgeUse* last) {
    const auto forward = std::count_if(first, last, [](const EdgeUse& u) { return u.forward; });
    if (2 * forward != last - first) ++bad;
  });
  if (bad > 0)
    throw UsageError(fmt::format(
        "{}: {} edges belong to four or more triangles whose orientations contradict each other; "
        "orient the surface outward in the program that made it",
        name, bad));
}

void require_values(std::span<const Facet> facets, const std::string& name) {
  if (facets.empty())
    throw UsageError(
        fmt::format("{}: no triangles; export the body again as an STL surface", name));
  std::int64_t bad = 0;
  for (const Facet& facet : facets)
    for (const auto& corner : facet)
      for (const float x : corner) bad += std::isfinite(x) ? 0 : 1;
  if (bad > 0)
    throw UsageError(fmt::format(
        "{}: {} of the coordinates are not finite (NaN or infinity); export the body again", name,
        bad));
}

}  // namespace

Mesh weld(std::span<const Facet> facets) {
  if (facets.size() > 0x7fffffffU / 3) throw std::length_error("too many triangles for one mesh");
  const auto point = [&](std::uint32_t corner) -> const std::array<float, 3>& {
    return facets[corner / 3][corner % 3];
  };
  std::vector<std::uint32_t> order(3 * facets.size());
  for (std::uint32_t n = 0; n < order.size(); ++n) order[n] = n;
  std::sort(order.begin(), order.end(),
            [&](std::uint32_t a, std::uint32_t b) { return point(a) < point(b); });
  Mesh mesh;
  mesh.triangles.resize(facets.size());
  for (std::size_t n = 0; n < order.size(); ++n) {
    const auto& p = point(order[n]);
    if (n == 0 || point(order[n - 1]) != p) mesh.vertices.push_back({p[0], p[1], p[2]});
    mesh.triangles[order[n] / 3][order[n] % 3] =
        static_cast<std::int32_t>(mesh.vertices.size()) - 1;
  }
  return mesh;
}

PreparedMesh prepare_mesh(std::span<const Facet> facets, const std::string& name) {
  require_values(facets, name);
  PreparedMesh result;
  Mesh& mesh = result.mesh;
  mesh = weld(facets);
  result.found = check_mesh(mesh);
  drop_equal_corners(mesh);
  MeshReport now = result.found;
  if (now.open_edges > 0) {
    const double tolerance = weld_tolerance * diagonal(mesh);
    require_gaps_below_edges(mesh, tolerance, now.open_edges, name);
    weld_open_edges(mesh, tolerance);
    drop_equal_corners(mesh);
    now = check_mesh(mesh);
    if (now.open_edges > 0 || now.odd_edges > 0) throw_not_closed(name, now);
    result.warnings.push_back(fmt::format(
        "{}: {} open edges closed by joining vertices that are less than {:.3g} apart (1e-6 of the "
        "diagonal)",
        name, result.found.open_edges, tolerance));
  }
  if (now.odd_edges > 0) throw_not_closed(name, now);
  const auto dropped = static_cast<std::int64_t>(facets.size() - mesh.triangles.size());
  if (mesh.triangles.empty())
    throw UsageError(fmt::format(
        "{}: all {} triangles have two equal corners; export the body again, larger or with finer "
        "units",
        name, dropped));
  if (dropped > 0)
    result.warnings.push_back(
        fmt::format("{}: {} triangles with two equal corners dropped", name, dropped));
  orient(mesh, name, result.warnings);
  require_balance(mesh, name);
  return result;
}

Mesh moved(Mesh mesh, const Affine& a) {
  for (Vec& p : mesh.vertices) p = a(p);
  if (a.determinant() < 0)
    for (auto& t : mesh.triangles) std::swap(t[1], t[2]);
  return mesh;
}

}  // namespace lbm::geometry
