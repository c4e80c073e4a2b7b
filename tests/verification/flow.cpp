#include "tests/verification/flow.hpp"

#include <optional>

#include "solver/lattice/storage.hpp"

namespace lbm::verification {

Faces periodic_box() {
  Faces faces;
  for (WallFace& face : faces) face.wall = false;
  return faces;
}

Flow::Flow(const Lattice& lattice, const InitialState& initial, const tiling::PlanOptions& options)
    : lattice_(lattice), options_(options), backend_(make_cpu_backend(1)) {
  store_ = options.scheme == tiling::Scheme::in_core
               ? tiling::make_initial_planes(*backend_, lattice_, initial)
               : tiling::make_host_lattice(*backend_, lattice_, initial);
  pipeline_ = std::make_unique<tiling::Pipeline>(*backend_, lattice_, boundaries_, *store_,
                                                 options_, nullptr);
}

void Flow::advance(std::int64_t steps) {
  std::int64_t left = steps;
  const auto source = [&]() -> std::optional<tiling::Sweep> {
    const int next = tiling::next_sweep_steps(left, options_.steps_per_visit);
    if (next == 0) return std::nullopt;
    left -= next;
    return tiling::Sweep{next, false, left == 0};
  };
  pipeline_->run(source, {});
  step_ += steps;
}

const std::vector<std::byte>& Flow::planes() {
  if (copied_step_ == step_) return planes_;
  const std::size_t bytes = lattice_.layout.bytes;
  planes_.resize(bytes * lattice_.nz);
  for (int z = 0; z < lattice_.nz; ++z) pipeline_->read_plane(z, planes_.data() + z * bytes);
  copied_step_ = step_;
  return planes_;
}

double Flow::population(int q, int x, int y, int z) {
  const std::byte* plane = planes().data() + z * lattice_.layout.bytes;
  return visit_storage(lattice_.storage, [&](auto storage) {
    using Storage = decltype(storage);
    const auto* values = reinterpret_cast<const typename Storage::Value*>(plane);
    return static_cast<double>(Storage::load(values[lattice_.layout.index(q, y, x)]));
  });
}

Cell Flow::cell(int x, int y, int z) {
  double g[d3q19::directions];
  for (int q = 0; q < d3q19::directions; ++q) g[q] = population(q, x, y, z);
  return moments_of(g);
}

void Flow::for_each_cell(const std::function<void(int x, int y, int z, const Cell&)>& visit) {
  for (int z = 0; z < lattice_.nz; ++z) {
    for (int y = 0; y < lattice_.layout.ny; ++y) {
      for (int x = 0; x < lattice_.layout.nx; ++x) visit(x, y, z, cell(x, y, z));
    }
  }
}

double Flow::kinetic_energy() {
  double total = 0;
  for_each_cell([&](int, int, int, const Cell& c) {
    total += c.rho * (c.ux * c.ux + c.uy * c.uy + c.uz * c.uz) / 2;
  });
  return total;
}

double Flow::mass() {
  double total = 0;
  for_each_cell([&](int, int, int, const Cell& c) { total += c.rho - 1; });
  return total;
}

}  // namespace lbm::verification
