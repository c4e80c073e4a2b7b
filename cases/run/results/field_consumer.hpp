// SPDX-License-Identifier: Apache-2.0

// Interface of a consumer of fields at some steps, and the data of the run that consumers need.
#pragma once

#include <atomic>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "cases/case/case.hpp"
#include "cases/case/model/case_model.hpp"
#include "cases/run/records/stateful.hpp"
#include "io/files/run_directory.hpp"
#include "io/image/image.hpp"
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
  virtual void add_plane(std::int64_t step, int z, std::span<const float> drho,
                         std::span<const float> velocity) = 0;

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

}  // namespace lbm::cases
