// SPDX-License-Identifier: Apache-2.0
#include "cases/cli/bench/bench_planes.hpp"

#include <cmath>
#include <cstring>
#include <numbers>
#include <stdexcept>

#include "cases/cli/bench/bench_case.hpp"
#include "solver/core/host_memory.hpp"

namespace lbm::cases {
namespace {

// Waves in every direction, without zero values; periodic in the planes of the pattern.
InitialState waves(int nx, int ny) {
  return [=](int y, int z, const StateRow& row) {
    const double turn = 2 * std::numbers::pi;
    const double b = turn * (y + 0.5) / ny, c = turn * (z + 0.5) / bench_pattern_planes;
    for (int x = 0; x < nx; ++x) {
      const double a = turn * (x + 0.5) / nx;
      row.ux[x] = 0.03 * std::sin(b) + 0.01 * std::cos(c);
      row.uy[x] = 0.03 * std::sin(a) + 0.01 * std::sin(c);
      row.uz[x] = 0.03 * std::cos(a) * std::sin(b);
      row.drho[x] = 0.005 * std::sin(a + b + c);
    }
  };
}

std::size_t offset(const PlaneLayout& layout, int plane) {
  return layout.bytes * static_cast<std::size_t>(plane);
}

}  // namespace

BenchPattern::BenchPattern(Backend& backend, const Lattice& lattice)
    : layout_(lattice.layout),
      storage_(lattice.storage),
      memory_(backend.allocate_staging(offset(layout_, bench_pattern_planes), "staging planes")) {
  const InitialState state = waves(layout_.nx, layout_.ny);
  for (int z = 0; z < bench_pattern_planes; ++z) {
    write_initial_plane(lattice, state, z, memory_.data() + offset(layout_, z));
  }
}

const std::byte* BenchPattern::load_from(int plane) {
  return memory_.data() + offset(layout_, plane % bench_pattern_planes);
}

std::byte* BenchPattern::store_to(int) {
  throw std::logic_error("BenchPattern: there is no lattice on the host to store to");
}

BenchArena::BenchArena(Backend& backend, std::size_t bytes)
    : memory_(backend.allocate_host(bytes, HostMemory::pinned, "the lattice")) {
  touch_host_memory(memory_.data(), memory_.size());
  attached_ = backend.attach_host(memory_.data(), memory_.size(), HostMemory::pinned);
}

void BenchArena::hold(const Lattice& lattice, BenchPattern& pattern) {
  if (lattice.layout != lattice_.layout || lattice.storage != lattice_.storage) filled_ = 0;
  lattice_ = lattice;
  if (host_bytes() > memory_.size()) {
    throw std::logic_error("BenchArena: too small for the lattice");
  }
#pragma omp parallel for
  for (int z = filled_; z < lattice.nz; ++z) {
    std::memcpy(store_to(z), pattern.load_from(z), lattice.layout.bytes);
  }
  filled_ = std::max(filled_, lattice.nz);
}

std::byte* BenchArena::store_to(int plane) {
  return memory_.data() + offset(lattice_.layout, plane);
}

}  // namespace lbm::cases
