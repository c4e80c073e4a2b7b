// Whether a run came to what its case expects: collects during the run what `expect` is about, and
// judges at the end.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "cases/case/case.hpp"
#include "cases/case/derived.hpp"
#include "cases/case/model/reference_profile.hpp"
#include "cases/case/units.hpp"
#include "cases/run/records/flow_sample.hpp"
#include "cases/run/records/profiles.hpp"
#include "cases/run/records/stateful.hpp"

namespace lbm::cases {

// value, expected, tolerance and deviation are in the units of the case, those of a profile in its
// own, and there where the deviation is largest.
struct ExpectationResult {
  std::string name;
  std::string quantity;  // as in the case: coefficient.x
  double value = 0, expected = 0;
  double tolerance = 0, deviation = 0;  // absolute
  bool met = false;
  std::optional<double> relative;  // the tolerance as the case says it, if relative
  std::optional<double> position;  // profile: where the deviation is largest, in reference lengths
};

// Whether the fields at the end are needed to compare the case.
bool expects_fields(const Case& lbm_case);

// on_...: on the thread that runs the pipeline; add_plane: on the one that takes fields. results()
// when both are done.
class Expectations final : public Stateful {
 public:
  // bodies: names, in the order of the forces. Reads reference profiles; throws UsageError.
  Expectations(const Case& lbm_case, const Derived& derived,
               const std::vector<std::string>& bodies);

  bool wants_fields() const { return expects_fields(case_); }
  // After each step, with bodies.
  void on_forces(std::int64_t step, std::span<const BodyForces> forces);
  // monitored: the look counts in means; others only as the last one.
  void on_sample(const FlowSample& state, bool monitored);
  // The fields at the end are about to come.
  void begin_fields();
  // Of the fields at the end; lattice units.
  void add_plane(int z, std::span<const float> density, std::span<const float> velocity);

  // In the order of the case.
  std::vector<ExpectationResult> results() const;

  // Sums of an expectation that is not the same any more begin anew.
  std::string state_name() const override { return "expectations"; }
  io::Json save_state() const override;
  void load_state(const io::Json& state) override;

 private:
  // One expectation under way.
  struct Item {
    const Expectation& expected;
    std::int64_t mean_from = 0;  // step
    std::size_t body = 0;        // forces
    std::optional<ReferenceProfile> reference;
    double last = 0;              // value so far; velocity: the sum over cells around the point
    double sum = 0, samples = 0;  // since mean_from
  };
  void sample(Item& item, std::int64_t step, double value, bool counts);
  void add_point(Item& item, int z, std::span<const float> velocity) const;
  ExpectationResult compare(const Item& item) const;
  std::string about(const Item& item) const;

  const Case& case_;
  const Derived& derived_;
  Units units_;
  std::vector<Item> items_;
  Profiles profiles_;
  bool fields_came_ = false;
};

}  // namespace lbm::cases
