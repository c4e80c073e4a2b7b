// SPDX-License-Identifier: Apache-2.0

// Scalars (solver/update/scalar_cells.hpp), from lattice to lattice: one step against the
// definition, cell by cell, and the limit of their values.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "solver/core/error.hpp"
#include "tests/tiling/pipeline/domains.hpp"

namespace lbm::tiling::test {
namespace {

constexpr Size size{21, 10, 9};

State after(const Domain& domain, int steps) {
  const auto backend = make_cpu_backend(1);
  return run_lattice(*backend, domain.lattice, domain.boundaries,
                     rough_flow(size.nx, size.ny, size.nz, 3), {Scheme::in_core, 1, 4}, steps);
}

// A stored value of scalar s: 0 the scalar, 1 to 3 its flux.
double stored(const State& state, int s, int value, const std::array<int, 3>& at) {
  const int first = flow_values_of(state.lattice.cell_values()) + values_per_scalar * s;
  return state.value(first + value, at[0], at[1], at[2]);
}

double population(const State& state, int s, int q, const std::array<int, 3>& at) {
  const int axis = (q - 1) / 2, sign = q % 2 == 1 ? 1 : -1;
  return (stored(state, s, 0, at) + 4 * sign * stored(state, s, 1 + axis, at)) / 8;
}

// The population that enters a cell without solid neighbours in the step to `after`.
double entering(const State& before, int s, int q, const std::array<int, 3>& at, int after = 1) {
  const int n[3] = {size.nx, size.ny, size.nz}, axis = (q - 1) / 2;
  std::array<int, 3> from = at;
  from[axis] += q % 2 == 1 ? -1 : 1;
  if (from[axis] >= 0 && from[axis] < n[axis]) return population(before, s, q, from);
  const ScalarSpec& spec = before.lattice.scalars[s];
  const std::int64_t cell = face_index(q - 1, size.nx, size.ny, at[0], at[1], at[2]);
  const int patch = spec.patches[q - 1].empty() ? 0 : patch_number(cell);
  const ScalarFace& face = patch == 0 ? spec.faces[q - 1] : spec.patches[q - 1][patch - 1];
  const double out = population(before, s, q % 2 == 1 ? q + 1 : q - 1, at);
  double value = face.value;
  if (face.function != nullptr) value += face.function->at(after - 0.5);
  if (face.by_place && spec.face_functions[q - 1] != nullptr) {
    value += Travelling::value(after - 0.5, axis == 2 ? at[1] : at[2], axis == 0 ? at[1] : at[0]);
  } else if (face.by_place) {
    value += scalar_value(s, cell);
  }
  switch (face.kind) {
    case ScalarBoundary::periodic:
      from[axis] = (from[axis] + n[axis]) % n[axis];
      return population(before, s, q, from);
    case ScalarBoundary::value:
      return value / 4 - out;
    case ScalarBoundary::flux:
      return out + value;
    case ScalarBoundary::convection:  // 4 (in + out) is the scalar at the face
      return (out + face.coefficient * (value - 4 * out)) / (1 + 4 * face.coefficient);
    case ScalarBoundary::open:
      return population(before, s, q, at);
    case ScalarBoundary::no_flux:
      break;
  }
  return out;
}

// The flux along an axis of a scalar between bounds: populations of what is above the lower one and
// below the upper one are not negative.
double cut(const ScalarSpec& spec, double value, double u, double flux) {
  if (!spec.bounds) return flux;
  const auto [low, high] = *spec.bounds;
  const double above = std::max(value - low, 0.0) / 4, below = std::max(high - value, 0.0) / 4;
  const double least = std::max(low * u - above, high * u - below);
  const double most = std::min(low * u + above, high * u + below);
  return std::min(std::max(flux, least), most);
}

// The eddy viscosity of the collision of a cell without neighbours beyond faces: of the populations
// of D3Q19 that stream in (Hou, Sterling, Chen & Doolen 1996).
double eddy_viscosity(const State& before, const std::array<int, 3>& at) {
  const CollisionSpec& spec = before.lattice.collision;
  if (spec.smagorinsky == 0) return 0;
  const std::array<int, 3> n{size.nx, size.ny, size.nz};
  const auto force = spec.force.at(1);
  double rho = 1, j[3] = {}, p[3][3] = {};
  for (int q = 0; q < D3Q19::directions; ++q) {
    const auto& c = direction(q).c;
    std::array<int, 3> from;
    for (int a = 0; a < 3; ++a) from[a] = (at[a] - c[a] + n[a]) % n[a];
    const auto stored_flow = [&](int i) { return before.value(i, from[0], from[1], from[2]); };
    const bool moments = before.lattice.representation == Representation::moments;
    const double g = moments ? AsMoments<Fp64>::population(q, stored_flow) : stored_flow(q);
    rho += g;
    for (int a = 0; a < 3; ++a) {
      j[a] += c[a] * g;
      for (int b = 0; b < 3; ++b) p[a][b] += c[a] * c[b] * g;
    }
  }
  double squares = 0;
  for (int a = 0; a < 3; ++a) {
    for (int b = 0; b < 3; ++b) {
      const double u[2] = {(j[a] + force[a] / 2) / rho, (j[b] + force[b] / 2) / rho};
      p[a][b] += (u[0] * force[b] + u[1] * force[a]) / 2 - rho * u[0] * u[1];
      if (a == b) p[a][b] -= (rho - 1) / 3;
      squares += p[a][b] * p[a][b];
    }
  }
  const double tau = 1 / spec.omega, factor = 18 * std::sqrt(2.0) * std::pow(spec.smagorinsky, 2);
  const double total = (tau + std::sqrt(tau * tau + factor * std::sqrt(squares) / rho)) / 2;
  return (total - tau) / 3;
}

void expect_definition(const Domain& domain) {
  const State before = after(domain, 0), now = after(domain, 1);
  const auto& scalars = domain.lattice.scalars;
  const int cells = size.nx * size.ny * size.nz;
  int bounded = 0;  // cells whose tau is that of their velocity
  int cut_fluxes = 0;
  double most_eddies = 0;
  for (int cell = 0; cell < cells; ++cell) {
    const std::array<int, 3> at{cell % size.nx, cell / size.nx % size.ny, cell / size.nx / size.ny};
    const auto sums = now.sums(at[0], at[1], at[2]);
    std::vector<std::array<double, 4>> streamed;
    double push[3] = {};
    for (int s = 0; s < domain.lattice.scalar_count(); ++s) {
      auto& sum = streamed.emplace_back();
      sum[0] = stored(before, s, 0, at) / 4;
      for (int q = 1; q <= 6; ++q) {
        const double f = entering(before, s, q, at);
        sum[0] += f;
        sum[1 + (q - 1) / 2] += q % 2 == 1 ? f : -f;
      }
      for (int a = 0; a < 3; ++a) push[a] += scalars[s].buoyancy[a] * sum[0];
    }
    const auto force = now.lattice.collision.force.at(1);
    const double j[3] = {sums.jx - force[0] / 2, sums.jy - force[1] / 2, sums.jz - force[2] / 2};
    const double eddies = eddy_viscosity(before, at);
    most_eddies = std::max(most_eddies, eddies);
    for (int s = 0; s < domain.lattice.scalar_count(); ++s) {
      const ScalarSpec& spec = scalars[s];
      const double value = streamed[s][0] + spec.source;
      ASSERT_NEAR(stored(now, s, 0, at), value, 1e-14) << s << " cell " << cell;
      const double change = streamed[s][0] - stored(before, s, 0, at);
      double u[3], square = 0;
      for (int a = 0; a < 3; ++a) {
        u[a] = j[a] - push[a] / 2;  // the reference density is 1
        square += u[a] * u[a];
      }
      const double given = 1 / spec.omega + 4 * eddies / spec.turbulent_prandtl;
      const double tau = std::max(given, 0.5 + 1.65 * square), omega = 1 / tau;
      bounded += tau > given ? 1 : 0;
      for (int a = 0; a < 3; ++a) {
        const double flux = streamed[s][1 + a];
        const double next = flux + omega * (value * u[a] - flux) + (1 - omega / 2) * change * u[a];
        const double kept = cut(spec, value, u[a], next);
        cut_fluxes += kept != next ? 1 : 0;
        ASSERT_NEAR(stored(now, s, 1 + a, at), kept, 1e-14) << s << " cell " << cell;
      }
    }
  }
  const bool turbulent = domain.lattice.collision.smagorinsky > 0;
  EXPECT_GT(bounded, turbulent ? 0 : cells / 10);
  EXPECT_LT(bounded, cells);
  EXPECT_GT(cut_fluxes, cells / 10);
  EXPECT_EQ(most_eddies > 1e-3, turbulent);
}

TEST(ScalarStep, IsThatOfItsDefinition) {
  expect_definition(heat_between_walls(size, StorageType::fp64, std::nullopt));
}

TEST(ScalarStep, IsTheSameBesideMoments) {
  expect_definition(heat_between_walls(size, StorageType::fp64,
                                       Model{CollisionKind::regularised, Representation::moments}));
}

TEST(ScalarStep, HasPatchesAndValuesByPlaceAndTimeAtFaces) {
  const Domain domain = one_heat_by_place_and_time(size, StorageType::fp64, std::nullopt);
  constexpr int step = 7;
  const State before = after(domain, step - 1), now = after(domain, step);
  for (int cell = 0; cell < size.nx * size.ny * size.nz; ++cell) {
    const std::array<int, 3> at{cell % size.nx, cell / size.nx % size.ny, cell / size.nx / size.ny};
    double sum = stored(before, 0, 0, at) / 4;
    for (int q = 1; q <= 6; ++q) sum += entering(before, 0, q, at, step);
    ASSERT_NEAR(stored(now, 0, 0, at), sum, 1e-14) << "cell " << cell;
  }
}

// nu_t / Pr_t of each cell is that of the collision of its flow in the same step.
TEST(ScalarStep, HasTheEddiesOfItsFlow) {
  for (const Model& model :
       {Model{CollisionKind::bgk}, Model{CollisionKind::trt}, Model{CollisionKind::regularised},
        Model{CollisionKind::regularised, Representation::moments}}) {
    Domain domain = periodic(size, StorageType::fp64, model);
    domain.lattice.collision.smagorinsky = 0.2;
    domain.lattice.collision.force.mean = {1e-3, -2e-3, 5e-4};
    auto scalars = heat_between_walls(size, StorageType::fp64, std::nullopt).lattice.scalars;
    for (ScalarSpec& scalar : scalars) scalar.faces = {};
    scalars[1].turbulent_prandtl = 0.5;
    domain.lattice = with_scalars(domain.lattice, scalars);
    expect_definition(domain);
  }
}

TEST(Scalars, HaveTheFacesOfTheirFlow) {
  const Domain closed = walls(size, StorageType::fp32, std::nullopt);
  EXPECT_THROW(with_scalars(closed.lattice, {ScalarSpec{}}), std::invalid_argument);
  const Domain open = periodic(size, StorageType::fp32, std::nullopt);
  ScalarSpec scalar;
  EXPECT_NO_THROW(with_scalars(open.lattice, {scalar}));
  scalar.bodies = {{most_holding_bodies, 1.0}};
  EXPECT_THROW(with_scalars(open.lattice, {scalar}), std::invalid_argument);
  ScalarSpec patched = heat_between_walls(size, StorageType::fp32, std::nullopt).lattice.scalars[0];
  patched.patches[2].assign(most_scalar_patches, {ScalarBoundary::no_flux});
  EXPECT_NO_THROW(with_scalars(closed.lattice, {patched}));
  EXPECT_THROW(with_scalars(closed.lattice, {patched, patched}), std::invalid_argument);
  patched.patches[2] = {{ScalarBoundary::periodic}};
  EXPECT_THROW(with_scalars(closed.lattice, {patched}), std::invalid_argument);
  patched.patches[2].clear();
  patched.face_functions[2] = std::make_shared<Travelling>();
  EXPECT_THROW(with_scalars(closed.lattice, {patched}), std::invalid_argument);
}

TEST(Scalars, NeedThePatchesOfTheirFaces) {
  Domain domain = one_heat_by_place_and_time(size, StorageType::fp32, std::nullopt);
  EXPECT_NO_THROW(after(domain, 1));
  domain.lattice.scalars[0].patches[1] = {{ScalarBoundary::no_flux}};
  EXPECT_THROW(after(domain, 1), std::invalid_argument);
}

// The stress after a collision near tau = 1 does not tell the eddies.
TEST(Scalars, HaveNoEddiesInViscousFlows) {
  Domain open = periodic(size, StorageType::fp32, std::nullopt);
  open.lattice.collision.omega = 1 / 0.91;
  EXPECT_NO_THROW(with_scalars(open.lattice, {ScalarSpec{}}));
  open.lattice.collision.smagorinsky = 0.1;
  EXPECT_THROW(with_scalars(open.lattice, {ScalarSpec{}}), std::invalid_argument);
}

TEST(Scalars, AreRefusedBesideSurfacesThatMove) {
  Domain domain = heat_around_solids(size, StorageType::fp32, std::nullopt);
  const auto run = [&] {
    const auto backend = make_cpu_backend(1);
    run_lattice(*backend, domain.lattice, domain.boundaries, {}, {Scheme::in_core, 1, 4}, 1);
  };
  EXPECT_NO_THROW(run());
  BodySpec bodies[2];
  bodies[1].motion.velocity[0] = 0.01;
  domain.boundaries = drop_around(size, StorageType::fp32, std::nullopt, bodies).boundaries;
  EXPECT_THROW(run(), std::invalid_argument);
}

TEST(Scalars, BeyondTheirLimitEndTheRun) {
  Domain domain = heat_between_walls(size, StorageType::fp32, std::nullopt);
  domain.lattice.scalars[1].source = 600;
  Records records;
  const auto run = [&](int steps) {
    const auto backend = make_cpu_backend(1);
    run_lattice(*backend, domain.lattice, domain.boundaries, {}, {Scheme::in_core, 1, 4}, steps,
                nullptr, HostMemory::pinned, default_staging_limit, &records);
  };
  EXPECT_NO_THROW(run(1));
  EXPECT_THROW(run(2), DivergedError);
}

}  // namespace
}  // namespace lbm::tiling::test
