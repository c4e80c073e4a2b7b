// SPDX-License-Identifier: Apache-2.0

// Compares a run with the `expect` block of its case: collects values during the run and compares
// them at the end. Profiles along the centre lines of the box (profile_x.csv and the like).
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "cases/case/case.hpp"
#include "cases/case/tables/tables.hpp"
#include "cases/case/units.hpp"
#include "cases/fields/field_maker.hpp"
#include "cases/run/records/quantities.hpp"
#include "cases/run/records/stateful.hpp"
#include "io/files/run_directory.hpp"

namespace lbm::cases {

// Collects velocity, density and scalars along the three lines through the middle of the box from
// passing planes. If the middle lies between cells, the cells around it are averaged.
class Profiles {
 public:
  explicit Profiles(const Case& lbm_case);

  // velocity_scale: multiplies velocities.
  void add_plane(int z, const FieldPlane& plane, float velocity_scale);
  // Values along an axis, by cell. component: of columns().
  const std::vector<double>& along(std::size_t axis, std::size_t component) const {
    return lines_[axis].values[component];
  }
  // ux, uy, uz, density, and the names of the scalars.
  const std::vector<std::string>& columns() const { return columns_; }
  // Restores values of along(); ignores those of wrong length.
  void set(std::size_t axis, std::size_t component, std::vector<double> values);
  // Writes profile_x.csv, profile_y.csv, profile_z.csv; spacing: cell size. Returns the file names.
  std::vector<std::string> write(const io::RunDirectory& directory, double spacing,
                                 const std::vector<std::string>& comments) const;

 private:
  struct Line {
    std::vector<std::vector<double>> values;  // by column
  };

  Grid grid_;
  std::vector<std::string> columns_;
  std::vector<fields::ScalarScale> scalars_;
  std::array<Line, 3> lines_;
};

// value, expected, tolerance and deviation are in units of the case. Those of a profile are in
// units of the profile, at the position of the largest deviation.
struct ExpectationResult {
  std::string name;
  std::string quantity;  // as in the case: coefficient.x
  double value = 0, expected = 0;
  double tolerance = 0, deviation = 0;  // absolute values
  bool met = false;
  std::optional<double> relative;  // the tolerance in the case, if it is relative
  // profile: position of the largest deviation, in reference lengths
  std::optional<double> position;
};

// True if an expectation needs the fields at the end of the run.
bool expects_fields(const Case& lbm_case);

// on_...() run on the pipeline's thread, add_plane() on the one that receives fields; call
// results() after both are done.
class Expectations final : public Stateful {
 public:
  // bodies: names, in the order of the forces. Reads reference profiles; throws UsageError.
  Expectations(const Case& lbm_case, const Derived& derived,
               const std::vector<std::string>& bodies);

  // Call after each step of a case with bodies.
  void on_forces(std::int64_t step, std::span<const BodyForces> forces);
  // monitored: the sample counts in means; otherwise only as the last value.
  void on_sample(const FlowSample& state, bool monitored);
  // Call before the planes of the final fields.
  void begin_fields();
  // A plane of the final fields, in lattice units.
  void add_plane(int z, const FieldPlane& plane);

  // In the order of the case. quantities: those of the case, which expectations may name.
  std::vector<ExpectationResult> results(std::span<const QuantityResult> quantities = {}) const;

  // Saved sums of an expectation that has changed are dropped.
  std::string state_name() const override { return "expectations"; }
  io::Json save_state() const override;
  void load_state(const io::Json& state) override;

 private:
  // State of one expectation.
  struct Item {
    const Expectation& expected;
    std::size_t position = 0;    // in Case::expect
    std::int64_t mean_from = 0;  // step
    std::size_t body = 0;        // index among the forces
    std::optional<ReferenceProfile> reference;
    double last = 0;              // latest value; velocity: the sum over cells around the point
    double sum = 0, samples = 0;  // since mean_from
  };
  void sample(Item& item, std::int64_t step, double value, bool counts);
  void add_point(Item& item, int z, std::span<const float> velocity) const;
  ExpectationResult compare(const Item& item, std::span<const QuantityResult> quantities) const;
  std::string about(const Item& item) const;

  const Case& case_;
  const Derived& derived_;
  Units units_;
  std::vector<Item> items_;
  Profiles profiles_;
  bool fields_came_ = false;
};

}  // namespace lbm::cases
