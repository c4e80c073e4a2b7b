// SPDX-License-Identifier: Apache-2.0

// Measures the time for a large triangle surface; not a test, run by hand.
//
//   geometry_bench [cells of the box along an edge] [steps of the tessellation]
//
// A bumpy sphere about 0.4 of the box in diameter, with 4 n (n - 1) triangles. Prints the seconds
// of every part.
#include <fmt/format.h>
#include <omp.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <memory>

#include "cases/geometry/body_set.hpp"
#include "io/surface/surface_reader.hpp"
#include "solver/lattice/velocity_sets.hpp"
#include "tests/cases/geometry/geometry_support.hpp"

namespace {

using namespace lbm;

struct Cells {
  int n;
  std::array<int, 2> range;
  std::unique_ptr<std::uint8_t[]> solid;

  std::size_t plane() const { return static_cast<std::size_t>(n) * n; }
  bool at(int x, int y, int z) const {
    if (z < range[0] || z >= range[1]) return false;
    return solid[static_cast<std::size_t>(z - range[0]) * plane() +
                 static_cast<std::size_t>(y) * n + x] != 0;
  }
};

Cells voxelise(const geometry::BodySet& set, int n, std::int64_t& count) {
  Cells cells{n, set.plane_range(), nullptr};
  cells.solid.reset(new std::uint8_t[cells.plane() * (cells.range[1] - cells.range[0])]);
  std::int64_t found = 0;
#pragma omp parallel reduction(+ : found)
  {
    std::vector<std::uint16_t> body(cells.plane());
#pragma omp for schedule(dynamic)
    for (int z = cells.range[0]; z < cells.range[1]; ++z) {
      set.plane(z, body);
      std::uint8_t* to = &cells.solid[(z - cells.range[0]) * cells.plane()];
      for (std::size_t c = 0; c < body.size(); ++c) to[c] = body[c] != 0 ? 1 : 0;
      found += std::count_if(body.begin(), body.end(), [](std::uint16_t b) { return b != 0; });
    }
  }
  count = found;
  return cells;
}

std::int64_t measure_links(const geometry::BodySet& set, const Cells& cells, double& mean) {
  std::int64_t links = 0;
  double sum = 0;
#pragma omp parallel for schedule(dynamic) reduction(+ : links, sum)
  for (int z = cells.range[0]; z < cells.range[1]; ++z)
    for (int y = 1; y < cells.n - 1; ++y)
      for (int x = 1; x < cells.n - 1; ++x) {
        if (!cells.at(x, y, z)) continue;
        for (int q = 1; q < D3Q19::directions; ++q) {
          const int i = x + cx(q), j = y + cy(q), k = z + cz(q);
          if (cells.at(i, j, k)) continue;
          sum += set.wall_distance(0, {i + 0.5, j + 0.5, k + 0.5}, {x + 0.5, y + 0.5, z + 0.5});
          ++links;
        }
      }
  mean = sum / static_cast<double>(links);
  return links;
}

// Binary STL, as most programs write it; requires a little-endian machine.
std::filesystem::path write_binary(const std::vector<geometry::Facet>& facets) {
  const auto path = std::filesystem::temp_directory_path() / fmt::format("bench_{}.stl", getpid());
  std::ofstream file(path, std::ios::binary);
  const auto count = static_cast<std::uint32_t>(facets.size());
  const std::array<char, 80> zeros{};
  file.write(zeros.data(), 80).write(reinterpret_cast<const char*>(&count), 4);
  for (const geometry::Facet& facet : facets)
    file.write(zeros.data(), 12)
        .write(reinterpret_cast<const char*>(&facet), 36)
        .write(zeros.data(), 2);
  return path;
}

}  // namespace

int main(int argc, char** argv) {
  const int n = argc > 1 ? std::atoi(argv[1]) : 1000;
  const int steps = argc > 2 ? std::atoi(argv[2]) : 354;
  double last = omp_get_wtime();
  const auto lap = [&](const char* what) {
    const double now = omp_get_wtime();
    fmt::print("{:<28}{:8.2f} s\n", what, now - last);
    last = omp_get_wtime();
  };
  fmt::print("{} threads, {}^3 cells\n", omp_get_max_threads(), n);
  const auto facets =
      geometry::testing::sphere_facets({0.5 * n, 0.5 * n, 0.5 * n}, 0.2 * n, steps, 0.1);
  lap("make the surface");
  const auto path = write_binary(facets);
  lap("write it");
  const auto read = io::read_surface(path);
  lap("read it");
  std::filesystem::remove(path);
  if (read.triangles.size() != facets.size()) return 1;
  auto prepared = geometry::prepare_mesh(facets, "bench");
  lap("weld, check, orient");
  const auto shape = std::make_shared<geometry::MeshShape>(std::move(prepared.mesh));
  lap("tree");
  const geometry::BodySet set({n, n, n}, {false, false, false}, {{"bumps", shape}});
  std::int64_t solid = 0;
  const Cells cells = voxelise(set, n, solid);
  lap("plane() of all planes");
  double mean = 0;
  const std::int64_t links = measure_links(set, cells, mean);
  lap("wall_distance() of all links");
  fmt::print("{} triangles; {} solid cells, {} links, mean distance {:.4f}\n", facets.size(), solid,
             links, mean);
}
