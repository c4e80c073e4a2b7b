// SPDX-License-Identifier: Apache-2.0

// Flow records of several ranks, merged by step.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <mutex>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "tiling/pipeline/pipeline.hpp"

namespace lbm::cases {

// Sink of the root's own records. Hands a step to the case's sink once all ranks have given theirs.
class RecordMerger final : public tiling::RecordSink {
 public:
  // Keeps the references. check: throws the error of any rank; called before each delivery.
  RecordMerger(int ranks, const Lattice& lattice, tiling::RecordSink& sink,
               std::function<void()> check)
      : ranks_(ranks), lattice_(lattice), sink_(sink), check_(std::move(check)) {}

  // Adds the record of one rank. Thread-safe.
  void add(std::int64_t step, std::span<const std::int64_t> record, bool sampled);
  // Delivers all complete steps, oldest first; by the thread of the pipeline. Throws DivergedError.
  void deliver();

  void on_step(std::int64_t step, std::span<const std::int64_t> record, bool sampled) override;
  const ProbeCells* probes() const override { return sink_.probes(); }

 private:
  struct Record {
    std::vector<std::int64_t> values;
    bool sampled = false;
    int parts = 0;  // ranks that have given theirs
  };
  // The oldest step, if it is complete.
  std::optional<std::pair<std::int64_t, Record>> next();

  const int ranks_;
  const Lattice& lattice_;
  tiling::RecordSink& sink_;
  std::function<void()> check_;
  std::mutex mutex_;  // guards waiting_
  std::map<std::int64_t, Record> waiting_;
};

}  // namespace lbm::cases
