// SPDX-License-Identifier: Apache-2.0

// Runs a lattice through the pipeline and returns every stored value: for tests that compare
// runs bit for bit.
#pragma once

#include <fmt/core.h>

#include <cmath>
#include <cstring>
#include <memory>
#include <random>
#include <vector>

#include "solver/lattice/storage.hpp"
#include "tests/solver/update/cell_solids.hpp"
#include "tiling/pipeline/pipeline.hpp"

namespace lbm::tiling::test {

// A flow with structure in every cell and direction, different for every seed.
inline InitialState rough_flow(int nx, int ny, int nz, unsigned seed) {
  return [=](int y, int z, const StateRow& row) {
    std::mt19937 random(seed + static_cast<unsigned>(z * ny + y));
    std::uniform_real_distribution<double> noise(-0.01, 0.01);
    for (int x = 0; x < nx; ++x) {
      row.drho[x] = noise(random);
      row.ux[x] = 0.04 * std::sin(6.2832 * (y + 0.5) / ny) + noise(random);
      row.uy[x] = 0.04 * std::sin(6.2832 * (z + 0.5) / nz) + noise(random);
      row.uz[x] = 0.04 * std::sin(6.2832 * (x + 0.5) / nx) + noise(random);
      for (const std::span<double> scalar : row.scalars) {
        if (!scalar.empty()) scalar[static_cast<std::size_t>(x)] = 20 * noise(random);
      }
    }
  };
}

// A sphere of solid cells in the lower half, body 0, and some scattered ones that touch faces.
inline int some_body(int nx, int ny, int nz, int x, int y, int z) {
  const double dx = x - nx / 2.0, dy = y - ny / 2.0, dz = z - nz / 3.0;
  if (dx * dx + dy * dy + dz * dz < nx * nx / 36.0) return 1;
  return x == 0 && y == ny / 2 && z > nz / 2 ? 2 : 0;
}

inline Boundaries some_solids(int nx, int ny, int nz, const FaceBoundaries& faces,
                              std::span<const BodySpec> bodies, const ForceField* force = nullptr,
                              VelocitySet velocities = VelocitySet::D3Q19) {
  const lbm::test::CellSolids solids(
      nx, ny, nz, [=](int x, int y, int z) { return some_body(nx, ny, nz, x, y, z); });
  return {nx, ny, nz, faces, &solids, bodies, CellsStored::all, force, velocities};
}

// Keeps all records.
class Records final : public RecordSink {
 public:
  // In grids of any size: boxes may go around them.
  std::vector<FieldBox> boxes() const override {
    return {{{2, 3, 1}, {5, 4, 3}}, {{0, 0, 0}, {33, 8, 64}}};
  }
  void on_step(std::int64_t step, std::span<const std::int64_t> record, bool sampled) override {
    steps.push_back(step);
    // Records that were not sampled have no flow values.
    all.insert(all.end(), record.begin() + flow_values, record.end());
    if (!sampled) return;
    last_sample.assign(record.begin(), record.begin() + flow_values);
    const auto sums =
        record.last(static_cast<std::size_t>(box_values_with(scalars)) * boxes().size());
    last_sums.assign(sums.begin(), sums.end());
  }
  bool operator==(const Records& o) const {
    return steps == o.steps && all == o.all && last_sample == o.last_sample;
  }

  int scalars = 0;  // of the lattice
  std::vector<std::int64_t> steps, all, last_sample, last_sums;
};

struct State {
  Lattice lattice;
  std::vector<std::byte> planes;  // nz planes

  // The stored value of a cell, as double.
  double value(int q, int x, int y, int z) const {
    return visit_storage(lattice, [&](auto storage) {
      using Storage = decltype(storage);
      const auto* plane = reinterpret_cast<const typename Storage::Value*>(
          planes.data() + static_cast<std::size_t>(z) * lattice.layout.bytes);
      return static_cast<double>(Storage::load(plane[lattice.layout.index(q, y, x)]));
    });
  }

  // Density - 1 and momentum of a cell.
  Sums<double> sums(int x, int y, int z) const {
    return visit_storage(lattice, [&](auto storage) {
      return decltype(storage)::density_momentum([&](int i) { return value(i, x, y, z); });
    });
  }

  // True if all cells hold the same bits (padding may differ).
  bool same_cells(const State& other) const {
    const PlaneLayout& layout = lattice.layout;
    const std::size_t value = bytes_per_value(lattice.storage);
    for (int z = 0; z < lattice.nz; ++z) {
      for (int q = 0; q < layout.values_per_cell; ++q) {
        for (int y = 0; y < layout.ny; ++y) {
          const std::size_t at = static_cast<std::size_t>(z) * layout.bytes +
                                 static_cast<std::size_t>(layout.index(q, y, 0)) * value;
          if (std::memcmp(planes.data() + at, other.planes.data() + at, layout.nx * value) != 0) {
            return false;
          }
        }
      }
    }
    return true;
  }

  // For messages: how many cells differ, and the first of them.
  std::string differences(const State& other) const {
    std::size_t cells = 0;
    std::string first;
    for (int z = 0; z < lattice.nz; ++z) {
      for (int y = 0; y < lattice.layout.ny; ++y) {
        for (int x = 0; x < lattice.layout.nx; ++x) {
          for (int q = 0; q < lattice.layout.values_per_cell; ++q) {
            const double here = value(q, x, y, z), there = other.value(q, x, y, z);
            if (here == there) continue;
            if (cells++ == 0) {
              first =
                  fmt::format("value {} of [{}, {}, {}] is {}, not {}", q, x, y, z, here, there);
            }
            break;
          }
        }
      }
    }
    return fmt::format("{} cells differ; {}", cells, first);
  }

  // Largest difference over all cells and directions; NaN if any value is NaN.
  double largest_difference(const State& other) const {
    double largest = 0;
    for (int z = 0; z < lattice.nz; ++z) {
      for (int q = 0; q < lattice.layout.values_per_cell; ++q) {
        for (int y = 0; y < lattice.layout.ny; ++y) {
          for (int x = 0; x < lattice.layout.nx; ++x) {
            const double d = std::abs(value(q, x, y, z) - other.value(q, x, y, z));
            if (!(d <= largest)) largest = d;
            if (std::isnan(largest)) return largest;
          }
        }
      }
    }
    return largest;
  }
};

inline State run_lattice(Backend& backend, const Lattice& lattice, const Boundaries& boundaries,
                         const InitialState& initial, const ScheduleOptions& options,
                         std::int64_t steps, FieldSink* sink = nullptr,
                         HostMemory memory = HostMemory::pinned,
                         std::uint64_t staging_limit = default_staging_limit,
                         RecordSink* records = nullptr) {
  auto store = make_store(backend, lattice, options.scheme,
                          initial_planes(lattice, initial, &boundaries), memory);
  Pipeline pipeline({.backend = backend,
                     .lattice = lattice,
                     .boundaries = boundaries,
                     .store = std::move(store),
                     .options = options,
                     .fields = sink,
                     .records = records,
                     .staging_limit = staging_limit});
  std::int64_t left = steps;
  pipeline.run(
      [&]() -> std::optional<Sweep> {
        const int next = next_sweep_steps(left, options.steps_per_visit);
        left -= next;
        if (next == 0) return std::nullopt;
        return Sweep{next, left == 0 && sink != nullptr, left == 0, {}, left == 0};
      },
      {});
  State state{lattice, {}};
  pipeline.read_planes([&](int, std::span<const std::byte> planes) {
    state.planes.insert(state.planes.end(), planes.begin(), planes.end());
  });
  return state;
}

}  // namespace lbm::tiling::test
