// SPDX-License-Identifier: Apache-2.0
#include "tests/verification/support/flow.hpp"

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>

#include "solver/lattice/storage.hpp"

namespace lbm::verification {

Faces periodic_box() {
  Faces faces;
  for (WallFace& face : faces) face.wall = false;
  return faces;
}

FaceBoundaries periodic_faces() {
  FaceBoundaries faces;
  for (FaceBoundary& face : faces) face.condition.kind = BoundaryKind::periodic;
  return faces;
}

void set_faces(FaceBoundaries& faces, int axis, BoundaryKind kind) {
  faces[2 * axis].condition.kind = faces[2 * axis + 1].condition.kind = kind;
}

double larger(double a, double b) { return std::isnan(a) || a > b ? a : b; }

double order_of(double coarse, double fine, double refinement) {
  return std::log(coarse / fine) / std::log(refinement);
}

// The faces as the collision model of the problem needs them.
static FaceBoundaries faces_of(const Problem& problem) {
  FaceBoundaries faces = problem.faces;
  for (FaceBoundary& face : faces) {
    face.shifted = problem.collision.kind == CollisionKind::regularised_filtered;
  }
  return faces;
}

class Flow::LastRecord final : public tiling::RecordSink {
 public:
  void on_step(std::int64_t, std::span<const std::int64_t> record, bool) override {
    last.assign(record.begin(), record.end());
  }
  std::vector<std::int64_t> last;
};

Flow::Flow(const Lattice& lattice, Boundaries boundaries, const InitialState& initial,
           const tiling::ScheduleOptions& options)
    : lattice_(lattice),
      options_(options),
      boundaries_(std::make_unique<Boundaries>(std::move(boundaries))),
      backend_(make_cpu_backend(1)),
      record_(std::make_unique<LastRecord>()) {
  auto store = tiling::make_store(*backend_, lattice_, options.scheme,
                                  tiling::initial_planes(lattice_, initial));
  pipeline_ = std::make_unique<tiling::Pipeline>(tiling::PipelineConfig{.backend = *backend_,
                                                                        .lattice = lattice_,
                                                                        .boundaries = *boundaries_,
                                                                        .store = std::move(store),
                                                                        .options = options_,
                                                                        .records = record_.get()});
}

Flow::Flow(const Lattice& lattice, const InitialState& initial,
           const tiling::ScheduleOptions& options)
    : Flow(lattice, Boundaries(), initial, options) {}

static Lattice lattice_of(const Problem& p) {
  Lattice lattice = make_lattice(p.cells[0], p.cells[1], p.cells[2], p.storage, p.collision,
                                 faces_of(p), {p.representation, p.velocities()});
  lattice.sponge = p.sponge;
  lattice.has_moving_bodies =
      std::any_of(p.bodies.begin(), p.bodies.end(),
                  [](const BodySpec& body) { return body.moving != nullptr; });
  lattice.collision.force.by_place = std::any_of(
      p.bodies.begin(), p.bodies.end(), [](const BodySpec& body) { return body.zone != nullptr; });
  lattice.counts_heat = true;
  return p.scalars.empty() ? lattice : with_scalars(lattice, p.scalars);
}

Flow::Flow(const Problem& p, const tiling::ScheduleOptions& options)
    : Flow(lattice_of(p),
           Boundaries(p.cells[0], p.cells[1], p.cells[2], faces_of(p), p.geometry, p.bodies,
                      CellsStored::all, nullptr, p.velocities()),
           p.initial, options) {}

Flow::~Flow() = default;
Flow::Flow(Flow&&) noexcept = default;

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
  planes_.clear();
  pipeline_->read_planes([&](int, std::span<const std::byte> some) {
    planes_.insert(planes_.end(), some.begin(), some.end());
  });
  copied_step_ = step_;
  return planes_;
}

double Flow::population(int q, int x, int y, int z) {
  const std::byte* plane = planes().data() + z * lattice_.layout.bytes;
  return visit_storage(lattice_, [&](auto storage) {
    using Storage = decltype(storage);
    const auto* values = reinterpret_cast<const typename Storage::Value*>(plane);
    const auto offset = static_cast<int>(lattice_.layout.index(0, y, x));
    return double{population_at<Storage>(values, offset, lattice_.layout.pitch, q)} /
           double{Storage::scale};
  });
}

double Flow::scalar(int number, int x, int y, int z) {
  const std::byte* plane = planes().data() + z * lattice_.layout.bytes;
  return visit_storage(lattice_, [&](auto storage) {
    using Storage = decltype(storage);
    const auto* values = reinterpret_cast<const typename Storage::Value*>(plane);
    const auto offset = static_cast<int>(lattice_.layout.index(0, y, x));
    return double{scalar_of<Storage>(values + offset, lattice_.layout.pitch, number)};
  });
}

Cell Flow::cell(int x, int y, int z) {
  if (solid(x, y, z)) return {};
  const auto f = lattice_.collision.force.at(static_cast<double>(step_));
  return visit_set(lattice_.velocities, [&]<class Set>(Set) {
    double g[Set::directions];
    for (int q = 0; q < Set::directions; ++q) g[q] = population(q, x, y, z);
    const PlaneState plane{0, z, {f[0], f[1], f[2]}, 0, 0};
    return stored_moments(g, plane.force_at(boundaries_->view(), x, y, density_momentum(g)));
  });
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
    total += c.rho() * (c.ux * c.ux + c.uy * c.uy + c.uz * c.uz) / 2;
  });
  return total;
}

double Flow::mass() {
  double total = 0;
  for_each_cell([&](int, int, int, const Cell& c) { total += c.drho; });
  return total;
}

double Flow::largest_speed() {
  double largest = 0;
  for_each_cell([&](int, int, int, const Cell& c) {
    largest = larger(largest, std::sqrt(c.ux * c.ux + c.uy * c.uy + c.uz * c.uz));
  });
  return largest;
}

bool Flow::advance_until_steady(std::int64_t interval, double tolerance, std::int64_t most) {
  interval += interval & 1;
  const auto velocities = [&] {
    std::vector<double> all;
    for_each_cell([&](int, int, int, const Cell& c) { all.insert(all.end(), {c.ux, c.uy, c.uz}); });
    return all;
  };
  std::vector<double> before = velocities();
  for (const std::int64_t end = step_ + most; step_ < end;) {
    advance(interval);
    std::vector<double> now = velocities();
    double change = 0, largest = 0;
    for (std::size_t i = 0; i < now.size(); ++i) {
      change = larger(change, std::abs(now[i] - before[i]));
      largest = larger(largest, std::abs(now[i]));
    }
    if (change <= tolerance * largest) return true;
    before = std::move(now);
  }
  return false;
}

Load Flow::load(int body) const {
  Load load;
  const std::int64_t* values = record_->last.data() + flow_values + 6 * body;
  for (int a = 0; a < 3; ++a) {
    load.force[a] = fixed::to(values[a], fixed::force);
    load.torque[a] = fixed::to(values[3 + a], fixed::torque);
  }
  return load;
}

double Flow::heat(int body, int scalar) const {
  const int at = first_heat_value(boundaries_->bodies()) + lattice_.scalar_count() * body + scalar;
  return fixed::to(record_->last[static_cast<std::size_t>(at)], fixed::heat);
}

bool Flow::solid(int x, int y, int z) const { return boundaries_->view().is_solid(x, y, z); }

std::int64_t Flow::fluid_cells() const {
  return std::int64_t{lattice_.layout.nx} * lattice_.layout.ny * lattice_.nz -
         boundaries_->solid_cells();
}

}  // namespace lbm::verification
