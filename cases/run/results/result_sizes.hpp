// What a case will write, result by result, without a run.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "cases/case/case.hpp"
#include "cases/case/derived.hpp"

namespace lbm::cases {

enum class ResultKind { fields, surface, statistics, probes };
const char* to_string(ResultKind kind);

struct ResultSize {
  std::string name;  // its keys: "output", "outputs.cut", "statistics.mean", "probes.line"
  ResultKind kind = ResultKind::fields;
  std::int64_t count = 0;              // files; of probes: rows of the one file
  std::optional<std::uint64_t> bytes;  // of all of them; empty for surfaces, of which nobody knows
  bool compressed = false;             // then they take less
};

// In the order of the case, for a run that goes on after that step and comes to its end. Images are
// foretold without compression; probes are an estimate.
std::vector<ResultSize> result_sizes(const Case& lbm_case, const Derived& derived,
                                     std::int64_t after_step = 0);

// Of those that can be foretold; at most most_bytes (saturating.hpp).
std::uint64_t total_bytes(std::span<const ResultSize> results);

// Files of `output` and `outputs`.
std::int64_t count_of_field_files(std::span<const ResultSize> results);

}  // namespace lbm::cases
