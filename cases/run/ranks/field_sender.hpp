// SPDX-License-Identifier: Apache-2.0

// The fields of a process that is not the root. The process writes its part of the results that the
// root shares with it, and sends the root all other wanted fields.
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
  // Keeps the references.
  FieldSender(tiling::Ranks& ranks, const Case& lbm_case, const Setup& setup);

  // Announces a sweep that emits fields. Called before it by the thread that runs the pipeline.
  // planes: of this process at its end.
  void expect(std::int64_t step, std::vector<tiling::FieldBox> boxes,
              const std::vector<int>& planes);
  // After all sweeps: throws std::logic_error if planes of this process are missing, since nobody
  // has synced their files.
  void check_complete();
  // Handles tag_share and the tag_allow that follows for the same step. By the listening thread.
  void take(tiling::Message message);

  std::vector<tiling::FieldBox> boxes(std::int64_t) const override { return boxes_; }
  std::int64_t most_plane_cells(const Lattice&) const override { return most_cells_; }
  void on_plane(std::int64_t step, int box, int z, std::span<const float> drho,
                std::span<const float> velocity) override;

 private:
  struct Coming {
    tiling::FieldBox box;
    int planes;       // still missing
    int first, slab;  // first plane of the slab, and number of its planes
  };
  std::vector<tiling::Message> wait_until_allowed(std::int64_t step);
  void open(const tiling::Message& message);
  bool is_near_end(const Coming& coming, int z) const;

  tiling::Ranks& ranks_;
  int nz_;
  std::int64_t most_cells_;
  SharedFields shared_;                  // used by the thread of on_plane()
  std::vector<tiling::FieldBox> boxes_;  // of the newest sweep that emits
  std::mutex mutex_;                     // guards all below
  std::condition_variable allowed_;
  std::int64_t allowed_step_ = -1;
  std::vector<char> wants_values_;                      // by box of allowed_step_
  std::vector<tiling::Message> results_;                // tag_share, to be opened
  std::map<std::int64_t, std::vector<Coming>> coming_;  // by step; boxes in their order
};

}  // namespace lbm::cases
