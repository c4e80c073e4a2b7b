// SPDX-License-Identifier: Apache-2.0

// Probes and boxes of fields under every schedule: probes hold every step, boxes exactly their
// cells.
#include <gtest/gtest.h>

#include <map>

#include "tests/tiling/pipeline/domains.hpp"

namespace lbm::tiling::test {
namespace {

constexpr int nx = 19, ny = 13, nz = 37, steps = 23;

// Keeps the values of its probes.
class ProbeRecords final : public RecordSink {
 public:
  ProbeRecords(std::vector<std::array<int, 3>> cells, int bodies)
      : cells_(std::move(cells), nz), bodies_(bodies) {}
  const ProbeCells* probes() const override { return &cells_; }
  void on_step(std::int64_t step, std::span<const std::int64_t> record, bool) override {
    EXPECT_EQ(step, static_cast<std::int64_t>(rows.size()) + 1);
    auto& row = rows.emplace_back();
    const auto first = static_cast<std::size_t>(first_probe_value(bodies_));
    EXPECT_EQ(record.size(), first + static_cast<std::size_t>(macro_values * cells_.size()));
    for (const std::int64_t bits : record.subspan(first)) row.push_back(from_bits(bits));
  }
  const ProbeCells& cells() const { return cells_; }
  std::vector<std::vector<double>> rows;

 private:
  ProbeCells cells_;
  int bodies_;
};

// Corners, first and last planes of visits, several cells in a plane, none in most planes.
std::vector<std::array<int, 3>> some_cells() {
  return {{0, 0, 0},  {18, 12, 36}, {3, 4, 7},   {4, 4, 7}, {3, 5, 7},
          {9, 6, 19}, {9, 6, 20},   {17, 1, 35}, {5, 5, 5}};
}

Lattice some_lattice(StorageType storage, bool periodic) {
  FaceBoundaries faces;
  for (std::size_t f = 4; f < 6; ++f) {
    faces[f].condition.kind = periodic ? BoundaryKind::periodic : BoundaryKind::wall;
  }
  faces[3].condition.velocity = {0.05, 0, 0};
  CollisionSpec collision;
  collision.omega = 1.6;
  collision.force.mean = {1e-4, -2e-4, 3e-4};
  collision.force.amplitude = {2e-4, 0, 0};
  collision.force.period = 11;
  return make_lattice(nx, ny, nz, storage, collision, faces);
}

struct Variant {
  BackendKind backend;
  ScheduleOptions options;
  std::string name;
};

class Probes : public testing::TestWithParam<Variant> {};

TEST_P(Probes, SeeEveryStepAsWithoutBlocking) {
  const auto& [kind, options, name] = GetParam();
  if (kind == BackendKind::cuda && cuda_device_count() == 0) GTEST_SKIP() << "no GPU here";
  const auto backend = kind == BackendKind::cuda ? make_cuda_backend() : make_cpu_backend();
  for (const bool periodic : {false, true}) {
    for (const StorageType storage : {StorageType::fp16, StorageType::fp32, StorageType::fp64}) {
      const Lattice lattice = some_lattice(storage, periodic);
      const auto run = [&](const ScheduleOptions& schedule) {
        ProbeRecords records(some_cells(), 0);
        const State state =
            run_lattice(*backend, lattice, {}, rough_flow(nx, ny, nz, 3), schedule, steps, nullptr,
                        HostMemory::pinned, default_staging_limit, &records);
        // The last row is the state.
        const auto force = lattice.collision.force.at(steps);
        for (const auto& cell : records.cells().cells()) {
          const auto* row =
              records.rows.back().data() + macro_values * records.cells().index_of(cell);
          double rho = 1, j[3] = {};
          for (int q = 0; q < D3Q19::directions; ++q) {
            const double g = state.value(q, cell[0], cell[1], cell[2]);
            rho += g;
            j[0] += cx(q) * g;
            j[1] += cy(q) * g;
            j[2] += cz(q) * g;
          }
          EXPECT_NEAR(row[first_value_of(Macro::density)], rho - 1, 1e-6);
          for (std::size_t a = 0; a < 3; ++a) {
            EXPECT_NEAR(row[first_value_of(Macro::velocity) + a], (j[a] - force[a] / 2) / rho,
                        1e-6);
          }
        }
        return records.rows;
      };
      const auto expected = run({Scheme::in_core, 1, 20});
      ASSERT_EQ(expected.size(), static_cast<std::size_t>(steps));
      EXPECT_NE(expected[3], expected[4]);
      EXPECT_EQ(run(options), expected) << to_string(storage) << (periodic ? " periodic" : "");
    }
  }
}

ScheduleOptions plan_of(Scheme scheme, int k, int b, int updates = 1, int together = 1) {
  return {scheme, k, b, updates, together};
}

std::vector<Variant> variants() {
  std::vector<Variant> all;
  for (const BackendKind kind : {BackendKind::cpu, BackendKind::cuda}) {
    const std::string name = to_string(kind);
    all.push_back({kind, plan_of(Scheme::in_core, 1, 3, 500), name + "_in_core"});
    all.push_back({kind, plan_of(Scheme::wavefront, 7, 4), name + "_wavefront"});
    all.push_back({kind, plan_of(Scheme::wavefront, 64, 2), name + "_wavefront_64"});
    all.push_back({kind, plan_of(Scheme::halo, 3, 9), name + "_halo"});
  }
  all.push_back({BackendKind::cpu, plan_of(Scheme::in_core, 8, 2, 64, 2), "cpu_pairs"});
  all.push_back({BackendKind::cpu, plan_of(Scheme::wavefront, 6, 3, 1, 2), "cpu_wavefront_pairs"});
  return all;
}

INSTANTIATE_TEST_SUITE_P(All, Probes, testing::ValuesIn(variants()),
                         [](const auto& variant) { return variant.param.name; });

// Asks for some boxes, and for the whole grid to compare them with.
class Boxes final : public FieldSink {
 public:
  std::vector<FieldBox> boxes(std::int64_t) const override {
    return {{{0, 0, 0}, {nx, ny, nz}},
            {{4, 3, 10}, {5, 2, 7}},
            {{18, 12, 30}, {nx + 2, ny + 2, 20}},  // over all faces
            {{1, 0, 2}, {6, 5, 12}, 3},
            {{7, 12, 5}, {1, 1, 1}}};
  }
  std::int64_t most_plane_cells(const Lattice&) const override { return (nx + 2) * (ny + 2); }
  void on_plane(std::int64_t, int box, int z, const FieldPlane& fields) override {
    auto& plane = planes[{box, z}];
    EXPECT_TRUE(plane.empty()) << "twice";
    plane.assign(fields.values.begin(), fields.values.end());
  }
  std::map<std::pair<int, int>, std::vector<float>> planes;
};

class FieldBoxes : public testing::TestWithParam<Variant> {};

TEST_P(FieldBoxes, AreTheirCellsOfTheWholeField) {
  const auto& [kind, options, name] = GetParam();
  if (kind == BackendKind::cuda && cuda_device_count() == 0) GTEST_SKIP() << "no GPU here";
  const auto backend = kind == BackendKind::cuda ? make_cuda_backend() : make_cpu_backend();
  Boxes sink;
  run_lattice(*backend, some_lattice(StorageType::fp32, true), {}, rough_flow(nx, ny, nz, 3),
              options, steps, &sink);
  const auto boxes = sink.boxes(0);
  std::size_t expected_planes = 0;
  for (std::size_t b = 0; b < boxes.size(); ++b) {
    const FieldBox& box = boxes[b];
    const auto cells = static_cast<std::size_t>(box.plane_cells());
    for (int i = 0; i < box.count[2]; ++i) {
      const int z = (box.begin[2] + i * box.stride) % nz;
      ++expected_planes;
      ASSERT_TRUE((sink.planes.contains({static_cast<int>(b), z}))) << b << " " << z;
      const auto& part = sink.planes[{static_cast<int>(b), z}];
      const auto& all = sink.planes[{0, z}];
      ASSERT_EQ(part.size(), 4 * cells);
      for (int y = 0; y < box.count[1]; ++y) {
        for (int x = 0; x < box.count[0]; ++x) {
          const int gx = (box.begin[0] + x * box.stride) % nx;
          const int gy = (box.begin[1] + y * box.stride) % ny;
          const auto own = static_cast<std::size_t>(y * box.count[0] + x);
          const auto other = static_cast<std::size_t>(gy * nx + gx);
          ASSERT_EQ(FieldPlane{part}.at(own), FieldPlane{all}.at(other));
        }
      }
    }
  }
  EXPECT_EQ(sink.planes.size(), expected_planes);
}

// Keeps the sums over the boxes of `Boxes` in the last record.
class SumRecords final : public RecordSink {
 public:
  std::vector<FieldBox> boxes() const override { return Boxes().boxes(0); }
  void on_step(std::int64_t, std::span<const std::int64_t> record, bool) override {
    const auto last = record.last(box_values * boxes().size());
    sums.assign(last.begin(), last.end());
  }
  std::vector<std::int64_t> sums;
};

TEST_P(FieldBoxes, HaveTheSumsOfTheirFluidCells) {
  const auto& [kind, options, name] = GetParam();
  if (kind == BackendKind::cuda && cuda_device_count() == 0) GTEST_SKIP() << "no GPU here";
  const auto backend = kind == BackendKind::cuda ? make_cuda_backend() : make_cpu_backend();
  for (const StorageType storage : {StorageType::fp16, StorageType::fp32, StorageType::fp64}) {
    const Domain domain = mixed_with_solids({nx, ny, nz}, storage, std::nullopt);
    Boxes sink;
    SumRecords records;
    run_lattice(*backend, domain.lattice, domain.boundaries, rough_flow(nx, ny, nz, 3), options,
                steps, &sink, HostMemory::pinned, default_staging_limit, &records);
    const auto boxes = records.boxes();
    for (std::size_t b = 0; b < boxes.size(); ++b) {
      std::array<double, box_values> expected{};
      const auto cells = static_cast<std::size_t>(boxes[b].plane_cells());
      for (int i = 0; i < boxes[b].count[2]; ++i) {
        const int z = (boxes[b].begin[2] + i * boxes[b].stride) % nz;
        const std::vector<float>& plane = sink.planes.at({static_cast<int>(b), z});
        for (std::size_t cell = 0; cell < cells; ++cell) {
          const auto values = FieldPlane{plane}.at(cell);  // solid cells: 0
          for (std::size_t v = 0; v < macro_values; ++v) expected[v] += values[v];
          const double* const u = &values[first_value_of(Macro::velocity)];
          expected[box_speed] += std::hypot(u[0], u[1], u[2]);
        }
      }
      const double rounding = 1e-8 * static_cast<double>(cells) * boxes[b].count[2];
      for (std::size_t i = 0; i < box_values; ++i) {
        const double sum = fixed::to(records.sums.at(box_values * b + i), scale_of(boxes[b]));
        EXPECT_NEAR(sum, expected[i], rounding) << "box " << b << " value " << i;
        EXPECT_NE(sum, 0);
      }
    }
  }
}

INSTANTIATE_TEST_SUITE_P(All, FieldBoxes, testing::ValuesIn(variants()),
                         [](const auto& variant) { return variant.param.name; });

TEST(ProbeCells, AreSortedAndRefused) {
  const ProbeCells cells(some_cells(), nz);
  EXPECT_EQ(cells.size(), 9);
  EXPECT_EQ(cells.in_plane(7), 3);
  EXPECT_EQ(cells.in_plane(8), 0);
  EXPECT_EQ(cells.index_of({0, 0, 0}), 0);
  EXPECT_EQ(cells.index_of({18, 12, 36}), 8);
  EXPECT_THROW(cells.index_of({1, 1, 1}), std::invalid_argument);
  EXPECT_THROW(ProbeCells({{1, 1, 1}, {1, 1, 1}}, nz), std::invalid_argument);
  EXPECT_THROW(ProbeCells({{1, 1, nz}}, nz), std::invalid_argument);
}

}  // namespace
}  // namespace lbm::tiling::test
