// SPDX-License-Identifier: Apache-2.0

// The interface of parts of a run that save state in a checkpoint beside the lattice; notes and
// warnings of these parts, kept for the report and passed on as they come.
#pragma once

#include <cstdint>
#include <functional>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "io/checkpoint/checkpoint.hpp"
#include "io/text/json.hpp"

namespace lbm::cases {

enum class NoticeKind { note, warning };

class Notices {
 public:
  using Tell = std::function<void(NoticeKind kind, const std::string& text)>;

  // tell may be null. It is called by the thread that has something to say, one call at a time.
  explicit Notices(Tell tell) : tell_(std::move(tell)) {}

  void note(const std::string& text) { add(NoticeKind::note, text); }
  void warn(const std::string& text) { add(NoticeKind::warning, text); }
  // All so far, oldest first.
  std::vector<std::string> texts() const {
    const std::scoped_lock lock(mutex_);
    return texts_;
  }

 private:
  void add(NoticeKind kind, const std::string& text) {
    const std::scoped_lock lock(mutex_);
    texts_.push_back(text);
    if (tell_) tell_(kind, text);
  }

  mutable std::mutex mutex_;
  Tell tell_;
  std::vector<std::string> texts_;
};

// Called between runs of the pipeline, when all steps up to the checkpoint are complete and all
// fields are written.
class Stateful {
 public:
  using TakePlanes = std::function<void(std::int64_t first, std::span<const std::byte> planes)>;

  virtual ~Stateful() = default;
  // Unique name in the file.
  virtual std::string state_name() const = 0;
  // A small state. Finite numbers are restored bit for bit; others are null.
  virtual io::Json save_state() const = 0;
  // Restores save_state(), possibly of a case with other outputs. Null if the checkpoint has no
  // state of this part, or an array of another size: the part starts anew then.
  virtual void load_state(const io::Json& state) = 0;

  // A large array, if any, with a unique name in the file. save_planes: passes on all planes, one
  // or more contiguous ones at a time. plane_to_load: destination of a plane; called from many
  // threads.
  virtual std::optional<io::PlaneArray> plane_array() const { return std::nullopt; }
  virtual void save_planes([[maybe_unused]] const TakePlanes& take) const {}
  virtual std::span<std::byte> plane_to_load([[maybe_unused]] std::int64_t plane) { return {}; }
  // Called when all planes are where plane_to_load() said.
  virtual void planes_loaded() {}

  // Returns once everything written to files so far is safe on the disk.
  virtual void sync_files() {}
  // Called before the first step of a continued run: removes contents of later steps from files.
  virtual void continue_files([[maybe_unused]] std::int64_t step) {}
};

}  // namespace lbm::cases
