// SPDX-License-Identifier: Apache-2.0

// Notes and warnings of a run: kept for the report, and passed on as they come.
#pragma once

#include <functional>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

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

}  // namespace lbm::cases
