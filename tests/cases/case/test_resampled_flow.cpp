// SPDX-License-Identifier: Apache-2.0

// A flow on one grid, brought to another: interpolation, strain rates, and what is refused.
#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <numbers>

#include "cases/case/initial/flow_rows.hpp"
#include "tests/cases/case_support.hpp"

namespace lbm::cases {
namespace {

using std::numbers::pi;
using test::error_of;

using Field = std::function<std::array<double, 4>(double x, double y, double z)>;

// A field of the place in the box, whose edges are 1: density, ux, uy, uz.
class FieldRows final : public FlowRows {
 public:
  FieldRows(const std::array<int, 3>& cells, Field field)
      : FlowRows(cells, "the field"), field_(std::move(field)) {}
  void read(int y, int z, std::span<const CellRun> runs, std::span<FlowCell> to) const override {
    visit_cells(runs, [&](std::size_t x) {
      const auto [rho, ux, uy, uz] = field_((static_cast<double>(x) + 0.5) / cells_[0],
                                            (y + 0.5) / cells_[1], (z + 0.5) / cells_[2]);
      to[x] = {rho - 1, ux, uy, uz};
    });
  }

 private:
  Field field_;
};

Case box_of(const std::array<int, 3>& cells, bool periodic) {
  Case c = parse_case(test::minimal, "c.yaml");
  c.grid.cells = cells;
  for (Face& face : c.faces) face.type = periodic ? BoundaryKind::periodic : BoundaryKind::wall;
  return c;
}

// All cells of a row: density, velocity, six strain rates.
std::vector<std::array<double, 10>> row_of(const InitialState& flow, int nx, int y, int z) {
  const auto n = static_cast<std::size_t>(nx);
  std::vector<double> memory(10 * n);
  const auto part = [&](std::size_t i) { return std::span(memory).subspan(i * n, n); };
  flow(
      y, z,
      {part(0), part(1), part(2), part(3), {part(4), part(5), part(6), part(7), part(8), part(9)}});
  std::vector<std::array<double, 10>> row(n);
  for (std::size_t x = 0; x < n; ++x) {
    for (std::size_t i = 0; i < 10; ++i) row[x][i] = memory[i * n + x];
  }
  return row;
}

// The mean square error of density and velocity [0] and of the strain rates [1], relative to that
// of the values. rates: d u_i / d x_j at a place, [i][j], in box lengths.
std::array<double, 2> errors(
    const Case& c, const std::array<int, 3>& from, const Field& field,
    const std::function<std::array<double, 9>(double, double, double)>& rates) {
  const auto& [nx, ny, nz] = c.grid.cells;
  const InitialState flow = resampled_state(c, std::make_shared<FieldRows>(from, field));
  std::array<double, 2> error{}, size{};
  for (int z = 0; z < nz; ++z) {
    for (int y = 0; y < ny; ++y) {
      const auto row = row_of(flow, nx, y, z);
      for (int x = 0; x < nx; ++x) {
        const double at[]{(x + 0.5) / nx, (y + 0.5) / ny, (z + 0.5) / nz};
        const auto exact = field(at[0], at[1], at[2]);
        auto g = rates(at[0], at[1], at[2]);
        for (std::size_t i = 0; i < 9; ++i) g[i] /= c.grid.cells[i % 3];  // per cell
        const double strain[]{
            g[0], g[4], g[8], (g[1] + g[3]) / 2, (g[2] + g[6]) / 2, (g[5] + g[7]) / 2};
        const auto& found = row[static_cast<std::size_t>(x)];
        for (std::size_t i = 0; i < 4; ++i) {
          const double off = found[i] - exact[i] + (i == 0 ? 1 : 0);  // found: density less 1
          error[0] += off * off;
          if (i > 0) size[0] += exact[i] * exact[i];
        }
        for (std::size_t i = 0; i < 6; ++i) {
          error[1] += (found[4 + i] - strain[i]) * (found[4 + i] - strain[i]);
          size[1] += strain[i] * strain[i];
        }
      }
    }
  }
  return {std::sqrt(error[0] / size[0]), std::sqrt(error[1] / size[1])};
}

// Linear fields are exact on any two grids, up to the walls.
TEST(ResampledFlow, IsExactForLinearFields) {
  const Field field = [](double x, double y, double z) -> std::array<double, 4> {
    return {1 + 0.01 * (x - 2 * y + z), 0.01 * x + 0.02 * y - 0.03 * z,
            -0.04 * x + 0.05 * y + 0.02 * z, 0.03 * x - 0.01 * y - 0.06 * z};
  };
  const auto rates = [](double, double, double) -> std::array<double, 9> {
    return {0.01, 0.02, -0.03, -0.04, 0.05, 0.02, 0.03, -0.01, -0.06};
  };
  for (const std::array<int, 3>& from :
       {std::array{8, 9, 10}, std::array{4, 3, 5}, std::array{16, 18, 25}, std::array{2, 2, 2}}) {
    const auto error = errors(box_of({8, 9, 10}, false), from, field, rates);
    EXPECT_LT(error[0], 1e-13) << from[0];
    EXPECT_LT(error[1], 1e-13) << from[0];
  }
}

// A parabola between walls: its derivative is exact at all cell centres, the first and last
// included.
TEST(ResampledFlow, HasTheExactStrainOfAParabola) {
  const Field field = [](double x, double, double z) -> std::array<double, 4> {
    return {1, 0, 0, 0.04 * x * (1 - x) + 0 * z};
  };
  const auto rates = [](double x, double, double) -> std::array<double, 9> {
    return {0, 0, 0, 0, 0, 0, 0.04 * (1 - 2 * x), 0, 0};
  };
  const auto error = errors(box_of({8, 3, 4}, false), {8, 3, 4}, field, rates);
  EXPECT_LT(error[0], 1e-15);
  EXPECT_LT(error[1], 1e-13);
}

// Waves in a periodic box, from grids that are coarser, finer and the same.
TEST(ResampledFlow, IsOfSecondOrder) {
  const Field field = [](double x, double y, double z) -> std::array<double, 4> {
    const double a = 2 * pi * x, b = 2 * pi * y, c = 2 * pi * z;
    return {1 + 0.01 * std::cos(a), 0.05 * std::sin(a) * std::cos(b),
            -0.05 * std::cos(a) * std::sin(c), 0.03 * std::sin(b + c)};
  };
  const auto rates = [](double x, double y, double z) -> std::array<double, 9> {
    const double a = 2 * pi * x, b = 2 * pi * y, c = 2 * pi * z, k = 2 * pi;
    return {0.05 * k * std::cos(a) * std::cos(b),
            -0.05 * k * std::sin(a) * std::sin(b),
            0,
            0.05 * k * std::sin(a) * std::sin(c),
            0,
            -0.05 * k * std::cos(a) * std::cos(c),
            0,
            0.03 * k * std::cos(b + c),
            0.03 * k * std::cos(b + c)};
  };
  for (const double refinement : {2.0, 1.5, 1.0, 0.5}) {
    std::array<double, 2> before{};
    for (const int n : {8, 16, 32}) {
      const auto cells = static_cast<int>(n * refinement);
      const auto error = errors(box_of({cells, cells, cells}, true), {n, n, n}, field, rates);
      if (refinement == 1) {
        EXPECT_LT(error[0], 1e-15) << "taken over as they are";
      }
      for (std::size_t i = refinement == 1 ? 1 : 0; i < 2; ++i) {
        if (before[i] > 0) {
          EXPECT_GT(std::log2(before[i] / error[i]), 1.8) << refinement << " " << n;
        }
        EXPECT_GT(error[i], 1e-4) << "the test must see an error";
      }
      before = error;
    }
  }
}

// Where only some cells are used, these have the same bits, across periodic faces, too; others are
// left alone.
TEST(ResampledFlow, FillsTheUsedCellsAlone) {
  const Field field = [](double x, double y, double z) -> std::array<double, 4> {
    return {1 + 0.01 * std::sin(7 * x + y), 0.05 * std::sin(9 * x - z), 0.04 * std::cos(5 * x * y),
            0.03 * std::sin(8 * x + 3 * z)};
  };
  for (const bool periodic : {true, false}) {
    for (const int from : {1, 2, 24, 31, 48, 96}) {
      const Case c = box_of({48, 6, 8}, periodic);
      const InitialState flow =
          resampled_state(c, std::make_shared<FieldRows>(std::array{from, 3, 4}, field));
      const auto all = row_of(flow, 48, 5, 7);
      const std::vector<CellRun> used{{0, 1}, {9, 12}, {13, 14}, {31, 40}, {47, 48}};
      constexpr double untouched = 7;
      std::vector<double> memory(row_values * 48, untouched);
      StateRow row = row_in(memory);
      row.used = used;
      flow(5, 7, row);
      for (std::size_t x = 0; x < 48; ++x) {
        const bool is_used = std::any_of(used.begin(), used.end(), [&](const CellRun& run) {
          return static_cast<int>(x) >= run.begin && static_cast<int>(x) < run.end;
        });
        for (std::size_t i = 0; i < all[x].size(); ++i) {
          EXPECT_EQ(memory[i * 48 + x], is_used ? all[x][i] : untouched) << from << " " << x;
        }
      }
    }
  }
}

// A flow with one cell along an axis does not depend on it.
TEST(ResampledFlow, OneLayerIsTheSameEverywhere) {
  const Field field = [](double x, double, double) -> std::array<double, 4> {
    return {1, 0, 0.01 * x, 0};
  };
  const InitialState flow = resampled_state(
      box_of({8, 3, 5}, true), std::make_shared<FieldRows>(std::array{8, 1, 1}, field));
  EXPECT_EQ(row_of(flow, 8, 0, 0), row_of(flow, 8, 2, 4));
}

TEST(ResampledFlow, ValuesBeyondTheLimitsAreRefused) {
  constexpr double nan = std::numeric_limits<double>::quiet_NaN();
  const auto with = [](std::array<double, 4> odd) {
    const Field field = [odd](double x, double y, double z) -> std::array<double, 4> {
      // In one cell, so that all threads find the same place.
      const bool inside = std::min({x, y, z}) > 0.5 && std::max({x, y, z}) < 0.6;
      return inside ? odd : std::array<double, 4>{1, 0, 0, 0};
    };
    const Case c = box_of({8, 8, 8}, true);
    const InitialState state = resampled_state(c, std::make_shared<FieldRows>(c.grid.cells, field));
    return error_of([&] { check_planes(state, c.grid.cells, {}); });
  };
  EXPECT_EQ(with({1, 0, nan, 0}),
            "the field: its velocity is not finite at x = 4.5, y = 4.5, z = 4.5, must be finite "
            "everywhere");
  EXPECT_TRUE(with({nan, 0, 0, 0}).find("density or pressure is not finite") != std::string::npos);
  EXPECT_TRUE(with({1, 0, 0.5, 0}).find("has Mach 0.866") != std::string::npos);
  EXPECT_TRUE(with({2.5, 0, 0, 0}).find("its density is 2.5 times the reference density") !=
              std::string::npos);
}

TEST(ResampledFlow, LooksAtNoMoreThanTheLimitLeavesTimeFor) {
  const Case c = box_of({8, 8, 8}, true);
  const InitialState state =
      resampled_state(c, std::make_shared<FieldRows>(c.grid.cells, [](double, double, double) {
                        return std::array<double, 4>{1, 0, 0, 0};
                      }));
  EXPECT_FALSE(check_planes(state, c.grid.cells, TimeLimit(std::chrono::seconds(-1))));
  EXPECT_TRUE(check_planes(state, c.grid.cells, {}));
}

// Units of the case: reference velocities and pressures, or metres per second and Pascal.
TEST(FlowArrays, AreInUnitsOfTheCase) {
  Case c = parse_case(test::minimal, "c.yaml");
  c.grid.cells = {2, 1, 1};
  c.fluid.lattice_velocity = 0.05;
  const std::vector<float> velocity{1, 2, 3, 4, 5, 6};
  const std::vector<double> scalar{1.5, 2.5};
  const std::array both{CellRun{0, 2}};
  std::array<FlowCell, 2> cells{};
  const auto read = [&](FlowArrays arrays) {
    make_flow_of_arrays(c, derive(c), std::move(arrays))->read(0, 0, both, cells);
  };
  FlowArrays arrays{std::span(velocity), {}, {}, {}};
  read(arrays);
  EXPECT_EQ(cells[1][0], 0);
  EXPECT_DOUBLE_EQ(cells[0][1], 0.05);
  EXPECT_DOUBLE_EQ(cells[1][3], 0.3);
  arrays.pressure = std::span(scalar);  // rho0 U^2: density = 1 + 3 p u^2
  read(arrays);
  EXPECT_DOUBLE_EQ(cells[1][0], 3 * 2.5 * 0.0025);
  FlowArrays dense{std::span(velocity), {}, std::span(scalar), {}};
  read(dense);
  EXPECT_DOUBLE_EQ(cells[1][0], 1.5);
  c.units = UnitSystem::si;
  c.grid.spacing = 0.01;
  c.fluid.velocity = 20;  // one cell per step is 400 m/s
  c.fluid.density = 1.25;
  read(arrays);
  EXPECT_DOUBLE_EQ(cells[0][1], 1 / 400.0);
  EXPECT_DOUBLE_EQ(cells[1][0], 3 * 2.5 / (1.25 * 400 * 400));
  read(dense);
  EXPECT_DOUBLE_EQ(cells[1][0], 1);
}

TEST(FlowArrays, OfAnotherSizeAreRefused) {
  Case c = parse_case(test::minimal, "c.yaml");
  const std::vector<float> velocity(3 * 8 * 9 * 10), scalar(8 * 9 * 10), few(5);
  const auto refusal = [&](const FlowArrays& arrays) {
    return error_of([&] { make_flow_of_arrays(c, derive(c), arrays); });
  };
  EXPECT_EQ(refusal({std::span(few), {}, {}, {}}),
            "initial arrays: velocity: found 5 values, must be 2160 for 8 x 9 x 10 cells");
  EXPECT_EQ(refusal({std::span(velocity), std::span(few), {}, {}}),
            "initial arrays: pressure: found 5 values, must be 720 for 8 x 9 x 10 cells");
  EXPECT_EQ(refusal({std::span(velocity), std::span(scalar), std::span(scalar), {}}),
            "initial arrays: found pressure and density, must be at most one of them");
}

}  // namespace
}  // namespace lbm::cases
