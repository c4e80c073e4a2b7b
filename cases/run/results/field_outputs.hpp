// What becomes of a run's fields: who wants which cells after which step, and who gets them.
#pragma once

#include <atomic>
#include <functional>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "cases/run/records/expectations.hpp"
#include "cases/run/results/field_consumer.hpp"
#include "cases/run/results/result_context.hpp"
#include "tiling/model/memory_needed.hpp"
#include "tiling/pipeline/field_ring.hpp"

namespace lbm::cases {

// The outputs of a case by name; the first one is that of `output`, where it writes anything.
std::vector<FieldOutput> field_outputs(const Case& lbm_case);

// Steps between outputs, as far as they bound the steps of a sweep; 0: they do not.
std::int64_t output_interval(const Case& lbm_case, const Derived& derived);

// What the case's results ask of the pipeline, at most.
tiling::OutputShape output_shape(const Case& lbm_case, const Derived& derived);

// on_..., boxes: by the pipeline; files() when it is gone.
class FieldOutputs final : public tiling::FieldSink {
 public:
  // Throws ResourceError where there is no memory for statistics.
  FieldOutputs(const Case& lbm_case, const CaseModel& model, const io::RunDirectory& directory,
               Expectations& expectations);

  // Bytes that are held on the host beside the pipeline.
  std::uint64_t host_bytes() const;
  // Whether the fields after any step are wanted, or after this one.
  bool wants_any() const { return !consumers_.empty(); }
  bool wants(std::int64_t step) const;
  // The first step > step on which a sweep has to end.
  std::optional<std::int64_t> next_after(std::int64_t step) const;

  std::vector<tiling::FieldBox> boxes(std::int64_t step) const override;
  std::int64_t most_plane_cells(const Lattice& lattice) const override;
  void on_sweep(std::int64_t step) override;
  void on_plane(std::int64_t step, int box, int z, std::span<const float> density,
                std::span<const float> velocity) override;
  // For several processes, of a step of which on_sweep() has been called.
  struct SharedImage {
    int output;  // its number in field_outputs()
    io::ImagePlace place;
  };
  // The images whose planes others may write.
  std::vector<SharedImage> share(std::int64_t step);
  // By box: whether the values of a plane are wanted when its part of these images is written.
  std::vector<char> wants_values(std::int64_t step) const;
  // As on_plane(), where another process has written its part of these images. The values may be
  // missing where they are not wanted.
  void on_written_plane(std::int64_t step, int box, int z, std::span<const float> density,
                        std::span<const float> velocity);
  // That process could not write to that image: an errno.
  void on_error_of(int process, std::int64_t step, int output, int error);
  // The run ends at that step, which is before the one that the case says: what is wanted at the
  // end is wanted then. Before the sweep that ends there begins.
  void end_at(std::int64_t step) { last_step_ = step; }
  // The run is over, completely; the pipeline is done.
  void finish(std::int64_t step);
  // Names of the files that are complete.
  std::vector<std::string> files() const;
  // What went wrong and did not end the run (output.on_error).
  const std::vector<std::string>& warnings() const { return warnings_; }
  // For checkpoints.
  std::vector<Stateful*> parts() const;

 private:
  // Those who want the fields of that step, box by box.
  struct Wanted {
    std::vector<tiling::FieldBox> boxes;
    std::vector<std::vector<FieldConsumer*>> consumers;
    std::set<const FieldConsumer*> shared;
  };
  Wanted wanted(std::int64_t step) const;
  // Does what throws for a disk that takes no more; without that consumer from then on where the
  // case says so.
  void attempt(FieldConsumer& consumer, const std::function<void()>& work);

  std::atomic<std::int64_t> last_step_;
  std::vector<FieldOutput> outputs_;  // named ones, to which the consumers refer
  std::vector<std::unique_ptr<FieldConsumer>> consumers_;
  bool stops_on_error_;
  std::set<const FieldConsumer*> failed_;
  std::vector<std::string> warnings_;
  std::map<std::int64_t, Wanted> under_way_;  // of the thread that takes fields
};

}  // namespace lbm::cases
