// SPDX-License-Identifier: Apache-2.0
#include "cases/geometry/surface/mesh_orient.hpp"

#include <fmt/format.h>

#include <utility>

#include "cases/geometry/mesh_edges.hpp"
#include "cases/geometry/mesh_shape.hpp"
#include "solver/core/error.hpp"

namespace lbm::geometry {
namespace {

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

void agree_with_warning(Mesh& mesh, const Shells& shells, const std::string& name,
                        std::vector<std::string>& warnings) {
  const std::int64_t turned = agree(mesh, shells);
  if (turned > 0)
    warnings.push_back(
        fmt::format("{}: {} triangles were oriented against their neighbours and have been turned",
                    name, turned));
}

}  // namespace

void orient_neighbours(Mesh& mesh, const std::string& name, std::vector<std::string>& warnings) {
  const Shells shells = find_shells(mesh, edge_uses(mesh));
  if (shells.orientable) return agree_with_warning(mesh, shells, name, warnings);
  warnings.push_back(
      fmt::format("{}: the surface has no outside (its triangles cannot all be oriented alike), so "
                  "they stay as "
                  "they are",
                  name));
}

void orient(Mesh& mesh, const std::string& name, std::vector<std::string>& warnings) {
  const Shells shells = find_shells(mesh, edge_uses(mesh));
  if (!shells.orientable)
    throw UsageError(fmt::format(
        "{}: the surface has no outside (its triangles cannot all be oriented alike); repair it in "
        "the program that made it",
        name));
  agree_with_warning(mesh, shells, name, warnings);

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

}  // namespace lbm::geometry
