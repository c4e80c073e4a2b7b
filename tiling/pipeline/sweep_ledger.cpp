// SPDX-License-Identifier: Apache-2.0
#include "tiling/pipeline/sweep_ledger.hpp"

#include <algorithm>

namespace lbm::tiling {

void SweepLedger::begin(const Sweep& sweep) {
  step_ += sweep.steps;
  const std::int64_t last = every_step_ ? step_ : records_begun_;
  const int count = records_of(sweep);
  sweeps_.push_back({sweep, {step_, last, count, sweep.check}, {}, {}});
  records_begun_ += count;
}

const Emission* SweepLedger::early(const Update& update) const {
  const Entry& entry = at(update.sweep);
  const std::vector<int>& levels = entry.sweep.early;
  const auto found = std::lower_bound(levels.begin(), levels.end(), update.level);
  if (found == levels.end() || *found != update.level) return nullptr;
  const auto i = static_cast<std::size_t>(found - levels.begin());
  return i < entry.early.size() ? &entry.early[i] : nullptr;
}

int SweepLedger::complete_oldest() {
  const Entry& oldest = sweeps_.front();
  const int steps = oldest.sweep.steps;
  records_completed_ += oldest.records.count;
  sweeps_.pop_front();
  ++first_;
  return steps;
}

}  // namespace lbm::tiling
