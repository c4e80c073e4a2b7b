// SPDX-License-Identifier: Apache-2.0

// A flow that is given cell by cell, on a grid of its own.
#pragma once

#include <array>
#include <string>

#include "solver/lattice/initial_state.hpp"

namespace lbm::cases {

class FlowRows {
 public:
  FlowRows() = default;
  FlowRows(const FlowRows&) = delete;
  FlowRows& operator=(const FlowRows&) = delete;
  virtual ~FlowRows() = default;

  // nx, ny, nz of the grid. It covers the box of the case; its cells may have another size.
  virtual const std::array<int, 3>& cells() const = 0;

  // Fills density less 1 and velocity of row y of plane z, nx values each, in lattice units of the
  // case that starts from the flow. Strain rates are left alone. Any thread may call it. Throws
  // UsageError where the values cannot be read.
  virtual void read(int y, int z, const StateRow& row) const = 0;

  // Where the flow is from, for messages: "case.yaml:9: initial.file: out/fields.hdf".
  virtual const std::string& source() const = 0;
};

}  // namespace lbm::cases
