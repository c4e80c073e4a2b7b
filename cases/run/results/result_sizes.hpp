// SPDX-License-Identifier: Apache-2.0

// Predicts the output of a case, result by result, without a run.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "cases/case/case.hpp"
#include "cases/case/units.hpp"
#include "solver/core/enum_names.hpp"

namespace lbm::cases {

enum class ResultKind { fields, surface, statistics, probes, pictures };
constexpr auto enum_names(ResultKind) {
  return std::array{"fields", "surface", "statistics", "probes", "pictures"};
}

struct ResultSize {
  std::string name;  // name in the case: "output", "outputs.cut", "statistics.mean", "probes.line"
  ResultKind kind = ResultKind::fields;
  std::int64_t count = 0;              // files; for probes, rows of the only file
  std::optional<std::uint64_t> bytes;  // of all files; empty for surfaces, whose size is unknown
  bool compressed = false;             // true: the files become smaller than `bytes`
};

// In the order of the case, for a run that continues after a step and reaches its end. Images and
// pictures are predicted without compression; probes are an estimate.
std::vector<ResultSize> result_sizes(const Case& lbm_case, const Derived& derived,
                                     std::int64_t after_step = 0);

// Sum of the predictable results, at most most_bytes (limits.hpp).
std::uint64_t total_bytes(std::span<const ResultSize> results);

// Number of files of `output` and `outputs`.
std::int64_t count_of_field_files(std::span<const ResultSize> results);

}  // namespace lbm::cases
