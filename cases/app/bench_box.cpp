// The lattice and flags of a measurement.
#include <algorithm>

#include "cases/app/bench_cases.hpp"

namespace lbm::app {
namespace {

double sphere_radius(const BenchCase& bench) {
  return *std::min_element(bench.cells.begin(), bench.cells.end()) / 6.0;
}

}  // namespace

const char* to_string(BenchBox box) {
  constexpr const char* names[] = {"periodic", "cavity", "sphere"};
  return names[static_cast<int>(box)];
}

std::uint64_t bench_flag_bytes(const BenchCase& bench) {
  if (bench.box != BenchBox::sphere) return 0;
  const auto planes = static_cast<std::uint64_t>(2 * sphere_radius(bench)) + 5;
  return planes * static_cast<std::uint64_t>(bench.cells[0]) *
             static_cast<std::uint64_t>(bench.cells[1]) +
         sizeof(std::int32_t) * static_cast<std::uint64_t>(bench.cells[2]);
}

std::uint64_t bench_host_bytes(const BenchCase& bench) {
  return bench.lattice_bytes + bench_pattern_planes * bench_lattice(bench).layout.bytes;
}

Lattice bench_lattice(const BenchCase& bench) {
  std::array<WallFace, 6> faces;
  for (WallFace& face : faces) face.wall = bench.box == BenchBox::cavity;
  if (bench.box == BenchBox::cavity) faces[5].velocity = {0.05, 0, 0};
  const auto& [nx, ny, nz] = bench.cells;
  return make_lattice(nx, ny, nz, bench.storage, 0.6, faces);
}

Flags bench_flags(const BenchCase& bench) {
  if (bench.box != BenchBox::sphere) return {};
  // No structured binding: a lambda of clang 14 cannot capture one.
  const int nx = bench.cells[0], ny = bench.cells[1], nz = bench.cells[2];
  const double radius = sphere_radius(bench);
  return {nx, ny, nz, {true, true, true}, [&](int z, std::span<std::uint8_t> solid) {
            const double dz = z + 0.5 - nz / 2.0;
            if (dz * dz > radius * radius) return;
            for (int y = 0; y < ny; ++y) {
              for (int x = 0; x < nx; ++x) {
                const double dx = x + 0.5 - nx / 2.0, dy = y + 0.5 - ny / 2.0;
                const bool inside = dx * dx + dy * dy + dz * dz < radius * radius;
                solid[static_cast<std::size_t>(y) * nx + x] = inside ? 1 : 0;
              }
            }
          }};
}

}  // namespace lbm::app
