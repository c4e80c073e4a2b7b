// SPDX-License-Identifier: Apache-2.0

// Times of field output.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "cases/case/case.hpp"
#include "cases/case/derived.hpp"

namespace lbm::cases {

// The steps after which fields are written.
class OutputTimes {
 public:
  // `at`: in any order, repeats allowed; steps outside 1..last_step are dropped. every: 0 for
  // never. every_time: interval in steps, not necessarily whole; its multiples are rounded; 0 for
  // never.
  OutputTimes(std::vector<std::int64_t> at, std::int64_t every, std::int64_t last_step,
              double every_time = 0);

  // The first later output step; empty if none is left.
  std::optional<std::int64_t> next_output_after(std::int64_t step) const;

  bool contains(std::int64_t step) const { return next_output_after(step - 1) == step; }
  // Number of output steps after `after`; multiples of both intervals count twice.
  std::int64_t count(std::int64_t after = 0) const;

 private:
  bool repeats_at(std::int64_t step) const;
  std::int64_t repeats_until(std::int64_t step) const;

  std::vector<std::int64_t> at_;  // sorted, unique
  std::int64_t every_ = 0;
  std::int64_t last_step_ = 0;
  double every_time_ = 0;
};

// Times of the output; the end of the run where the case ends there.
OutputTimes schedule_of(const FieldOutput& output, const Derived& derived);

}  // namespace lbm::cases
