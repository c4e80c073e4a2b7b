// SPDX-License-Identifier: Apache-2.0

// The fields of a process that is not the root. The process makes its part of the results that the
// root shares, and sends the root all other fields that are wanted.
#pragma once

#include <condition_variable>
#include <map>
#include <mutex>
#include <vector>

#include "cases/run/ranks/rank_messages.hpp"
#include "cases/run/ranks/shared_fields.hpp"
#include "cases/run/setup/setup.hpp"
#include "tiling/pipeline/field_ring.hpp"

namespace lbm::cases {

class FieldSender final : public tiling::FieldSink {
 public:
  // All must outlive it.
  FieldSender(tiling::Ranks& ranks, const Case& lbm_case, const Setup& setup);

  // By the thread that runs the pipeline, before a sweep that gives fields. planes: those of this
  // process after that step.
  void expect(std::int64_t step, std::vector<tiling::FieldBox> boxes,
              const std::vector<int>& planes);
  // When all sweeps are done: throws std::logic_error where planes of this process never came,
  // whose files nobody has synced.
  void check_complete();
  // By the thread that listens: tag_share, and tag_allow, which comes after those of its step.
  void take(tiling::Message message);

  std::vector<tiling::FieldBox> boxes(std::int64_t) const override { return boxes_; }
  std::int64_t most_plane_cells(const Lattice&) const override { return most_cells_; }
  void on_plane(std::int64_t step, int box, int z, std::span<const float> drho,
                std::span<const float> velocity) override;

 private:
  struct Coming {
    tiling::FieldBox box;
    int planes;       // that have not come
    int first, slab;  // of the slab: its first plane, and how many
  };
  std::vector<tiling::Message> wait_until_allowed(std::int64_t step);
  void open(const tiling::Message& message);
  bool is_near_end(const Coming& coming, int z) const;

  tiling::Ranks& ranks_;
  int nz_;
  std::int64_t most_cells_;
  SharedFields shared_;                  // of the thread that takes fields
  std::vector<tiling::FieldBox> boxes_;  // of the newest sweep that emits
  std::mutex mutex_;                     // of all below
  std::condition_variable allowed_;
  std::int64_t allowed_step_ = -1;
  std::vector<char> wants_values_;                      // of that step's boxes
  std::vector<tiling::Message> results_;                // to be opened
  std::map<std::int64_t, std::vector<Coming>> coming_;  // by step; boxes in their order
};

}  // namespace lbm::cases
