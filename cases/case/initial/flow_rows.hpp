// SPDX-License-Identifier: Apache-2.0

// A flow, with scalars, that a run starts from: arrays in memory, or a file of results; and the
// same flow on the grid of a case, with its strain rates (resampled_flow.cpp).
#pragma once

#include <array>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "cases/case/case.hpp"
#include "cases/case/units.hpp"
#include "solver/core/time_limit.hpp"
#include "solver/lattice/initial_state.hpp"

namespace lbm::cases {

// Density less 1, velocity and the stored values of scalars, in lattice units of the case that
// starts from the flow.
using FlowCell = std::array<double, 4 + most_scalars>;

// A flow that is given cell by cell, on a grid of its own.
class FlowRows {
 public:
  FlowRows(const FlowRows&) = delete;
  FlowRows& operator=(const FlowRows&) = delete;
  virtual ~FlowRows() = default;

  // nx, ny, nz of the grid. It covers the box of the case; its cells may have another size.
  const std::array<int, 3>& cells() const { return cells_; }
  // Where the flow is from, for messages: "case.yaml:9: initial.file: out/fields.hdf".
  const std::string& source() const { return source_; }
  // True if the flow has scalar number `scalar` of the case. Values of other scalars are zero.
  bool has_scalar(std::size_t scalar) const { return has_scalar_[scalar]; }

  // Reads the cells x of `runs` in row y of plane z into to[x]; other elements do not change. Any
  // thread may call it. Throws UsageError where the values cannot be read.
  virtual void read(int y, int z, std::span<const CellRun> runs, std::span<FlowCell> to) const = 0;

 protected:
  FlowRows(const std::array<int, 3>& cells, std::string source)
      : cells_(cells), source_(std::move(source)) {}
  std::array<int, 3> cells_;
  std::string source_;
  std::array<bool, most_scalars> has_scalar_{};
};

// Values of all cells, in units of the case (docs/units.md): velocity [nz][ny][nx][3]; and at most
// one of pressure, relative to the reference pressure, and density, [nz][ny][nx] each. Without both
// the pressure is 0. scalars: [nz][ny][nx] each, in the order of the case; all of them or none. The
// memory is not copied: `owner` keeps it alive, and nobody may change it before the first step.
struct FlowArrays {
  using Values = std::variant<std::span<const float>, std::span<const double>>;
  Values velocity;
  std::optional<Values> pressure, density;
  std::shared_ptr<const void> owner;
  std::vector<Values> scalars = {};
};

// Throws UsageError, one line, for arrays of another size than the grid.
std::shared_ptr<const FlowRows> make_flow_of_arrays(const Case& lbm_case, const Derived& derived,
                                                    FlowArrays arrays);

// Opens initial.file: a VTKHDF file of all cells of a run of lbm (docs/output.md) in the same box,
// with velocity, and density or pressure. Scalars of the case that the file has are read, too. The
// units are those that the file names: velocities are kept in units of the case, and pressures
// relative to the reference pressure, so the lattice velocities of the two runs may differ. The
// file stays open as long as the flow lives. Only the planes that the threads are reading are in
// memory: 16 bytes a cell, and 4 for each scalar.
//
// Throws UsageError, one line with the key and the file, where the file is none of these. read()
// throws it later, where the values cannot be read.
std::shared_ptr<const FlowRows> open_flow_file(const Case& lbm_case, const Derived& derived);

// The state of a run that starts from the flow. Both grids cover the same box. Density, velocity
// and scalars are interpolated linearly between cell centres along each axis; beyond the last
// centre of a face that is not periodic they are extrapolated linearly. Velocity gradients are
// central differences on the grid of the flow (of second order, one-sided at faces that are not
// periodic), interpolated likewise. On equal grids density, velocity and scalars are copied.
// All errors are of second order in the cell size. The state throws UsageError, one line with the
// place, for values that are not finite or beyond run.density_range and run.max_mach.
InitialState resampled_state(const Case& lbm_case, std::shared_ptr<const FlowRows> flow);

// A row of a state in `values`, row_values * nx of them, with strain rates and scalars. Its `used`
// is empty: all cells.
inline constexpr std::size_t row_values = 10 + most_scalars;
StateRow row_in(std::span<double> values);

// Fills planes of the state to find values that fill() refuses: all planes of a grid up to 16
// million cells, else some from the first to the last. Returns false if the time limit ended this.
bool check_planes(const InitialState& state, const std::array<int, 3>& cells,
                  const TimeLimit& limit);

}  // namespace lbm::cases
