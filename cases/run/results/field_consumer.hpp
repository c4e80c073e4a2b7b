// SPDX-License-Identifier: Apache-2.0

// Interface of a consumer of fields at some steps, the data of the run that consumers need, the
// consumers that write results or sum regions, and predictions of what they write, without a run.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "cases/case/case.hpp"
#include "cases/case/model/case_model.hpp"
#include "cases/case/units.hpp"
#include "cases/fields/running_moments.hpp"
#include "cases/run/records/quantities.hpp"
#include "cases/run/records/stateful.hpp"
#include "io/files/run_directory.hpp"
#include "io/image/image.hpp"
#include "solver/core/enum_names.hpp"
#include "tiling/store/plane_store.hpp"

namespace lbm::cases {

struct ResultContext {
  const Case& lbm_case;
  const CaseModel& model;
  const io::RunDirectory& directory;
  // Last step of the run; decreases if the flow becomes steady.
  const std::atomic<std::int64_t>& last_step;
  bool shared_sums = false;  // sums of statistics lie in memory that other writers can map
};

// Ways in which other writers add planes to a result.
enum class SharedKind : std::int32_t {
  image,    // they write their planes of an image
  derived,  // the same, but a plane needs its neighbours: they write those between their own planes
  sums      // they add their planes to the sums of statistics
};

struct SharedResult {
  SharedKind kind = SharedKind::image;
  io::ImagePlace image;
  std::string sums;          // name of SharedMemory
  std::int64_t samples = 0;  // in the sums, with this step's
};

// The shared results of a step to which another writer has added one plane.
struct PlaneDone {
  bool images = false, derived = false, sums = false;

  bool has(SharedKind kind) const {
    return kind == SharedKind::image ? images : kind == SharedKind::derived ? derived : sums;
  }
};

// wants() and next_after() are called on the pipeline's thread, the methods that receive fields on
// a thread of their own, files() after that has ended. May throw ResourceError.
class FieldConsumer : public Stateful {
 public:
  FieldConsumer() = default;
  FieldConsumer(const FieldConsumer&) = delete;
  FieldConsumer& operator=(const FieldConsumer&) = delete;

  virtual bool wants(std::int64_t step) const = 0;
  // The first later step that it certainly wants.
  virtual std::optional<std::int64_t> next_after(std::int64_t step) const = 0;
  // True if planes of several steps may arrive interleaved. False: sweeps end at the wanted steps,
  // and all planes of a step arrive before the planes of the next step.
  virtual bool takes_mixed_steps() const { return false; }
  // The cells it wants, the same at every step.
  virtual tiling::FieldBox box() const = 0;

  // Planes of `step` will follow. Planes of earlier steps may still follow after it.
  virtual void begin([[maybe_unused]] std::int64_t step) {}
  virtual void add_plane(std::int64_t step, int z, const FieldPlane& plane) = 0;

  // Opens the result of a step that has begun to other writers; empty: all planes must come here.
  virtual std::optional<SharedResult> share([[maybe_unused]] std::int64_t step) {
    return std::nullopt;
  }
  // For a shared step: another writer has added plane z, or has met an errno.
  virtual void plane_done([[maybe_unused]] std::int64_t step, [[maybe_unused]] int z) {}
  virtual void fail([[maybe_unused]] std::int64_t step, [[maybe_unused]] int error) {}

  // The run has ended at `step`; no fields follow.
  virtual void finish([[maybe_unused]] std::int64_t step) {}

  // Names of completed files.
  virtual std::vector<std::string> files() const { return {}; }

  // Most consumers have no state.
  io::Json save_state() const override;
  void load_state([[maybe_unused]] const io::Json& state) override {}
};

// The named outputs of a case; the first one is that of `output`, unless it writes nothing.
std::vector<FieldOutput> field_outputs(const Case& lbm_case);
// The picture as an output of fields: its cells and times, and the fields that it needs, in lattice
// units.
FieldOutput fields_of(const Case& lbm_case, const Derived& derived, const Picture& picture);

// All arguments must outlive the consumer. Statistics throw ResourceError without enough memory.
using ConsumerPtr = std::unique_ptr<FieldConsumer>;
ConsumerPtr make_field_files(const ResultContext& context, const FieldOutput& output);
ConsumerPtr make_picture_files(const ResultContext& context, const Picture& picture,
                               Notices& notices);
ConsumerPtr make_statistics_files(const ResultContext& context, const Statistics& statistics);
// Sums the fields in the region of a quantity that is not is_of_box_sums(), and gives the sums to
// `quantities`. position: in Case::quantities.
ConsumerPtr make_region_quantity(const ResultContext& context, std::size_t position,
                                 Quantities& quantities);

// Bytes of one file. Fields and statistics: without compression; surfaces: empty, as their size is
// unknown. Pictures: without compression, more than the file will have, and of the data of a slice
// or projection; those of a surface are unknown.
std::optional<std::uint64_t> predicted_bytes(const Case& lbm_case, const Derived& derived,
                                             const FieldOutput& output);
std::uint64_t predicted_bytes(const Case& lbm_case, const Derived& derived, const Picture& picture);
std::uint64_t predicted_bytes(const Case& lbm_case, const Derived& derived,
                              const Statistics& statistics);
// Number of files written after a step, in a run that reaches its end.
std::int64_t count_of_files(const Case& lbm_case, const Derived& derived,
                            const Statistics& statistics, std::int64_t after_step);
// The least number of steps between two samples.
std::int64_t least_interval(const Case& lbm_case, const Derived& derived,
                            const Statistics& statistics);

// Host memory in bytes of all statistics, and of all pictures that lack planes.
std::uint64_t statistics_bytes(const Case& lbm_case, const Derived& derived);
std::uint64_t pictures_bytes(const Case& lbm_case, const Derived& derived);

// The sums of one statistics with this box, of a lattice with so many scalars; and their array in a
// checkpoint.
fields::MomentsShape shape_of(const Statistics& statistics, const tiling::FieldBox& box,
                              int scalars);
io::PlaneArray saved_array(const Case& lbm_case, const Derived& derived,
                           const Statistics& statistics);

enum class ResultKind { fields, surface, statistics, probes, pictures };
constexpr auto enum_names(ResultKind) {
  return std::array{"fields", "surface", "statistics", "probes", "pictures"};
}

struct ResultSize {
  std::string name;  // name in the case: "output", "outputs.cut", "statistics.mean", "probes.line"
  ResultKind kind = ResultKind::fields;
  std::int64_t count = 0;              // files; for probes, rows of the only file
  std::optional<std::uint64_t> bytes;  // of all files; empty for surfaces, whose size is unknown
  bool compressed = false;             // true: the files become smaller than `bytes`
};

// In the order of the case, for a run that continues after a step and reaches its end. Images and
// pictures are predicted without compression; probes are an estimate.
std::vector<ResultSize> result_sizes(const Case& lbm_case, const Derived& derived,
                                     std::int64_t after_step = 0);

// Sum of the predictable results, at most most_bytes (limits.hpp).
std::uint64_t total_bytes(std::span<const ResultSize> results);

// Number of files of `output` and `outputs`.
std::int64_t count_of_field_files(std::span<const ResultSize> results);

}  // namespace lbm::cases
