// SPDX-License-Identifier: Apache-2.0

// Only fluid cells are stored: the same bits as with all cells, for every schedule, boundary
// condition, collision, scalar and storage type.
#include <gtest/gtest.h>

#include <functional>

#include "tests/tiling/pipeline/domains.hpp"
#include "tests/tiling/pipeline/run_slabs.hpp"
#ifdef LBM_HAVE_EMULATED_GPU
#include "tests/solver/backend/emulation/emulated_backend.hpp"
#endif

namespace lbm::tiling::test {
namespace {

constexpr int steps = 9;

// A medium of single solid cells, 1 + body 0, with an opening in the middle and a plane without
// solid cells; a sphere, 1 + body 1.
int rock_body(const Size& n, int x, int y, int z) {
  const double dx = x - n.nx / 2.0, dy = y - n.ny / 2.0, dz = z - n.nz / 2.0;
  if (dx * dx + dy * dy + dz * dz < 9) return 2;
  if (z == n.nz / 4 || (std::abs(dx) < 3 && std::abs(dy) < 4)) return 0;
  const auto mixed = static_cast<unsigned>((z * n.ny + y) * n.nx + x + 1) * 2654435761U;
  return (mixed >> 16) % 10 < 6 ? 1 : 0;
}

// A problem, to be stored with all cells or with only the fluid cells.
struct Medium {
  Size n;
  StorageType storage;
  CollisionSpec collision;
  Representation representation = Representation::populations;
  FaceBoundaries faces;
  BodySpec sphere;
  std::vector<ScalarSpec> scalars = {};

  // The numbers of bodies that hold a scalar are those with all bodies listed.
  bool must_list() const {
    return std::any_of(scalars.begin(), scalars.end(),
                       [](const ScalarSpec& scalar) { return !scalar.bodies.empty(); });
  }
  Domain make(CellsStored stored, bool listed) const {
    const lbm::test::CellSolids solids(
        n.nx, n.ny, n.nz, [n = n](int x, int y, int z) { return rock_body(n, x, y, z); });
    const BodySpec bodies[2] = {{{}, false, listed || must_list()}, sphere};
    Domain domain{
        with_scalars(make_lattice(n.nx, n.ny, n.nz, storage, collision, faces, representation),
                     scalars),
        Boundaries(n.nx, n.ny, n.nz, faces, &solids, bodies, stored)};
    domain.lattice.counts_heat = must_list();
    if (stored == CellsStored::fluid) {
      domain.lattice = with_fluid_planes(domain.lattice, domain.boundaries.fluid_cells());
    }
    return domain;
  }
};

// The bytes of all fluid cells, one cell after the other.
std::vector<std::byte> fluid_values(const State& state, const Boundaries& boundaries) {
  const BoundaryView view = boundaries.view();
  const PlaneLayout& layout = state.lattice.layout;
  const std::size_t value = bytes_per_value(state.lattice.storage);
  std::vector<std::byte> values;
  for (int z = 0; z < state.lattice.nz; ++z) {
    const std::byte* plane = state.planes.data() + static_cast<std::size_t>(z) * layout.bytes;
    for (int y = 0; y < layout.ny; ++y) {
      for (int x = 0; x < layout.nx; ++x) {
        if (view.is_solid(x, y, z)) continue;
        const auto place = layout.fluid_only
                               ? layout.fluid_offset(view.fluid_plane(z).number_of(x, y))
                               : layout.index(0, y, x);
        for (int v = 0; v < layout.values_per_cell; ++v) {
          const std::byte* at =
              plane + static_cast<std::size_t>(place + std::int64_t{v} * layout.pitch) * value;
          values.insert(values.end(), at, at + value);
        }
      }
    }
  }
  return values;
}

std::size_t first_difference(const std::vector<std::byte>& a, const std::vector<std::byte>& b) {
  return static_cast<std::size_t>(std::mismatch(a.begin(), a.end(), b.begin(), b.end()).first -
                                  a.begin());
}

CollisionSpec trt() {
  CollisionSpec spec;
  spec.kind = CollisionKind::trt;
  spec.omega = 1 / 0.8;
  spec.force = {{1e-5, 0, 2e-5}, {}, 0, {}};
  return spec;
}

using lbm::test::face_specs;

Medium periodic_rock(const Size& n, StorageType storage) {
  return {n, storage, trt(), {}, face_specs(all_periodic), {{}, false}};
}
// Pressure at both ends, a lid, free slip opposite a wall.
Medium rock_between_pressures(const Size& n, StorageType storage) {
  Medium medium = periodic_rock(n, storage);
  medium.faces =
      face_specs({BoundaryKind::slip, BoundaryKind::wall, BoundaryKind::wall,
                  BoundaryKind::velocity, BoundaryKind::pressure, BoundaryKind::pressure});
  medium.faces[3].condition.velocity = {0.02, 0, 0.01};
  medium.faces[4].condition.drho = 0.002;
  medium.collision.kind = CollisionKind::bgk;
  return medium;
}
// A stream from an inlet to an outflow along free slip, around a sphere that turns.
Medium rock_in_stream(const Size& n, StorageType storage) {
  Medium medium = periodic_rock(n, storage);
  medium.faces =
      face_specs({BoundaryKind::slip, BoundaryKind::slip, BoundaryKind::periodic,
                  BoundaryKind::periodic, BoundaryKind::velocity, BoundaryKind::outflow});
  medium.faces[4].condition.velocity = {0, 0.005, 0.02};
  medium.faces[4].condition.factor = {TimeFactor::Kind::ramp, 30};
  medium.sphere = {{{}, {0, 0.004, 0.001}, {n.nx / 2.0, n.ny / 2.0, n.nz / 2.0}, true}, true};
  medium.collision.smagorinsky = 0.1;
  return medium;
}
Medium rock_with_drop(const Size& n, StorageType storage) {
  Medium medium = periodic_rock(n, storage);
  medium.faces = face_specs({BoundaryKind::periodic, BoundaryKind::periodic, BoundaryKind::slip,
                             BoundaryKind::wall, BoundaryKind::periodic, BoundaryKind::periodic});
  medium.faces[0].density_drop = medium.faces[1].density_drop = 0.002;
  medium.faces[4].density_drop = medium.faces[5].density_drop = 0.003;
  medium.sphere.motion.multireflection = 0.6;
  return medium;
}
Medium rock_in_far_fields(const Size& n, StorageType storage) {
  Medium medium = periodic_rock(n, storage);
  medium.faces =
      face_specs({BoundaryKind::far_field, BoundaryKind::far_field, BoundaryKind::slip,
                  BoundaryKind::far_field, BoundaryKind::far_field, BoundaryKind::outflow});
  for (FaceBoundary& face : medium.faces) face.condition.velocity = {0.01, 0.002, 0.03};
  return medium;
}
Medium moments_in_rock(const Size& n, StorageType storage) {
  Medium medium = rock_between_pressures(n, storage);
  medium.collision.kind = CollisionKind::regularised;
  medium.representation = Representation::moments;
  return medium;
}
Medium filtered_moments_in_rock(const Size& n, StorageType storage) {
  Medium medium = periodic_rock(n, storage);
  medium.collision.kind = CollisionKind::regularised_filtered;
  medium.representation = Representation::moments;
  return medium;
}

// A buoyant scalar and one with bounds, of eddies, between faces of all kinds.
Medium heat_in_rock(const Size& n, StorageType storage) {
  using enum ScalarBoundary;
  Medium medium = rock_between_pressures(n, storage);
  medium.collision.smagorinsky = 0.15;
  ScalarSpec heat;
  heat.omega = 1.98;
  heat.buoyancy = {1e-5, 0, 2e-4};
  heat.source = 1e-6;
  heat.faces = {
      {{convection, 0.2, 0.1}, {flux, 1e-3}, {no_flux}, {value, -0.5}, {value, 0.5}, {open}}};
  ScalarSpec dye;
  dye.bounds = {0, 1};
  dye.faces = {{{no_flux}, {no_flux}, {no_flux}, {open}, {value, 1}, {open}}};
  medium.scalars = {heat, dye};
  return medium;
}
Medium heat_of_moments_in_rock(const Size& n, StorageType storage) {
  Medium medium = heat_in_rock(n, storage);
  medium.collision.kind = CollisionKind::regularised;
  medium.representation = Representation::moments;
  return medium;
}
// Gradients, one of a buoyant scalar, in a flow that a force drives.
Medium solutes_in_rock(const Size& n, StorageType storage) {
  Medium medium = periodic_rock(n, storage);
  ScalarSpec solute;
  solute.omega = 1.3;
  solute.gradient = {0.01, 0, -0.02};
  solute.source = 1e-5;
  ScalarSpec salt = solute;
  salt.buoyancy = {0, 1e-4, 1e-5};
  salt.gradient = {0, 0.01, 0};
  medium.scalars = {solute, salt};
  return medium;
}
// Grains and a sphere, whose walls are no staircase, hold a value each, and give heat.
Medium warm_grains(const Size& n, StorageType storage) {
  Medium medium = rock_with_drop(n, storage);
  medium.sphere = {{}, true};
  ScalarSpec heat;
  heat.omega = 1.7;
  heat.faces[2] = {ScalarBoundary::value, -0.3};
  heat.faces[3] = {ScalarBoundary::no_flux};
  heat.bodies = {{0, 0.7}, {1, 0.4}};
  medium.scalars = {heat};
  return medium;
}

struct NamedMedium {
  const char* name;
  Medium (*make)(const Size&, StorageType);
};

const NamedMedium media[] = {{"periodic", periodic_rock},
                             {"pressures", rock_between_pressures},
                             {"stream", rock_in_stream},
                             {"drop", rock_with_drop},
                             {"far_fields", rock_in_far_fields},
                             {"moments", moments_in_rock},
                             {"filtered_moments", filtered_moments_in_rock},
                             {"heat", heat_in_rock},
                             {"heat_of_moments", heat_of_moments_in_rock},
                             {"solutes", solutes_in_rock},
                             {"warm_grains", warm_grains}};

enum class Device { cpu, emulated, cuda };

struct Rock {
  Device device;
  StorageType storage;
  NamedMedium medium;

  friend void PrintTo(const Rock& v, std::ostream* out) { *out << v.medium.name; }
};

// LBM_HAVE_EMULATED_GPU: not in a program for another machine.
std::vector<Rock> all_variants() {
  std::vector<Rock> all;
  for (const Device device : {Device::cpu, Device::emulated, Device::cuda}) {
#ifndef LBM_HAVE_EMULATED_GPU
    if (device == Device::emulated) continue;
#endif
    for (const StorageType storage : {StorageType::fp32, StorageType::fp16, StorageType::fp64}) {
      for (const NamedMedium& medium : media) all.push_back({device, storage, medium});
    }
  }
  return all;
}

class FluidPlanes : public testing::TestWithParam<Rock> {
 protected:
  void SetUp() override {
    if (GetParam().device == Device::cuda && cuda_device_count() == 0) {
      GTEST_SKIP() << "no GPU on this machine";
    }
  }
  static std::unique_ptr<Backend> backend() {
    switch (GetParam().device) {
      case Device::cuda:
        return make_cuda_backend();
      case Device::emulated:
#ifdef LBM_HAVE_EMULATED_GPU
        return lbm::test::make_emulated_backend();
#endif
      case Device::cpu:
        break;
    }
    return make_cpu_backend(1);
  }
  static State run(const Domain& domain, const ScheduleOptions& options, Records& records) {
    const PlaneLayout& layout = domain.lattice.layout;
    records.scalars = domain.lattice.scalar_count();
    return run_lattice(*backend(), domain.lattice, domain.boundaries,
                       rough_flow(layout.nx, layout.ny, domain.lattice.nz, 7), options, steps,
                       nullptr, HostMemory::pinned, default_staging_limit, &records);
  }
};

constexpr ScheduleOptions plain{Scheme::in_core, 1, 4};

TEST_P(FluidPlanes, HoldTheSameBitsAsAllCells) {
  const bool slow = GetParam().device == Device::emulated;
  // Rows of one word, of two, and of whole words.
  std::vector<Size> sizes{{45, 12, 10}};
  if (!slow) sizes.insert(sizes.end(), {{23, 11, 13}, {64, 9, 12}});
  for (const Size& n : sizes) {
    const Medium medium = GetParam().medium.make(n, GetParam().storage);
    Records expected_records;
    const Domain all = medium.make(CellsStored::all, true);
    const State expected = run(all, plain, expected_records);
    const auto values = fluid_values(expected, all.boundaries);
    for (const bool listed : {false, true}) {
      const Domain fluid = medium.make(CellsStored::fluid, listed);
      ASSERT_LT(fluid.lattice.bytes(), all.lattice.bytes());
      std::vector<ScheduleOptions> schedules{plain};
      if (!listed && slow) schedules.push_back({Scheme::wavefront, 3, 2});
      if (!listed && !slow) {
        schedules.insert(schedules.end(), {{Scheme::wavefront, 3, 2},
                                           {Scheme::wavefront, 9, 4},
                                           {Scheme::halo, 4, 5},
                                           {Scheme::in_core, 4, 3, 1, 2}});
      }
      std::vector<std::byte> planes;  // of the first schedule, padding included
      for (const ScheduleOptions& options : schedules) {
        Records records;
        const State state = run(fluid, options, records);
        if (planes.empty()) planes = state.planes;
        EXPECT_TRUE(state.planes == planes) << to_string(options.scheme);
        const auto found = fluid_values(state, fluid.boundaries);
        ASSERT_EQ(found.size(), values.size());
        EXPECT_EQ(first_difference(found, values), values.size())
            << to_string(options.scheme) << " k=" << options.steps_per_visit << " nx=" << n.nx
            << " listed=" << listed;
        EXPECT_EQ(records.last_sample, expected_records.last_sample);
        EXPECT_EQ(records.last_sums, expected_records.last_sums);
        if (listed) {
          EXPECT_TRUE(records == expected_records) << "forces and heat";
        }
      }
    }
  }
}

TEST_P(FluidPlanes, HoldTheSameBitsInSlabs) {
  if (GetParam().device == Device::emulated) GTEST_SKIP() << "slow, and the schedules are the same";
  const Size n{37, 9, 23};
  const Medium medium = GetParam().medium.make(n, GetParam().storage);
  Records of_one, of_slabs;
  const Domain fluid = medium.make(CellsStored::fluid, false);
  const State expected = run(fluid, plain, of_one);
  for (const Scheme scheme : {Scheme::in_core, Scheme::wavefront}) {
    const State state = run_slabs(backend, fluid, rough_flow(n.nx, n.ny, n.nz, 7), {scheme, 4, 5},
                                  steps, {9, 14}, of_slabs);
    EXPECT_EQ(fluid_values(state, fluid.boundaries), fluid_values(expected, fluid.boundaries));
    EXPECT_TRUE(of_slabs == of_one) << "forces";
  }
}

std::string name_of_variant(const testing::TestParamInfo<Rock>& test) {
  const char* const devices[] = {"cpu", "emulated", "cuda"};
  return fmt::format("{}_{}_{}", devices[static_cast<int>(test.param.device)],
                     to_string(test.param.storage), test.param.medium.name);
}

INSTANTIATE_TEST_SUITE_P(Media, FluidPlanes, testing::ValuesIn(all_variants()), name_of_variant);

TEST(MemoryOfFluidPlanes, IsThatOfTheFluid) {
  const Medium medium = periodic_rock({256, 64, 32}, StorageType::fp32);
  const Domain all = medium.make(CellsStored::all, true);
  const Domain fluid = medium.make(CellsStored::fluid, false);
  const double share = fluid.lattice.stored_share;
  const auto backend = make_cpu_backend(1);
  const auto store = make_store(*backend, fluid.lattice, Scheme::wavefront, {});
  EXPECT_EQ(store->host_bytes(), fluid.lattice.bytes());
  const double bytes = static_cast<double>(fluid.lattice.bytes() + fluid.boundaries.bytes().size());
  EXPECT_LT(bytes / static_cast<double>(all.lattice.bytes()), share + 0.02);
}

}  // namespace
}  // namespace lbm::tiling::test
