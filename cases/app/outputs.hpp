// What becomes of a run's fields: VTKHDF files, centre-line profiles, and what the case expects of
// them.
//
// Everything is dimensionless: lengths in reference lengths, velocities in reference velocities,
// times in convective times, density in units of the initial one.
#pragma once

#include <atomic>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "cases/app/case.hpp"
#include "cases/app/derived.hpp"
#include "cases/app/expectations.hpp"
#include "cases/app/profiles.hpp"
#include "cases/app/stateful.hpp"
#include "io/run_directory.hpp"
#include "io/series_writer.hpp"
#include "io/vtkhdf_writer.hpp"
#include "tiling/pipeline.hpp"

namespace lbm::app {

// What the pipeline calls (on_...) runs in a thread of its own; files() waits for nothing, so ask
// when the pipeline is gone.
class FieldOutputs final : public tiling::FieldSink, public Stateful {
 public:
  // Fields are written at the steps of the case's schedule; profiles at the end of the run, when
  // expectations get the planes, too.
  FieldOutputs(const Case& lbm_case, const Derived& derived, const io::RunDirectory& directory,
               Expectations& expectations);

  // Bytes that all field files after that step will take.
  std::uint64_t predicted_bytes(std::int64_t after_step = 0) const;
  // Whether the fields after any step are wanted, or after this one.
  bool wants_any() const;
  bool wants(std::int64_t step) const;
  // Opens the file of that step, so that reserving its space on the disk costs no time later.
  void on_sweep(std::int64_t step) override;
  void on_plane(std::int64_t step, int z, std::span<const float> density,
                std::span<const float> velocity) override;
  // The run ends at that step, which is before the one that the case says: what is wanted at the
  // end is wanted then. Before the sweep that ends there begins.
  void end_at(std::int64_t step) { last_step_ = step; }
  // Names of the files that are complete.
  const std::vector<std::string>& files() const { return files_; }

  // What it knows is in the index of the files.
  std::string state_name() const override { return "fields"; }
  io::Json save_state() const override { return io::Json::object(); }
  void load_state(const YAML::Node&) override {}
  void continue_files(std::int64_t step) override;

 private:
  struct Output {  // under way
    std::string file_name;
    std::unique_ptr<io::VtkhdfWriter> writer;  // null where only profiles are wanted
    std::optional<Profiles> profiles;
    bool judged = false;  // expectations are about it
    int planes = 0;       // that came
  };
  void open_file(std::int64_t step, Output& output);
  void finish(std::int64_t step, Output& output);
  bool writes_profiles(std::int64_t step) const;
  bool writes_file(std::int64_t step) const;
  bool is_judged(std::int64_t step) const;

  const Case& case_;
  const Derived& derived_;
  const io::RunDirectory& directory_;
  Expectations& expectations_;
  io::ImageGeometry geometry_;
  io::SeriesWriter series_;
  std::map<std::int64_t, Output> outputs_;  // by step: sweeps overlap, so several may be open
  std::vector<std::string> files_;
  std::atomic<std::int64_t> last_step_;
};

}  // namespace lbm::app
