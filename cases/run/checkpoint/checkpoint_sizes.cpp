// SPDX-License-Identifier: Apache-2.0
#include "cases/run/checkpoint/checkpoint_sizes.hpp"

#include <algorithm>
#include <limits>
#include <vector>

#include "cases/case/read/read_case.hpp"
#include "cases/run/results/statistics_files.hpp"
#include "io/checkpoint/checkpoint_writer.hpp"

namespace lbm::cases {
namespace {

io::ElementType element_type(StorageType storage) {
  const std::size_t bytes = bytes_per_value(storage);
  return bytes == 2   ? io::ElementType::uint16
         : bytes == 4 ? io::ElementType::float32
                      : io::ElementType::float64;
}

// Number of checkpoints written after a step, without the removal of older ones. Unlimited if the
// interval is in wall-clock time.
std::int64_t saves_after(const Case& lbm_case, const Derived& derived, std::int64_t step) {
  const CheckpointKeys& keys = lbm_case.checkpoint;
  if (step >= derived.steps) return 0;
  if (keys.every_minutes) return std::numeric_limits<std::int64_t>::max();
  const std::int64_t every = keys.every_steps.value_or(0);
  std::int64_t saves = every > 0 ? derived.steps / every - step / every : 0;
  // At the end or at the walltime, never both.
  const bool at_last = keys.at_end || lbm_case.run.walltime;
  if (at_last && (every == 0 || derived.steps % every != 0)) ++saves;
  return saves;
}

}  // namespace

io::PlaneArray lattice_array(const Lattice& lattice) {
  const std::size_t values = lattice.layout.bytes / bytes_per_value(lattice.storage);
  return {to_string(lattice.representation), element_type(lattice.storage), lattice.nz,
          static_cast<std::int64_t>(values)};
}

std::uint64_t checkpoint_bytes(const Case& lbm_case, const Derived& derived,
                               const Lattice& lattice) {
  std::vector<io::PlaneArray> arrays{lattice_array(lattice)};
  for (const Statistics& s : lbm_case.statistics) {
    arrays.push_back(saved_array(lbm_case, derived, s));
  }
  return io::predicted_checkpoint_bytes(
      {{"header", ""}, {"state", ""}, {"case", to_yaml(lbm_case)}}, arrays);
}

// The oldest one is removed only after the new one is complete.
std::int64_t checkpoints_to_come(const Case& lbm_case, const Derived& derived,
                                 std::int64_t after_step, std::int64_t there) {
  const std::int64_t room =
      std::max<std::int64_t>(1, std::int64_t{lbm_case.checkpoint.keep} + 1 - there);
  return std::min(room, saves_after(lbm_case, derived, after_step));
}

}  // namespace lbm::cases
