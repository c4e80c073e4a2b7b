// SPDX-License-Identifier: Apache-2.0

// How many surfaces of a collection are accepted, closed or open:
//   surface_survey FILE... > table.txt
// One line for each file, with tabs between: path, what becomes of it with open: refuse, triangles,
// open edges, edges of an odd number of triangles, holes, volume, cells filled and cells of a shell
// as shares of the volume in cells and of the area times the thickness, seconds, and why it is
// refused. For the cells the longest side of the surface is 60 cells. Then the sums.
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <map>

#include "cases/geometry/surface/mesh_prepare.hpp"
#include "cases/geometry/surface/open_shapes.hpp"
#include "solver/core/error.hpp"

namespace {

using lbm::geometry::load_mesh;
using lbm::geometry::OpenSurface;
using lbm::geometry::PreparedMesh;

struct Outcome {
  std::string what;
  PreparedMesh mesh;
  std::string error;
};

Outcome outcome_of(const std::string& path) {
  try {
    PreparedMesh mesh = load_mesh(path);
    return {mesh.warnings.empty() ? "closed" : "closed after a repair", std::move(mesh), ""};
  } catch (const lbm::UsageError& refused) {
    try {
      return {"open", load_mesh(path, {}, {.open = OpenSurface::fill}), refused.what()};
    } catch (const lbm::UsageError& error) {
      return {"refused", {}, error.what()};
    }
  }
}

constexpr int n = 64;
constexpr double thickness = 1.5;

double cells_of(const lbm::geometry::Shape& shape) {
  std::vector<std::int8_t> sides(n * n);
  double cells = 0;
  for (int k = 0; k < n; ++k) {
    shape.sides({{0.5, 0.5, k + 0.5}, n, n}, sides);
    for (const std::int8_t side : sides) cells += side >= 0 ? 1 : 0;
  }
  return cells;
}

// Filled, and as a shell.
std::array<double, 2> shares_of(const PreparedMesh& prepared) {
  using namespace lbm::geometry;
  if (prepared.mesh.triangles.empty()) return {};
  Box box;
  for (const Vec& p : prepared.mesh.vertices) box.add(p);
  const Vec size = box.high - box.low;
  const double scale = (n - 4) / *std::max_element(size.begin(), size.end());
  const Vec middle{n / 2 + 0.013, n / 2 + 0.027, n / 2 + 0.039};
  const Mesh mesh =
      moved(prepared.mesh, translation(middle) * scaling({scale, scale, scale}) *
                               translation((-0.5) * box.low) * translation((-0.5) * box.high));
  double area = 0;
  for (const auto& t : mesh.triangles)
    area += length(cross(mesh.vertices[t[1]] - mesh.vertices[t[0]],
                         mesh.vertices[t[2]] - mesh.vertices[t[0]])) /
            2;
  return {cells_of(FilledShape(mesh)) / (prepared.volume * scale * scale * scale),
          cells_of(ShellShape(mesh, thickness)) / (area * thickness)};
}

}  // namespace

int main(int argc, char** argv) {
  std::map<std::string, int> sums;
  for (int file = 1; file < argc; ++file) {
    const auto begin = std::chrono::steady_clock::now();
    const auto [what, mesh, error] = outcome_of(argv[file]);
    const auto [filled, shell] = shares_of(mesh);
    const std::chrono::duration<double> spent = std::chrono::steady_clock::now() - begin;
    ++sums[what];
    fmt::print("{}\t{}\t{}\t{}\t{}\t{}\t{:.9g}\t{:.3f}\t{:.3f}\t{:.2f}\t{}\n", argv[file], what,
               mesh.left.triangles, mesh.left.open_edges, mesh.left.odd_edges, mesh.holes.count,
               mesh.volume, filled, shell, spent.count(), error);
  }
  for (const auto& [what, count] : sums) fmt::print("{}: {} of {}\n", what, count, argc - 1);
}
