// SPDX-License-Identifier: Apache-2.0

// The trace of a process that is not the root: sends its slices to the root, which writes the file.
#pragma once

#include <mutex>
#include <vector>

#include "cases/run/ranks/rank_messages.hpp"
#include "tiling/pipeline/trace.hpp"

namespace lbm::cases {

class SliceSender final : public tiling::TraceSink {
 public:
  // Keeps `ranks`. limit: largest number of slices.
  SliceSender(tiling::Ranks& ranks, std::int64_t limit) : ranks_(ranks), limit_(limit) {}

  void on_start(double, double zero) override { head_.zero = zero; }
  void on_slice(const tiling::Slice& slice) override;
  bool full() const override { return slices_ >= limit_; }

  // From now on on_slice() sends full messages; before, it collects.
  void start();
  // Sends all slices that are not sent yet.
  void send();

 private:
  void send_known();

  tiling::Ranks& ranks_;
  std::int64_t limit_, slices_ = 0;
  TraceMessage head_ = {};
  std::mutex mutex_;  // guards all below
  std::vector<tiling::Slice> known_;
  bool started_ = false;
};

}  // namespace lbm::cases
