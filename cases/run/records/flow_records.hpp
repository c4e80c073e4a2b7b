// SPDX-License-Identifier: Apache-2.0

// Records of each step of a run: samples of the whole flow (monitor.csv, warnings, the check for a
// steady flow), and the records handed to those who keep them: forces on bodies, probes, named
// quantities, expectations. How the flow is, for the terminal.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "cases/run/records/expectations.hpp"
#include "cases/run/records/free_bodies.hpp"
#include "cases/run/records/quantities.hpp"
#include "cases/run/records/stateful.hpp"
#include "cases/run/records/steady.hpp"
#include "cases/run/records/step_logs.hpp"
#include "cases/run/records/time_series.hpp"
#include "io/files/run_directory.hpp"
#include "io/text/csv.hpp"
#include "tiling/pipeline/field_ring.hpp"

namespace lbm::cases {

// A sample as reports and checkpoints hold it.
void to_json(io::Json& json, const FlowSample& sample);

class FlowMonitor {
 public:
  // Opens monitor.csv if the case asks for it, unless the directory is_nowhere(). continues: as in
  // FlowRecords. `notices` receive what the samples say about the flow.
  FlowMonitor(const Case& lbm_case, const CaseModel& model, const io::RunDirectory& directory,
              Notices& notices, bool continues);

  // record: with the sums of a sample.
  void on_sample(std::int64_t step, std::span<const std::int64_t> record);
  // Throws DivergedError where the flow of the last sample is a checkerboard.
  void check() { checkerboard_.add(last_->step, alternation_); }

  // The next step at which the flow must be sampled; empty: none.
  std::optional<std::int64_t> next_after(std::int64_t step) const;
  // True if the sample of `step` is one of those that the case asks for.
  bool is_monitored(std::int64_t step) const { return every_ != 0 && step % every_ == 0; }
  const std::optional<FlowSample>& last() const { return last_; }
  // Mach number of the fastest cell in the last sample; 0 before the first sample.
  double last_mach() const;
  // Watches the kinetic energy.
  const SteadyWatch& steady() const { return steady_; }
  io::CsvLog* file() { return log_ ? &*log_ : nullptr; }

  void save_state(io::Json& state) const;
  void load_state(const io::Json& state);

 private:
  void warn();

  const Derived& derived_;
  Units units_;
  Notices& notices_;
  std::int64_t cells_;
  double fluid_cells_;
  std::int64_t every_;  // steps between monitored samples; 0: never
  SteadyWatch steady_;
  CheckerboardWatch checkerboard_;
  std::optional<io::CsvLog> log_;
  std::optional<FlowSample> last_;
  Alternation alternation_;  // of the last sample
  bool warned_of_mach_ = false, warned_of_density_ = false;
};

class FlowRecords final : public tiling::RecordSink, public Stateful {
 public:
  // Opens forces_NAME.csv for each body, probe_NAME.csv for each probe and monitor.csv if the case
  // asks for it. continues: appends to existing files, which stay unchanged until continue_files().
  // A directory that is_nowhere() gets no files; the case must have no probes then. `expectations`
  // receive the forces of every step and every monitor sample, `quantities` the forces and probes
  // of every step and sums over boxes, `notices` what the samples say about the flow. The files of
  // `quantities` are flushed with the others. Each step moves `free_bodies` on, if there are any.
  // All arguments must outlive it.
  FlowRecords(const Case& lbm_case, const CaseModel& model, const io::RunDirectory& directory,
              Expectations& expectations, Quantities& quantities, FreeBodies* free_bodies,
              Notices& notices, bool continues = false);
  FlowRecords(const FlowRecords&) = delete;
  FlowRecords& operator=(const FlowRecords&) = delete;

  // Throws DivergedError where the flow is a checkerboard.
  void on_step(std::int64_t step, std::span<const std::int64_t> record, bool sampled) override;
  const ProbeCells* probes() const override { return &probe_cells_; }
  std::vector<tiling::FieldBox> boxes() const override { return quantities_.boxes(); }
  // Writes buffered lines. Throws ResourceError.
  void flush();

  // The next step at which the flow must be sampled; empty: none.
  std::optional<std::int64_t> next_sample_after(std::int64_t step) const;
  // True if the sample of `step` must have the sums over boxes().
  bool wants_sums(std::int64_t step) const { return quantities_.wants_sums(step); }
  // As Quantities::end_at().
  void end_at(std::int64_t step) { quantities_.end_at(step); }
  // True if the sample of `step` is used to detect a steady flow.
  bool checks_steadiness(std::int64_t step) const { return monitor_.steady().is_due(step); }
  bool is_steady() const {
    return quantities_.decide_steadiness() ? quantities_.are_steady()
                                           : monitor_.steady().is_steady();
  }
  // The last step of a run that is_steady().
  std::int64_t steady_end() const { return monitor_.steady().end(); }
  // At the last check, to compare with run.until_steady: the relative change per convective time,
  // or the estimated relative error; empty: no check yet, or none since a restart.
  std::optional<double> last_change() const {
    return quantities_.decide_steadiness() ? quantities_.last_change() : monitor_.steady().change();
  }
  // The deciding numbers, with run.until_steady.error.
  std::vector<NamedLimit> limits() const;
  const std::optional<FlowSample>& last_sample() const { return monitor_.last(); }
  double last_mach() const { return monitor_.last_mach(); }
  // Forces at the last step, by body.
  const std::vector<BodyForces>& last_forces() const { return forces_.last(); }
  const std::vector<std::string>& bodies() const { return forces_.bodies(); }
  const std::string& caution() const { return forces_.caution(); }
  std::vector<std::string> files() const;

  std::string state_name() const override { return "records"; }
  io::Json save_state() const override;
  void load_state(const io::Json& state) override;
  void sync_files() override;
  void continue_files(std::int64_t step) override;

 private:
  Expectations& expectations_;
  Quantities& quantities_;
  FreeBodies* free_bodies_;  // null: none
  int scalars_;              // of the lattice
  ProbeCells probe_cells_;
  ForceLogs forces_;
  FlowMonitor monitor_;
  ProbeLogs probes_;
  std::vector<io::CsvLog*> logs_;
};

// "; at Re 1185, target 5.33e+06" for the end of a line about a force; empty without a caution.
std::string beside(const std::string& caution);

// "speed 1.52 m/s, car: C (0.01, 0.2, 0.48), change 3.2e-04 (steady below 1e-05)": what is known of
// it; empty: nothing. change: of the kinetic energy, or of the quantities of run.until_steady, per
// convective time; with run.until_steady.error "error", the estimated one. C: coefficients of the
// force along x, y and z; of two bodies at most.
std::string flow_line(const Case& lbm_case, const FlowRecords& records);

// Lines for the end of a run: the flow, the force on each body (of ten at most), how far from
// steady.
std::string flow_summary(const Case& lbm_case, const FlowRecords& records);

}  // namespace lbm::cases
