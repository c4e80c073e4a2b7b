// SPDX-License-Identifier: Apache-2.0
#include "cases/run/ranks/root/record_merger.hpp"

#include "tiling/pipeline/merge_records.hpp"

namespace lbm::cases {

void RecordMerger::add(std::int64_t step, std::span<const std::int64_t> record, bool sampled) {
  const std::scoped_lock lock(mutex_);
  Record& all = waiting_[step];
  if (all.parts++ == 0) {
    all.values.assign(record.begin(), record.end());
    all.sampled = sampled;
  } else {
    tiling::merge_record(all.values, record);
  }
}

std::optional<std::pair<std::int64_t, RecordMerger::Record>> RecordMerger::next() {
  const std::scoped_lock lock(mutex_);
  if (waiting_.empty() || waiting_.begin()->second.parts < ranks_) return std::nullopt;
  auto node = waiting_.extract(waiting_.begin());
  return std::pair{node.key(), std::move(node.mapped())};
}

void RecordMerger::deliver() {
  for (check_(); const auto one = next(); check_()) {
    const auto& [step, record] = *one;
    if (record.sampled) tiling::refuse_bad_cells(lattice_, step, record.values);
    sink_.on_step(step, record.values, record.sampled);
  }
}

void RecordMerger::on_step(std::int64_t step, std::span<const std::int64_t> record, bool sampled) {
  add(step, record, sampled);
  deliver();
}

}  // namespace lbm::cases
