// SPDX-License-Identifier: Apache-2.0

// The named quantities of a case: their values over time as CSV files, their statistics, and
// whether they are steady.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "cases/case/case.hpp"
#include "cases/case/derived.hpp"
#include "cases/case/model/case_model.hpp"
#include "cases/case/units.hpp"
#include "cases/run/records/flow_sample.hpp"
#include "cases/run/records/stateful.hpp"
#include "cases/run/records/time_series.hpp"
#include "io/files/run_directory.hpp"
#include "io/text/csv_log.hpp"
#include "solver/lattice/step_record.hpp"

namespace lbm::cases {

// Steps between the samples that tell whether the flow is steady; 0: none.
std::int64_t steady_interval(const Case& lbm_case, const Derived& derived, const Units& units);

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

// Quantities of forces and points come with the records of every step, on the pipeline's thread;
// those of regions from fields, on the thread that receives them. The others are called between
// runs of the pipeline.
class Quantities final : public Stateful {
 public:
  // Counts cells, and opens quantity_NAME.csv for each quantity with a series. continues: as in
  // FlowRecords. A directory that is_nowhere() gets no files. All arguments must outlive it.
  Quantities(const Case& lbm_case, const CaseModel& model, const io::RunDirectory& directory,
             bool continues = false);
  Quantities(const Quantities&) = delete;
  Quantities& operator=(const Quantities&) = delete;

  // Call after each step of a run with bodies or probes. forces: by body, in units of the case;
  // probes: values of all probe cells (step_record.hpp).
  void on_step(std::int64_t step, std::span<const BodyForces> forces,
               std::span<const std::int64_t> probes);
  // True if the quantity at `position` in the case, a quantity of a region, is sampled at `step`.
  // The sample at the end of the run does not count.
  bool wants(std::size_t position, std::int64_t step) const;
  // The next step at which its interval samples the quantity; empty: none.
  std::optional<std::int64_t> next_after(std::size_t position, std::int64_t step) const;
  // Adds a sample of the quantity at `position`, in units of the case.
  void take(std::size_t position, std::int64_t step, double value);

  // True if run.until_steady names quantities.
  bool decide_steadiness() const { return !case_.run.until_steady.quantities.empty(); }
  // True if all of these quantities are steady.
  bool are_steady() const;
  // The largest relative change of these quantities per convective time, at the last check; empty:
  // not checked yet.
  std::optional<double> last_change() const;

  // In the order of the case.
  std::vector<QuantityResult> results() const;
  void add_files_to(std::vector<io::CsvLog*>& files);

  // The state of a quantity whose keys have changed is dropped.
  std::string state_name() const override { return "quantities"; }
  io::Json save_state() const override;
  void load_state(const io::Json& state) override;

 private:
  struct Share {
    int cell = 0;  // index among the probe cells
    double weight = 0;
  };
  struct Item {
    Item(const NamedQuantity& quantity, std::size_t at) : asked(quantity), position(at) {}

    const NamedQuantity& asked;
    std::size_t position;             // in Case::quantities
    std::int64_t every = 0;           // steps between samples of the series; 0: no series
    std::int64_t first = 0;           // step of the first sample of the series
    bool decides = false;             // is one of run.until_steady.quantities
    std::vector<std::size_t> bodies;  // indices among the forces
    Vec3 direction{};                 // of length 1
    double factor = 1;                // multiplies forces
    double gradient_factor = 0;       // multiplies the body force in lattice units
    std::vector<Share> shares;        // of a point
    std::optional<io::CsvLog> log;
    double value = 0;
    TimeSeries series;
    std::int64_t steady_step = 0;  // of the newest sample that tells whether it is steady; 0: none
    double steady_value = 0;
    std::optional<double> change;  // between the newest two such samples
    int calm = 0;                  // such samples in a row with a small change
  };

  Item make_item(std::size_t position) const;
  void set_source(Item& item, const CaseModel& model, const ProbeCells& cells) const;
  void open_log(Item& item, const io::RunDirectory& directory, bool continues) const;
  void set_bodies(Item& item, const CaseModel& model) const;
  double force_of(const Item& item, std::int64_t step, std::span<const BodyForces> forces) const;
  double point_value(const Item& item, std::span<const std::int64_t> probes) const;
  bool is_regular(const Item& item, std::int64_t step) const {
    return item.every > 0 && step % item.every == 0;
  }
  void sample(Item& item, std::int64_t step, double value, bool logged);
  void check_steady(Item& item, std::int64_t step);
  std::string about(const Item& item) const;
  BodyReference reference_of(const std::string& name) const;
  double time_of_reference(const NamedQuantity& quantity) const;

  const Case& case_;
  const Derived& derived_;
  const BodyForce& body_force_;
  Units units_;
  std::int64_t steady_every_ = 0;
  std::vector<Item> items_;  // in the order of the case
};

}  // namespace lbm::cases
