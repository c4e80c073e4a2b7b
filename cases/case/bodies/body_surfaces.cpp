// SPDX-License-Identifier: Apache-2.0
#include "cases/case/bodies/body_shapes.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cmath>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <utility>

#include "cases/case/case_location.hpp"
#include "cases/case/limits.hpp"
#include "cases/case/scalars.hpp"
#include "cases/geometry/mesh_shape.hpp"
#include "cases/geometry/surface/open_shapes.hpp"

namespace lbm::cases {
namespace {

using geometry::OpenSurface, geometry::scaling;

// "12 open edges and 3 edges of an odd number of triangles"
std::string edges_text(const SurfaceFacts& f) {
  std::vector<std::string> parts;
  if (f.open_edges > 0) parts.push_back(fmt::format("{} open edges", f.open_edges));
  if (f.odd_edges > 0)
    parts.push_back(fmt::format("{} edges of an odd number of triangles", f.odd_edges));
  if (parts.empty())
    parts.push_back(fmt::format("{} edges of triangles that contradict each other", f.holes.edges));
  return fmt::format("{}", fmt::join(parts, " and "));
}

// Triangles of all bodies together for which there is room in a check with a limit on its time:
// with their search trees some 100 MB.
constexpr std::size_t most_triangles_in_haste = 1'000'000;

}  // namespace

std::string length_unit(const Case& lbm_case) {
  return lbm_case.units == UnitSystem::si ? "m" : "cells";
}

std::string SurfaceFacts::text(const std::string& unit) const {
  std::string text =
      fmt::format("{} in {} hole{}, {:.4g} {} around, {:.4g} {}^2: ", edges_text(*this),
                  holes.count, holes.count == 1 ? "" : "s", holes.length, unit, holes.area, unit);
  if (open == OpenSurface::shell)
    return text + fmt::format("a shell {:.4g} {} thick", thickness, unit);
  return text + fmt::format("filled, {:.3g} {}^3 are solid", volume, unit);
}

io::Json surfaces_json(const std::vector<SurfaceFacts>& facts) {
  io::Json json = io::Json::array();
  for (const SurfaceFacts& f : facts) {
    json.push_back({{"body", f.body},
                    {"file", f.file},
                    {"triangles", f.triangles},
                    {"open", enum_names(f.open)[static_cast<std::size_t>(f.open)]},
                    {"closed", f.closed},
                    {"open_edges", f.open_edges},
                    {"odd_edges", f.odd_edges},
                    {"holes", f.holes.count},
                    {"hole_length", f.holes.length},
                    {"hole_area", f.holes.area},
                    {"volume", f.volume},
                    {"thickness", f.thickness > 0 ? io::Json(f.thickness) : io::Json()}});
  }
  return json;
}

geometry::ShapePtr BodySurfaces::make(const Body& body, const geometry::Affine& place) {
  File& file = file_of(body);
  SurfaceFacts& f = facts.emplace_back(facts_of(body, file));
  if (file.shape != nullptr && file.place == place) return file.shape;
  geometry::inverse(place);  // throws for a singular one
  triangles_ += file.prepared.mesh.triangles.size();
  if (limit_.is_set() && triangles_ > most_triangles_in_haste) throw TimeLimitReached();
  geometry::Mesh mesh = geometry::moved(file.prepared.mesh, place);
  if (file.closed) {
    file.place = place;
    return file.shape = std::make_shared<geometry::MeshShape>(std::move(mesh));
  }
  geometry::ShapePtr shape;
  if (f.open == OpenSurface::shell) {
    shape = std::make_shared<geometry::ShellShape>(std::move(mesh), thickness_of(body), limit_);
  } else {
    auto filled = std::make_shared<geometry::FilledShape>(mesh, limit_);
    f.volume = filled->volume() * units_.length * units_.length * units_.length;
    shape = std::move(filled);
  }
  if (!f.closed)
    warnings.push_back(where(case_, "bodies." + body.name + ".open") +
                       ": the surface is not closed: " + f.text(length_unit(case_)));
  return shape;
}

BodySurfaces::File& BodySurfaces::file_of(const Body& body) {
  const std::string path = path_of(case_, body.file);
  const OpenSurface open = body.open.value_or(OpenSurface::refuse);
  const std::string key =
      fmt::format("{}\n{}\n{}\n{}", path, static_cast<int>(open), fmt::join(body.solids, "\n"),
                  body.merge_tolerance ? fmt::format("{}", *body.merge_tolerance) : "");
  if (const auto known = files_.find(key); known != files_.end()) return known->second;
  File file{geometry::load_mesh(path, body.solids, {open, body.merge_tolerance, limit_})};
  for (const std::string& line : file.prepared.warnings) {
    warnings.push_back(where(case_, "bodies." + body.name + ".file") + ": " + one_line(line));
  }
  limit_.check();
  file.closed = open != OpenSurface::shell && file.prepared.closed;
  return files_[key] = std::move(file);
}

SurfaceFacts BodySurfaces::facts_of(const Body& body, const File& file) const {
  const Vec3 scale = scale_of(body);
  const geometry::PreparedMesh& prepared = file.prepared;
  SurfaceFacts f{.body = body.name,
                 .file = std::filesystem::absolute(path_of(case_, body.file)).string(),
                 .triangles = prepared.left.triangles,
                 .open = body.open.value_or(OpenSurface::refuse),
                 .closed = prepared.closed,
                 .open_edges = prepared.left.open_edges,
                 .odd_edges = prepared.left.odd_edges,
                 .holes = prepared.holes,
                 .volume = prepared.volume * std::abs(scale[0] * scale[1] * scale[2])};
  if (scale[0] == scale[1] && scale[1] == scale[2]) {
    f.holes.length *= std::abs(scale[0]);
    f.holes.area *= scale[0] * scale[0];
  } else if (!prepared.closed) {
    const auto holes = geometry::close_holes(geometry::moved(prepared.mesh, scaling(scale)));
    f.holes = holes.holes;
    f.volume = holes.volume;
  }
  if (f.open == OpenSurface::shell) f.thickness = thickness_of(body) * units_.length;
  return f;
}

double BodySurfaces::thickness_of(const Body& body) const {
  return body.thickness ? to_cells(units_, *body.thickness)
                        : default_thickness(velocity_set(case_.lattice));
}

}  // namespace lbm::cases
