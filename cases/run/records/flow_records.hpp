// SPDX-License-Identifier: Apache-2.0

// Records of each step of a run: CSV files of forces on bodies and of a monitor of the flow, and
// the check for a steady flow.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "cases/case/case.hpp"
#include "cases/case/derived.hpp"
#include "cases/case/units.hpp"
#include "cases/run/records/checkerboard.hpp"
#include "cases/run/records/expectations.hpp"
#include "cases/run/records/flow_sample.hpp"
#include "cases/run/records/probe_logs.hpp"
#include "cases/run/records/quantities.hpp"
#include "cases/run/records/stateful.hpp"
#include "io/files/run_directory.hpp"
#include "io/text/csv.hpp"
#include "tiling/pipeline/record_ring.hpp"

namespace lbm::cases {

// A sample as reports and checkpoints hold it.
void to_json(io::Json& json, const FlowSample& sample);

class FlowRecords final : public tiling::RecordSink, public Stateful {
 public:
  // fluid_cells: of the whole box. Opens forces_NAME.csv for each body, probe_NAME.csv for each
  // probe and monitor.csv if the case asks for it. continues: appends to existing files, which stay
  // unchanged until continue_files(). A directory that is_nowhere() gets no files; the case must
  // have no probes then. `expectations` receive the forces of every step and every monitor sample,
  // `quantities` the forces and probes of every step, `notices` what the samples say about the
  // flow. The files of `quantities` are flushed with the others.
  FlowRecords(const Case& lbm_case, const Derived& derived, const std::vector<std::string>& bodies,
              std::int64_t fluid_cells, const io::RunDirectory& directory,
              Expectations& expectations, Quantities& quantities, Notices& notices,
              const Boundaries& boundaries, bool continues = false);
  FlowRecords(const FlowRecords&) = delete;
  FlowRecords& operator=(const FlowRecords&) = delete;

  // Throws DivergedError where the flow is a checkerboard.
  void on_step(std::int64_t step, std::span<const std::int64_t> record, bool sampled) override;
  const ProbeCells* probes() const override { return &probe_cells_; }
  // Writes buffered lines. Throws ResourceError.
  void flush();

  // The next step at which the flow must be sampled; empty: none.
  std::optional<std::int64_t> next_sample_after(std::int64_t step) const;
  // True if the sample of `step` is used to detect a steady flow.
  bool checks_steadiness(std::int64_t step) const {
    return steady_every_ != 0 && step % steady_every_ == 0;
  }
  bool is_steady() const {
    if (quantities_.decide_steadiness()) return quantities_.are_steady();
    return steady_every_ != 0 && calm_samples_ >= 3;
  }
  // The last step whose sample was used to detect a steady flow; 0: none.
  std::int64_t steady_step() const { return last_steady_sample_ ? last_steady_sample_->step : 0; }
  // Relative change per convective time at the last check, to compare with
  // run.until_steady.tolerance; empty: no check yet, or none since a restart.
  std::optional<double> last_change() const {
    return quantities_.decide_steadiness() ? quantities_.last_change() : last_change_;
  }
  const std::optional<FlowSample>& last_sample() const { return last_sample_; }
  // Mach number of the fastest cell in the last sample; 0 before the first sample.
  double last_mach() const { return last_sample_ ? mach_of(*last_sample_) : 0; }
  // Forces at the last step, by body.
  const std::vector<BodyForces>& last_forces() const { return last_forces_; }
  const std::vector<std::string>& bodies() const { return names_; }
  // The caution that reports print beside each force (brief_caution()); empty: none.
  const std::string& caution() const { return caution_; }
  std::vector<std::string> files() const;

  std::string state_name() const override { return "records"; }
  io::Json save_state() const override;
  void load_state(const io::Json& state) override;
  void sync_files() override;
  void continue_files(std::int64_t step) override;

 private:
  BodyForces forces_of(std::span<const std::int64_t> values, std::size_t body) const;
  FlowSample state_of(std::int64_t step, std::span<const std::int64_t> record) const;
  void record_sample(const FlowSample& state);
  double mach_of(const FlowSample& state) const;
  void warn_if_fast(const FlowSample& state);
  void warn_if_compressed(const FlowSample& state);
  void open_logs(const io::RunDirectory& directory, bool continues);

  const Case& case_;
  const Derived& derived_;
  Units units_;
  Expectations& expectations_;
  Quantities& quantities_;
  std::vector<std::string> names_;
  std::vector<BodyReference> references_;
  std::int64_t cells_;
  std::string caution_;
  double fluid_cells_;
  std::int64_t monitor_every_ = 0, steady_every_ = 0;  // steps; 0: never
  ProbeCells probe_cells_;
  ProbeLogs probe_logs_;
  std::vector<io::CsvLog> force_logs_;
  std::optional<io::CsvLog> monitor_log_;
  std::vector<io::CsvLog*> logs_;  // of forces, the monitor and probes
  std::vector<BodyForces> last_forces_;
  std::optional<FlowSample> last_sample_, last_steady_sample_;
  std::optional<double> last_change_;
  int calm_samples_ = 0;
  Notices& notices_;
  bool warned_of_mach_ = false;
  bool warned_of_density_ = false;
  CheckerboardWatch checkerboard_;
};

}  // namespace lbm::cases
