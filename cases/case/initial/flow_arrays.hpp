// SPDX-License-Identifier: Apache-2.0

// The flow of arrays in memory, for a run that starts from it.
#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <variant>

#include "cases/case/case.hpp"
#include "cases/case/derived.hpp"
#include "cases/case/initial/flow_rows.hpp"

namespace lbm::cases {

// Values of all cells, in units of the case (docs/units.md): velocity [nz][ny][nx][3]; and at most
// one of pressure, relative to the reference pressure, and density, [nz][ny][nx] each. Without both
// the pressure is 0. The memory is not copied: `owner` keeps it, and nobody may change it before
// the run has made its first step.
struct FlowArrays {
  using Values = std::variant<std::span<const float>, std::span<const double>>;
  Values velocity;
  std::optional<Values> pressure, density;
  std::shared_ptr<const void> owner;
};

// Throws UsageError, one line, for arrays of another size than the grid.
std::shared_ptr<const FlowRows> make_flow_of_arrays(const Case& lbm_case, const Derived& derived,
                                                    FlowArrays arrays);

}  // namespace lbm::cases
