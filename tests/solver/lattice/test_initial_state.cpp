// The lattice at time zero: the short ways give the bits of the long way.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <vector>

#include "solver/lattice/initial_state.hpp"
#include "solver/lattice/storage.hpp"

namespace lbm {

void PrintTo(StorageType type, std::ostream* out) { *out << to_string(type); }

namespace {

constexpr int nx = 21, ny = 3;

// All of one plane.
std::vector<std::byte> plane_of(StorageType storage, const InitialState& state) {
  const Lattice lattice = make_lattice(nx, ny, 1, storage, 0.6, {});
  std::vector<std::byte> plane(lattice.layout.bytes, std::byte{0xff});
  write_initial_plane(lattice, state, 0, plane.data());
  return plane;
}

class InitialStates : public testing::TestWithParam<StorageType> {};

// A row of equal cells is computed once; one odd cell at its end makes it compute them all.
TEST_P(InitialStates, EqualCellsHaveTheBitsOfCellsComputedOneByOne) {
  const auto flow = [](double odd) {
    return [odd](int y, int, const StateRow& row) {
      std::fill(row.density.begin(), row.density.end(), 1.01 + 0.001 * y);
      std::fill(row.ux.begin(), row.ux.end(), 0.0123);
      std::fill(row.uy.begin(), row.uy.end(), -0.0456);
      std::fill(row.uz.begin(), row.uz.end(), 0.07 / 3);
      row.uz.back() += odd;
    };
  };
  const auto quick = plane_of(GetParam(), flow(0)), slow = plane_of(GetParam(), flow(0.01));
  const PlaneLayout layout = make_plane_layout(nx, ny, GetParam());
  const std::size_t value = bytes_per_value(GetParam());
  for (int q = 0; q < layout.values_per_cell; ++q) {
    for (int y = 0; y < ny; ++y) {
      const std::size_t row = static_cast<std::size_t>(layout.index(q, y, 0)) * value;
      ASSERT_EQ(std::memcmp(&quick[row], &slow[row], (nx - 1) * value), 0) << q << " " << y;
    }
  }
  EXPECT_NE(quick, slow) << "the odd cell must show";
}

// Each component alone makes a row unequal.
TEST_P(InitialStates, EveryComponentCounts) {
  for (int component = 0; component < 4; ++component) {
    const auto flow = [component](int, int, const StateRow& row) {
      const std::span<double> all[] = {row.density, row.ux, row.uy, row.uz};
      all[component].back() += 0.03;
    };
    EXPECT_NE(plane_of(GetParam(), flow), plane_of(GetParam(), {})) << component;
  }
}

TEST_P(InitialStates, AtRestAllBytesAreZero) {
  const auto rest = plane_of(GetParam(), {});
  EXPECT_EQ(rest, std::vector<std::byte>(rest.size()));
  EXPECT_EQ(plane_of(GetParam(), [](int, int, const StateRow&) {}), rest);
}

INSTANTIATE_TEST_SUITE_P(All, InitialStates,
                         testing::Values(StorageType::fp32, StorageType::fp16, StorageType::fp64),
                         [](const auto& test) { return std::string(to_string(test.param)); });

}  // namespace
}  // namespace lbm
