// SPDX-License-Identifier: Apache-2.0

// Writes an image of overlapping grains, spheres at random places in a periodic box, as raw uint8:
// 0 pore, 1 grain, x fastest. For images that take Python too long; all cores.
//
//   g++ -O3 -march=native -fopenmp tests/gpu/grains.cpp -o grains
//   grains NX NY NZ RADIUS POROSITY SEED FILE      prints the porosity of the image
//
// The number of grains is that of the porosity exp(-n 4/3 pi r^3) of a Poisson process.
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <random>
#include <vector>

struct Grain {
  double x, y, z;
};

// Marks the cells of a row whose centres are within `half` of x, around the period nx.
static void mark(std::uint8_t* row, long nx, double x, double half) {
  const long from = static_cast<long>(std::ceil(x - half - 0.5)),
             to = static_cast<long>(std::floor(x + half - 0.5));
  for (long i = from; i <= to; ++i) row[((i % nx) + nx) % nx] = 1;
}

int main(int argc, char** argv) {
  if (argc != 8)
    return std::fprintf(stderr, "usage: grains NX NY NZ RADIUS POROSITY SEED FILE\n"), 2;
  const long nx = std::atol(argv[1]), ny = std::atol(argv[2]), nz = std::atol(argv[3]);
  const double r = std::atof(argv[4]), porosity = std::atof(argv[5]);
  const double volume = 4.0 / 3 * std::acos(-1.0) * r * r * r;
  const auto count = static_cast<long>(-std::log(porosity) / volume * double(nx) * ny * nz);
  std::mt19937_64 random(std::strtoull(argv[6], nullptr, 10));
  std::uniform_real_distribution<double> unit(0, 1);
  std::vector<std::vector<Grain>> layers(static_cast<std::size_t>(nz));  // by plane of the centre
  for (long i = 0; i < count; ++i) {
    const Grain g{unit(random) * nx, unit(random) * ny, unit(random) * nz};
    layers[std::min<std::size_t>(static_cast<std::size_t>(g.z), nz - 1)].push_back(g);
  }
  std::FILE* const file = std::fopen(argv[7], "wb");
  if (file == nullptr) return std::perror(argv[7]), 1;
  const long reach = static_cast<long>(std::ceil(r)) + 1;
  const long at_once = 64;
  std::vector<std::uint8_t> planes(static_cast<std::size_t>(nx * ny * at_once));
  double pores = 0;
  for (long first = 0; first < nz; first += at_once) {
    const long here = std::min(at_once, nz - first);
#pragma omp parallel for schedule(dynamic) reduction(+ : pores)
    for (long k = 0; k < here; ++k) {
      std::uint8_t* const plane = planes.data() + nx * ny * k;
      std::fill_n(plane, nx * ny, std::uint8_t{0});
      const double z = first + k + 0.5;
      for (long layer = first + k - reach; layer <= first + k + reach; ++layer) {
        const long wrapped = ((layer % nz) + nz) % nz;
        for (const Grain& g : layers[static_cast<std::size_t>(wrapped)]) {
          const double dz = z - (g.z + static_cast<double>(layer - wrapped));
          const double circle = r * r - dz * dz;
          if (circle <= 0) continue;
          const double radius = std::sqrt(circle);
          const long from = static_cast<long>(std::ceil(g.y - radius - 0.5)),
                     to = static_cast<long>(std::floor(g.y + radius - 0.5));
          for (long j = from; j <= to; ++j) {
            const double dy = j + 0.5 - g.y;
            mark(plane + nx * (((j % ny) + ny) % ny), nx, g.x, std::sqrt(circle - dy * dy));
          }
        }
      }
      pores += static_cast<double>(std::count(plane, plane + nx * ny, std::uint8_t{0}));
    }
    if (std::fwrite(planes.data(), 1, static_cast<std::size_t>(nx * ny * here), file) !=
        static_cast<std::size_t>(nx * ny * here)) {
      return std::perror(argv[7]), 1;
    }
  }
  std::printf("%ld grains, porosity %.5f\n", count, pores / (double(nx) * ny * nz));
  return std::fclose(file) == 0 ? 0 : 1;
}
