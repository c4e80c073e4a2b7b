// SPDX-License-Identifier: Apache-2.0
#include "cases/case/initial/flow_arrays.hpp"

#include <fmt/format.h>

#include <utility>

#include "cases/case/units.hpp"
#include "solver/core/error.hpp"

namespace lbm::cases {
namespace {

class ArrayRows final : public FlowRows {
 public:
  ArrayRows(const Case& lbm_case, const Derived& derived, FlowArrays arrays)
      : cells_(lbm_case.grid.cells), arrays_(std::move(arrays)) {
    const auto count = static_cast<std::size_t>(cells_[0]) * static_cast<std::size_t>(cells_[1]) *
                       static_cast<std::size_t>(cells_[2]);
    check_size("velocity", arrays_.velocity, 3 * count);
    if (arrays_.pressure) check_size("pressure", *arrays_.pressure, count);
    if (arrays_.density) check_size("density", *arrays_.density, count);
    if (arrays_.pressure && arrays_.density) {
      throw UsageError(source_ + ": found pressure and density, must be at most one of them");
    }
    const Units units = make_units(lbm_case, derived);
    velocity_factor_ = 1 / units.velocity;
    scalar_factor_ = arrays_.density ? 1 / units.density : 3 / units.pressure;
    scalar_zero_ = arrays_.density ? units.density : 0;
  }

  const std::array<int, 3>& cells() const override { return cells_; }
  const std::string& source() const override { return source_; }

  void read(int y, int z, const StateRow& row) const override {
    const auto n = static_cast<std::size_t>(cells_[0]);
    const std::size_t first = (static_cast<std::size_t>(z) * static_cast<std::size_t>(cells_[1]) +
                               static_cast<std::size_t>(y)) *
                              n;
    std::visit(
        [&](auto values) {
          for (std::size_t x = 0; x < n; ++x) {
            row.ux[x] = values[3 * (first + x)] * velocity_factor_;
            row.uy[x] = values[3 * (first + x) + 1] * velocity_factor_;
            row.uz[x] = values[3 * (first + x) + 2] * velocity_factor_;
          }
        },
        arrays_.velocity);
    const auto& scalar = arrays_.density ? arrays_.density : arrays_.pressure;
    std::fill_n(row.drho.begin(), n, 0.0);
    if (!scalar) return;
    std::visit(
        [&](auto values) {
          for (std::size_t x = 0; x < n; ++x) {
            row.drho[x] = (values[first + x] - scalar_zero_) * scalar_factor_;
          }
        },
        *scalar);
  }

 private:
  void check_size(const char* name, const FlowArrays::Values& values, std::size_t wanted) const {
    const std::size_t found = std::visit([](auto all) { return all.size(); }, values);
    if (found == wanted) return;
    throw UsageError(fmt::format("{}: {}: found {} values, must be {} for {} x {} x {} cells",
                                 source_, name, found, wanted, cells_[0], cells_[1], cells_[2]));
  }

  std::array<int, 3> cells_;
  FlowArrays arrays_;
  std::string source_ = "initial arrays";
  double velocity_factor_ = 1, scalar_factor_ = 1, scalar_zero_ = 0;
};

}  // namespace

std::shared_ptr<const FlowRows> make_flow_of_arrays(const Case& lbm_case, const Derived& derived,
                                                    FlowArrays arrays) {
  return std::make_shared<const ArrayRows>(lbm_case, derived, std::move(arrays));
}

}  // namespace lbm::cases
