// SPDX-License-Identifier: Apache-2.0

// Distributes the fields of a run to their consumers, by step and region.
#pragma once

#include <atomic>
#include <functional>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "cases/run/pictures/python.hpp"
#include "cases/run/records/expectations.hpp"
#include "cases/run/records/quantities.hpp"
#include "cases/run/records/stateful.hpp"
#include "cases/run/results/field_consumer.hpp"
#include "tiling/model/choose_schedule.hpp"
#include "tiling/model/performance_model.hpp"
#include "tiling/pipeline/field_ring.hpp"

namespace lbm::cases {

// Steps of a sweep before its last one whose files and pictures are made. Each
// has memory for its planes as long as the sweep lasts.
inline constexpr int most_early_outputs = 3;

// Limits the sweeps of `run` by the outputs of the case. in_order: planes of several steps cannot
// arrive interleaved, so sweeps end on files and pictures, too.
void limit_sweeps(const Case& lbm_case, const Derived& derived, bool in_order,
                  tiling::RunShape& run);

// Upper bounds of what the case's results require from the pipeline.
tiling::OutputShape output_shape(const Case& lbm_case, const Derived& derived);

// on_...() and boxes() are called by the pipeline; files() after its destruction.
class FieldOutputs final : public tiling::FieldSink {
 public:
  // Throws ResourceError without enough memory for statistics. Warns of outputs that failed and did
  // not end the run (output.on_error).
  FieldOutputs(const Case& lbm_case, const CaseModel& model, const io::RunDirectory& directory,
               Expectations& expectations, Quantities& quantities, Notices& notices,
               bool shared_sums = false);

  // Host memory in bytes beside that of the pipeline.
  std::uint64_t host_bytes() const { return host_bytes_; }
  // True if fields are wanted at any step.
  bool wants_any() const { return !consumers_.empty(); }
  // True if fields are wanted at `step`.
  bool wants(std::int64_t step) const;
  // The first later step at which any fields are wanted, and at which some are wanted whose planes
  // must not mix with those of other steps.
  std::optional<std::int64_t> next_after(std::int64_t step) const { return next_of(false, step); }
  std::optional<std::int64_t> next_in_order_after(std::int64_t step) const {
    return next_of(true, step);
  }

  std::vector<tiling::FieldBox> boxes(std::int64_t step) const override {
    return wanted(step).boxes;
  }
  std::int64_t most_plane_cells(const Lattice& lattice) const override;
  void on_sweep(std::int64_t step) override;
  void on_plane(std::int64_t step, int box, int z, const FieldPlane& plane) override {
    add_plane(step, box, z, plane, {});
  }
  // A result of a step for which on_sweep() was called.
  struct Shared {
    int index;  // of an image in field_outputs(), of sums in Case::statistics
    SharedResult result;
  };
  // The results to which other writers may add planes (share() of the consumers).
  std::vector<Shared> share(std::int64_t step);
  // By box: whether the values of a plane must come here although its part of the shared results is
  // done.
  std::vector<char> wants_values(std::int64_t step) const;
  // As on_plane(). done: shared results to which another writer has added the plane. Values may be
  // missing where these are all results that want the plane.
  void add_plane(std::int64_t step, int box, int z, const FieldPlane& plane, const PlaneDone& done);
  // Another writer has written plane z of a shared image of SharedKind::derived.
  void on_derived_plane(std::int64_t step, int output, int z);
  // The other writer, with that name in messages, failed to write to the image, with an errno.
  void on_error_of(const std::string& writer, std::int64_t step, int output, int error);
  // The run ends at `step`, earlier than the case says: outputs at the end are due then. Call
  // before the sweep that ends there begins.
  void end_at(std::int64_t step) { last_step_ = step; }
  // The run and its pipeline have finished.
  void finish(std::int64_t step);
  // Waits for the pictures whose data files are complete; no more are drawn then.
  void finish_pictures();
  // Writes what files lack of the steps so far: their indexes.
  void flush();
  // Names of completed files.
  std::vector<std::string> files() const;
  // Parts with state in checkpoints.
  std::vector<Stateful*> parts() const;

 private:
  // Consumers of the fields of a step, by box.
  struct Wanted {
    std::vector<tiling::FieldBox> boxes;
    std::vector<std::vector<FieldConsumer*>> consumers;
    std::map<const FieldConsumer*, SharedKind> shared;
  };
  Wanted wanted(std::int64_t step) const;
  std::optional<std::int64_t> next_of(bool in_order, std::int64_t step) const;
  // Runs work(). If the disk is full, rethrows, or with `output.on_error: continue` warns and
  // disables this consumer for the rest of the run.
  void attempt(FieldConsumer& consumer, const std::function<void()>& work);

  std::atomic<std::int64_t> last_step_;
  std::uint64_t host_bytes_;
  std::vector<std::unique_ptr<FieldConsumer>> consumers_;
  std::size_t outputs_ = 0, first_statistics_ = 0, statistics_ = 0;  // their consumers
  bool stops_on_error_;
  Notices& notices_;
  std::set<const FieldConsumer*> failed_;
  std::optional<Drawing> drawing_;
  std::map<std::int64_t, Wanted> under_way_;  // used only by the thread that receives fields
};

}  // namespace lbm::cases
