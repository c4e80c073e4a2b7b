// SPDX-License-Identifier: Apache-2.0

// The named quantities of a case: their values over time as CSV files, their statistics, and
// whether they are steady.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "cases/case/model/case_model.hpp"
#include "cases/case/model/moving_bodies.hpp"
#include "cases/run/records/phases.hpp"
#include "cases/run/records/stateful.hpp"
#include "cases/run/records/steady.hpp"
#include "cases/run/records/step_logs.hpp"
#include "cases/run/records/time_series.hpp"
#include "io/files/run_directory.hpp"
#include "io/text/csv.hpp"
#include "solver/lattice/step_record.hpp"

namespace lbm::cases {

// A quantity at the end of a run, in units of the case.
struct QuantityResult {
  std::string name;
  std::string kind;                                  // as in the case: flow_rate
  std::string unit;                                  // "m^3/s", or "U L^2" with units: lattice
  double value = 0;                                  // at the end
  std::optional<double> darcy;                       // the value of a permeability in m^2
  TimeStatistics statistics;                         // no samples: it has no series
  std::optional<double> maximum_time, minimum_time;  // in units of the case, from the start
  std::optional<double> strouhal, strouhal_error;
  std::string caution;  // of a force (brief_caution()); empty: none
};

// Quantities of forces, points and boxes come with the records of steps, on the pipeline's thread;
// other regions from fields, on the thread that receives them. The others are called between runs
// of the pipeline.
class Quantities final : public Stateful {
 public:
  // Counts cells, and opens quantity_NAME.csv for each quantity with a series. continues: as in
  // FlowRecords. A directory that is_nowhere() gets no files. All arguments must outlive it.
  Quantities(const Case& lbm_case, const CaseModel& model, const io::RunDirectory& directory,
             bool continues = false);
  Quantities(const Quantities&) = delete;
  Quantities& operator=(const Quantities&) = delete;

  // Call after each step with a record. forces: by body, in units of the case; probes, sums: values
  // of all probe cells, and of all boxes() where wants_sums() (step_record.hpp).
  void on_step(std::int64_t step, std::span<const BodyForces> forces,
               std::span<const std::int64_t> probes, std::span<const std::int64_t> sums);
  // The boxes of quantities that is_of_box_sums(); whether their sums are wanted at `step`; and the
  // next step at which an interval wants them; empty: none.
  const std::vector<tiling::FieldBox>& boxes() const { return boxes_; }
  bool wants_sums(std::int64_t step) const;
  std::optional<std::int64_t> next_sums_after(std::int64_t step) const;
  // The run ends at `step`, earlier than the case says. Call before that step.
  void end_at(std::int64_t step) { end_ = step; }

  // Quantities of regions, by their position in the case.
  //
  // True if the quantity is sampled at `step`. The sample at the end of the run does not count.
  bool wants(std::size_t position, std::int64_t step) const;
  // The next step at which its interval samples the quantity; empty: none.
  std::optional<std::int64_t> next_after(std::size_t position, std::int64_t step) const;
  // The numbers that do not change with time.
  const QuantityNumbers& numbers(std::size_t position) const { return items_[position].numbers; }
  // Adds a sample.
  void take(std::size_t position, std::int64_t step, const QuantityNumbers& numbers) {
    sample(items_[position], step, numbers, true);
  }

  // True if run.until_steady names quantities.
  bool decide_steadiness() const { return !case_.run.until_steady.quantities.empty(); }
  // True if all of these quantities are steady.
  bool are_steady() const;
  // The largest SteadyWatch::change() of these quantities; empty: not checked yet.
  std::optional<double> last_change() const;
  // The limits of these quantities, with run.until_steady.error.
  std::vector<NamedLimit> limits() const;

  // In the order of the case.
  std::vector<QuantityResult> results() const;
  void add_files_to(std::vector<io::CsvLog*>& files);
  // Writes phase_NAME.csv for each quantity with `phase`. Call at the end of the run. Throws
  // ResourceError.
  void write_phases(const io::RunDirectory& directory);
  // Names of the files that it has written.
  const std::vector<std::string>& phase_files() const { return phase_files_; }

  // The state of a quantity whose keys have changed is dropped.
  std::string state_name() const override { return "quantities"; }
  io::Json save_state() const override;
  void load_state(const io::Json& state) override;

 private:
  struct Item {
    const NamedQuantity& asked;
    const QuantityFacts& facts;
    SteadyWatch steady;
    QuantityNumbers numbers = {};          // that do not change
    std::int64_t every = 0;                // steps between samples of the series; 0: no series
    std::int64_t first = 0;                // step of the first sample of the series
    bool decides = false;                  // is one of run.until_steady.quantities
    std::vector<std::size_t> bodies = {};  // indices among the forces
    Vec3 direction = {};                   // of length 1
    double per_length = 1;                 // multiplies forces and heat
    // Multiply the body force in lattice units: its part in the force and in the coefficient.
    double gradient_force = 0, gradient_coefficient = 0;
    double reference_power = 1;           // of power coefficients, in units of the case
    std::vector<ProbeShare> shares = {};  // of a point
    std::optional<std::size_t> box = {};  // in boxes(); empty: other quantities
    std::size_t scalar = 0, axis = 0;     // of a Nusselt number; scalar: of heat, too
    // The mean stored values of its two walls, or of its face, at a step.
    std::vector<std::function<double(double)>> walls = {};
    double fall = 0;  // the difference of stored values that it refers to
    std::optional<io::CsvLog> log = {};
    double value = 0;
    TimeSeries series = {};
    AngleOfStep angle = {};  // of the body `phase`
    std::optional<PhaseTable> phases = {};

    bool is_regular(std::int64_t step) const { return every > 0 && step % every == 0; }
    bool is_decided_at(std::int64_t step) const { return decides && steady.is_due(step); }
  };

  Item make_item(const NamedQuantity& asked) const;
  void set_scalar(Item& item, const Lattice& lattice) const;
  void set_bodies(Item& item, const CaseModel& model) const;
  void open_log(Item& item, const io::RunDirectory& directory, bool continues) const;
  // The comments of its files.
  std::vector<std::string> head_of(const Item& item) const;
  QuantityNumbers of_bodies(const Item& item, std::int64_t step,
                            std::span<const BodyForces> forces) const;
  QuantityNumbers of_box(const Item& item, std::int64_t step,
                         std::span<const std::int64_t> sums) const;
  bool wants_box(const Item& item, std::int64_t step) const {
    return item.box && (item.is_regular(step) || item.is_decided_at(step) || step == end_);
  }
  void sample(Item& item, std::int64_t step, const QuantityNumbers& numbers, bool logged);
  std::string about(std::size_t position) const;
  BodyReference reference_of(const NamedQuantity& quantity) const {
    return body_reference(*BodyIndex(case_).find(quantity.bodies.front()), units_, derived_);
  }

  const Case& case_;
  const Derived& derived_;
  const BodyForce& body_force_;
  Units units_;
  std::int64_t end_;  // the last step
  std::vector<tiling::FieldBox> boxes_;
  std::vector<Item> items_;  // in the order of the case
  std::vector<std::string> phase_files_;
};

}  // namespace lbm::cases
