// SPDX-License-Identifier: Apache-2.0
#include "cases/run/ranks/agreement.hpp"

#include <fmt/format.h>
#include <sys/stat.h>

#include <algorithm>
#include <cstdint>
#include <optional>
#include <span>
#include <sstream>
#include <string>
#include <vector>

#include "cases/case/case_location.hpp"
#include "cases/case/schema/keys.hpp"
#include "cases/run/checkpoint/checkpoints.hpp"
#include "cases/run/checkpoint/restart.hpp"
#include "cases/run/setup/device_speeds_cache.hpp"
#include "cases/run/setup/setup.hpp"
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

// The keys on which ranks must agree, one a line.
std::string keys_of(const Case& lbm_case) {
  std::string text;
  for_each_key(lbm_case, [&](const Key& key, const std::string& path, std::size_t item) {
    if (path.starts_with("device.") || path.starts_with("host.") || path.ends_with(".file")) return;
    const std::string value = key.write(lbm_case, item);
    if (!value.empty()) text += path + ": " + value + "\n";
  });
  return text;
}

}  // namespace

void run_on_all_ranks(tiling::Ranks& ranks, const std::function<void()>& work) {
  std::optional<Error> error;
  try {
    work();
  } catch (const std::exception& caught) {
    error = as_error(caught);
  }
  const auto codes = ranks.allgather(error ? error->exit_code() : exit_ok);
  const auto failed =
      std::find_if(codes.begin(), codes.end(), [](ExitCode code) { return code != exit_ok; });
  if (failed == codes.end()) return;
  const auto texts = ranks.allgather(std::string(error ? error->what() : ""));
  const auto r = static_cast<std::size_t>(failed - codes.begin());
  throw SharedError(*failed, (r == 0 ? "" : fmt::format("process {}: ", r)) + texts[r]);
}

void agree_on_program(const std::string& program, tiling::Ranks& ranks) {
  const auto programs = ranks.allgather(program);
  const std::size_t other = first_other(programs);
  if (other == 0) return;
  throw UsageError(
      fmt::format("process {} runs another build of lbm ({}) than process 0 ({}): start the same "
                  "program on all hosts",
                  other, programs[other], programs[0]));
}

// Cases may be long: ranks exchange checksums, and the cases where these differ.
void agree_on_case(const Case& lbm_case, tiling::Ranks& ranks) {
  const std::string text = keys_of(lbm_case);
  const std::size_t other =
      first_other(ranks.allgather(io::checksum(std::as_bytes(std::span(text)))));
  if (other == 0) return;
  const auto cases = ranks.allgather(text);
  std::istringstream here(cases[0]), there(cases[other]);
  std::string line_here, line_there;
  while (line_here == line_there) {
    if (!std::getline(here, line_here)) line_here = "nothing more";
    if (!std::getline(there, line_there)) line_there = "nothing more";
  }
  throw UsageError(fmt::format(
      "{}: process {} has {}, process 0 has {}: give all processes the same case and --set",
      name_in_messages(lbm_case), other, line_there.substr(0, longest_value),
      line_here.substr(0, longest_value)));
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

bool schedule_needs_speeds(const Case& own, const Backend& backend, int planes) {
  if (backend.kind() == BackendKind::cpu) return false;
  if (own.tiling.scheme == tiling::Scheme::in_core) return false;
  if (own.tiling.steps_per_visit && own.tiling.planes_per_visit) return false;
  const auto& n = own.grid.cells;
  const std::uint64_t slab =
      make_plane_layout(n[0], n[1], own.lattice.storage, own.lattice.representation.value()).bytes *
      static_cast<std::uint64_t>(planes);
  return own.tiling.scheme.has_value() || slab > device_budget(own, backend);
}

DeviceSpeeds speeds_together(Backend& backend, tiling::Ranks& ranks) {
  if (backend.kind() == BackendKind::cpu) {
    ranks.barrier();
    return measure_speeds(backend, measuring_budget(backend));
  }
  // The first process of a host measures where that is needed, and keeps what it finds for those
  // that come after it.
  DeviceSpeeds speeds;
  const bool first = ranks.local_rank() == 0;
  if (first) speeds = speeds_of(backend, measuring_budget(backend));
  ranks.barrier();
  if (!first) speeds = speeds_of(backend, measuring_budget(backend));
  measure_link_of_both(backend, speeds, [&] { ranks.barrier(); });
  return speeds;
}

}  // namespace lbm::cases
