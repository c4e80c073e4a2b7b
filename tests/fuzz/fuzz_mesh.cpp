// SPDX-License-Identifier: Apache-2.0
#include <array>
#include <cmath>

#include "cases/geometry/surface/mesh_prepare.hpp"
#include "cases/geometry/surface/open_shapes.hpp"
#include "io/surface/surface_reader.hpp"
#include "tests/fuzz/fuzzed_file.hpp"
#include "tests/fuzz/refusal.hpp"
#include "tests/fuzz/targets.hpp"

namespace lbm::fuzz {
namespace {

// Where a body is solid, and where a link meets it.
void query(const geometry::Shape& shape) {
  const geometry::Box box = shape.bounds();
  geometry::Segment link;
  for (std::size_t a = 0; a < 3; ++a) {
    link.from[a] = box.low[a] - 1;
    link.to[a] = 0.5 * box.low[a] + 0.5 * box.high[a];
  }
  const int side = shape.side(link.to);
  require(side >= -1 && side <= 1, "a side that is none");
  const auto share = shape.first_entry(link);
  require(!share || (*share >= 0 && *share <= 1), "an entry outside the link");
}

void read(const std::filesystem::path& path) {
  io::Surface surface;
  if (!accepts([&] { surface = io::read_surface(path); })) return;
  require(!surface.triangles.empty(), "a surface without triangles is accepted");
  for (const auto& point : surface.points) {
    for (const double x : point) require(std::isfinite(x), "a point is not finite");
  }
  const auto count = static_cast<std::int64_t>(surface.points.size());
  for (const auto& triangle : surface.triangles) {
    for (const std::int32_t v : triangle) require(v >= 0 && v < count, "a corner is no point");
  }
  for (const std::string& solid : surface.solids) {
    (void)accepts([&] { (void)io::read_surface(path, {{solid}}); });
  }
  (void)accepts([&] { (void)geometry::load_mesh(path); });
  (void)accepts([&] {
    query(geometry::FilledShape(
        geometry::load_mesh(path, {}, {geometry::OpenSurface::fill, {}, {}}).mesh));
  });
  (void)accepts([&] {
    query(geometry::ShellShape(
        geometry::load_mesh(path, {}, {geometry::OpenSurface::shell, 0.01, {}}).mesh, 1.5));
  });
}

}  // namespace

// As STL, which is known by its bytes, and as OBJ, which is known by its name.
void read_mesh(std::string_view bytes) {
  read(file_of("mesh.stl", bytes));
  read(file_of("mesh.obj", bytes));
}

}  // namespace lbm::fuzz
