// SPDX-License-Identifier: Apache-2.0
#include "cases/run/ranks/same_run.hpp"

#include <fmt/format.h>
#include <sys/stat.h>

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

#include "cases/case/case_location.hpp"
#include "cases/case/schema/keys.hpp"
#include "cases/run/checkpoint/checkpoints.hpp"
#include "cases/run/checkpoint/restart.hpp"
#include "io/files/checksum.hpp"
#include "solver/core/error.hpp"

namespace lbm::cases {
namespace {

constexpr std::size_t longest_value = 200;  // in messages

// The first rank whose value is not that of rank 0; 0: all values are equal.
template <class Value>
std::size_t first_other(const std::vector<Value>& values) {
  const auto other = std::find_if(values.begin(), values.end(),
                                  [&](const Value& value) { return value != values.front(); });
  return other == values.end() ? 0 : static_cast<std::size_t>(other - values.begin());
}

bool must_agree(const std::string& path) {
  return !path.starts_with("device.") && !path.starts_with("host.") && !path.ends_with(".file");
}

std::vector<std::string> lines_of(const Case& lbm_case) {
  std::vector<std::string> lines;
  for_each_key(lbm_case, [&](const Key& key, const std::string& path, std::size_t item) {
    const std::string value = key.write(lbm_case, item);
    if (must_agree(path) && !value.empty()) lines.push_back(path + ": " + value);
  });
  return lines;
}

// Element n is the checksum of the first n lines.
std::vector<std::uint64_t> checksums_of(const std::vector<std::string>& lines) {
  std::vector<std::uint64_t> sums{0};
  for (const std::string& line : lines) {
    sums.push_back(io::checksum(std::as_bytes(std::span(line)), sums.back()));
  }
  return sums;
}

}  // namespace

void agree_on_program(const std::string& program, tiling::Ranks& ranks) {
  const auto programs = ranks.allgather(program);
  const std::size_t other = first_other(programs);
  if (other == 0) return;
  throw UsageError(
      fmt::format("process {} runs another build of lbm ({}) than process 0 ({}): start the same "
                  "program on all hosts",
                  other, programs[other], programs[0]));
}

// Cases may be long: ranks exchange checksums, and one line each where these differ.
void agree_on_case(const Case& lbm_case, tiling::Ranks& ranks) {
  const auto lines = lines_of(lbm_case);
  const auto sums = checksums_of(lines);
  const auto up_to = [&](std::size_t count) { return sums[std::min(count, lines.size())]; };
  const std::size_t other = first_other(ranks.allgather(sums.back()));
  if (other == 0) return;
  const auto counts = ranks.allgather(lines.size());
  std::size_t same = 0, different = std::max(counts[0], counts[other]);
  while (different - same > 1) {
    const std::size_t middle = (same + different) / 2;
    const auto found = ranks.allgather(up_to(middle));
    (found[0] == found[other] ? same : different) = middle;
  }
  const auto text = ranks.allgather(same < lines.size() ? lines[same].substr(0, longest_value)
                                                        : std::string("nothing more"));
  throw UsageError(fmt::format(
      "{}: process {} has {}, process 0 has {}: give all processes the same case and --set",
      name_in_messages(lbm_case), other, text[other], text[0]));
}

void agree_on_checkpoint(const Restart* restart, tiling::Ranks& ranks) {
  const auto found = ranks.allgather(restart == nullptr ? std::uint64_t{0} : restart->identity());
  const std::size_t other = first_other(found);
  if (other == 0) return;
  const auto names =
      ranks.allgather(restart == nullptr ? std::string("no checkpoint") : restart->file().string());
  throw UsageError(
      fmt::format("--restart: process {} would continue from {}, process 0 from {}, whose contents "
                  "differ: give all processes the same checkpoint",
                  other, names[other], names[0]));
}

std::string files_behind(const Case& lbm_case) {
  std::string files;
  for (const std::string& name : files_of(lbm_case)) {
    struct stat status {};
    if (stat(path_of(lbm_case, name).c_str(), &status) != 0) status = {};
    files += fmt::format("{}:{} {} {}.{};", status.st_dev, status.st_ino, status.st_size,
                         status.st_mtim.tv_sec, status.st_mtim.tv_nsec);
  }
  return files;
}

void agree_on_boundaries(const Case& lbm_case, const Boundaries& boundaries, tiling::Ranks& ranks) {
  const std::size_t other = first_other(ranks.allgather(io::checksum(boundaries.bytes())));
  if (other == 0) return;
  throw UsageError(
      fmt::format("{}: process {} has other bodies or faces than process 0, although the keys are "
                  "the same: give all processes the same files (STL, CSV)",
                  name_in_messages(lbm_case), other));
}

}  // namespace lbm::cases
