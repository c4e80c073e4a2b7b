// SPDX-License-Identifier: Apache-2.0

// The fields of a process that is not the root. The process writes its part of the results that the
// root shares with it, and sends the root all other wanted fields.
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <condition_variable>
#include <cstdint>
#include <cstring>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <stdexcept>
#include <utility>
#include <vector>

#include "cases/case/model/regions.hpp"
#include "cases/fields/running_moments.hpp"
#include "cases/run/ranks/rank_messages.hpp"
#include "cases/run/results/field_consumer.hpp"
#include "cases/run/results/field_outputs.hpp"
#include "cases/run/results/field_planes.hpp"
#include "io/hdf5/vtkhdf_image.hpp"
#include "tiling/pipeline/field_ring.hpp"

namespace lbm::cases {

class FieldSender final : public tiling::FieldSink {
 public:
  // Keeps the references.
  FieldSender(tiling::Ranks& ranks, const Case& lbm_case, const CaseModel& model)
      : ranks_(ranks),
        case_(lbm_case),
        model_(model),
        nz_(model.lattice.nz),
        most_cells_(output_shape(lbm_case, model.derived).field_cells),
        outputs_(field_outputs(lbm_case)) {}

  // Announces a sweep that emits fields. Called before it by the thread that runs the pipeline.
  // planes: of this process at its end.
  void expect(std::int64_t step, std::vector<tiling::FieldBox> boxes,
              const std::vector<int>& planes) {
    std::vector<Coming> now;
    for (const tiling::FieldBox& box : boxes) {
      const auto count =
          std::count_if(planes.begin(), planes.end(), [&](int z) { return box.has_plane(z, nz_); });
      now.push_back(
          {box, static_cast<int>(count), planes.front(), static_cast<int>(planes.size())});
    }
    boxes_ = std::move(boxes);
    const std::scoped_lock lock(mutex_);
    std::erase_if(coming_, [](const auto& of_step) {
      return std::all_of(of_step.second.begin(), of_step.second.end(),
                         [](const Coming& coming) { return coming.planes == 0; });
    });
    coming_.emplace(step, std::move(now));
  }

  // After all sweeps: throws std::logic_error if planes of this process are missing, since nobody
  // has synced their files.
  void check_complete() {
    const std::scoped_lock lock(mutex_);
    for (const auto& [step, boxes] : coming_) {
      for (const Coming& coming : boxes) {
        if (coming.planes == 0) continue;
        throw std::logic_error(
            fmt::format("{} planes of fields at step {} never came", coming.planes, step));
      }
    }
  }

  // Handles tag_share and the tag_allow that follows for the same step. By the listening thread.
  void take(tiling::Message message) {
    {
      const std::scoped_lock lock(mutex_);
      if (message.tag == tag_share) {
        // Results of earlier steps are obsolete: this process has received all its planes of these
        // steps, or has none.
        std::erase_if(shared_, [&](const tiling::Message& other) {
          return head_of<ShareMessage>(other).step < head_of<ShareMessage>(message).step;
        });
        shared_.push_back(std::move(message));
        return;
      }
      allowed_step_ = head_of<Number>(message);
      const auto wants = rest_of<Number, char>(message);
      wants_values_.assign(wants.begin(), wants.end());
    }
    allowed_.notify_all();
  }

  std::vector<tiling::FieldBox> boxes(std::int64_t) const override { return boxes_; }
  std::int64_t most_plane_cells(const Lattice&) const override { return most_cells_; }
  // Writes the plane into the shared results of its step and box. If one result of a kind cannot be
  // reached, the plane goes into none of this kind. The call for the last plane syncs the images.
  // An image that has failed is not tried again.
  // The root takes planes of one step at a time: until all of this process have come, it allows no
  // later one.
  void on_plane(std::int64_t step, int box, int z, const FieldPlane& plane) override {
    for (const tiling::Message& message : wait_until_allowed(step)) open(message);
    Coming coming;
    bool with_values = true;
    {
      const std::scoped_lock lock(mutex_);
      auto& of_step = coming_.at(step);
      coming = of_step.at(static_cast<std::size_t>(box));
      --of_step[static_cast<std::size_t>(box)].planes;
      with_values = wants_values_.at(static_cast<std::size_t>(box)) != 0;
    }
    const auto is_of = [&](const Result& r) { return r.step == step && r.box == coming.box; };
    // Kinds of which none is shared count as done.
    const auto reaches = [&](SharedKind kind) {
      return std::ranges::all_of(
          results_, [&](const Result& r) { return !is_of(r) || r.kind != kind || r.is_reached(); });
    };
    const bool derived = reaches(SharedKind::derived);
    const PlaneDone done{reaches(SharedKind::image), derived && !is_near_end(coming, z),
                         reaches(SharedKind::sums)};
    for (Result& result : results_) {
      if (!is_of(result)) continue;
      with_values = with_values || !done.has(result.kind);
      if (!(result.kind == SharedKind::derived ? derived : done.has(result.kind))) continue;
      if (result.kind == SharedKind::sums) {
        result.sums->add(result.box.index_of(z, nz_), result.samples, plane);
      } else {
        write(result, z, plane, coming.planes == 1);
      }
    }
    if (coming.planes == 1) std::erase_if(results_, is_of);
    const FieldsMessage head{step, box, z, done, {}};
    const auto values = plane.values.first(with_values ? plane.values.size() : 0);
    ranks_.send(root_rank, tag_fields, pack(head, {std::as_bytes(values)}));
  }

 private:
  struct Coming {
    tiling::FieldBox box;
    int planes;       // still missing
    int first, slab;  // first plane of the slab, and number of its planes
  };
  // A result that the root shares with this process.
  struct Result {
    std::int64_t step;
    SharedKind kind;
    int index;  // as in FieldOutputs::Shared
    tiling::FieldBox box;
    // Images:
    FieldPlanes* planes = nullptr;
    std::optional<FieldPlanes::Step> waiting = {};
    std::optional<io::VtkhdfPart> part = {};  // empty: the file cannot be reached
    std::optional<int> untold = {};           // the newest derived plane, not yet reported
    bool failed = false;
    // Sums:
    fields::RunningMoments* sums = nullptr;  // null: the memory cannot be reached
    std::int64_t samples = 0;

    bool is_reached() const { return part || sums != nullptr; }
  };

  std::vector<tiling::Message> wait_until_allowed(std::int64_t step) {
    std::unique_lock lock(mutex_);
    allowed_.wait(lock, [&] { return allowed_step_ >= step; });
    return std::exchange(shared_, {});
  }

  void open(const tiling::Message& message) {
    const auto head = head_of<ShareMessage>(message);
    // Results of earlier steps may be left, for example where this process has no planes of them.
    std::erase_if(results_, [&](const Result& result) { return result.step < head.step; });
    Result& result = results_.emplace_back(
        Result{head.step, static_cast<SharedKind>(head.kind), head.index, {}});
    result.samples = head.samples;
    std::string text = text_of<ShareMessage>(message);
    if (result.kind == SharedKind::sums) return open_sums(result, text);
    io::ImagePlace place;
    place.token = head.token;
    place.offsets.resize(static_cast<std::size_t>(head.arrays));
    const std::size_t bytes = place.offsets.size() * sizeof(std::uint64_t);
    std::memcpy(place.offsets.data(), text.data(), bytes);
    place.file = text.substr(bytes);
    open_image(result, place);
  }

  void open_image(Result& result, const io::ImagePlace& place) {
    FieldPlanes& planes = planes_
                              .try_emplace(result.index, case_, model_,
                                           outputs_.at(static_cast<std::size_t>(result.index)))
                              .first->second;
    result.box = planes.box().loaded;
    result.planes = &planes;
    result.waiting.emplace(planes.begin(result.step));
    result.part = io::VtkhdfPart::open(place, planes.geometry(), planes.arrays());
  }

  void open_sums(Result& result, const std::string& name) {
    const Statistics& statistics = case_.statistics.at(static_cast<std::size_t>(result.index));
    result.box = region_box(case_, model_.derived, statistics.region);
    auto [found, is_new] = opened_.try_emplace(result.index);
    if (is_new) {
      const fields::MomentsShape shape =
          shape_of(statistics, result.box, static_cast<int>(case_.scalars.size()));
      auto memory = SharedMemory::open(name, shape.bytes());
      if (memory) {
        found->second = std::make_unique<fields::RunningMoments>(shape, std::move(*memory));
      }
    }
    result.sums = found->second.get();
  }

  bool is_near_end(const Coming& coming, int z) const {
    const int at = (z - coming.first + nz_) % nz_;
    return at < 2 || at >= coming.slab - 2;
  }

  // last: the last plane of the image from this process.
  void write(Result& image, int z, const FieldPlane& plane, bool last) {
    if (image.failed) return;
    int error = 0;
    const auto tell = [&](std::optional<int> written) {
      if (!written) return;
      ranks_.send(root_rank, tag_derived, pack(DerivedMessage{image.step, image.index, *written}));
    };
    const auto write_plane = [&](int at, std::span<const std::span<const float>> arrays) {
      if (error == 0) error = image.part->write_plane(image.planes->index(at), arrays);
      if (error == 0 && image.kind == SharedKind::derived) tell(std::exchange(image.untold, at));
    };
    image.planes->add(*image.waiting, z, plane, write_plane);
    // The root closes the image when it has heard of all planes: of one only after the sync.
    if (error == 0 && last) error = image.part->sync();
    if (error == 0 && last) tell(std::exchange(image.untold, std::nullopt));
    if (error == 0) return;
    image.failed = true;
    ranks_.send(root_rank, tag_image_error,
                pack(ImageErrorMessage{image.step, image.index, error}));
  }

  tiling::Ranks& ranks_;
  const Case& case_;
  const CaseModel& model_;
  int nz_;
  std::int64_t most_cells_;
  // Used by the thread of on_plane():
  std::vector<FieldOutput> outputs_;
  std::map<int, FieldPlanes> planes_;                              // of outputs that were shared
  std::map<int, std::unique_ptr<fields::RunningMoments>> opened_;  // of statistics, by index
  std::vector<Result> results_;
  std::vector<tiling::FieldBox> boxes_;  // of the newest sweep that emits
  std::mutex mutex_;                     // guards all below
  std::condition_variable allowed_;
  std::int64_t allowed_step_ = -1;
  std::vector<char> wants_values_;                      // by box of allowed_step_
  std::vector<tiling::Message> shared_;                 // tag_share, to be opened
  std::map<std::int64_t, std::vector<Coming>> coming_;  // by step; boxes in their order
};

}  // namespace lbm::cases
