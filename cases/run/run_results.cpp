// SPDX-License-Identifier: Apache-2.0
#include "cases/run/run_results.hpp"

#include <fmt/format.h>

#include <filesystem>
#include <utility>

#include "cases/case/case_location.hpp"
#include "cases/case/read/read_case.hpp"
#include "cases/run/results/field_consumer.hpp"
#include "io/files/place.hpp"

namespace lbm::cases {
namespace {

// A run that restarts continues in the directory of its checkpoint, unless told otherwise.
bool continues_files(const RunOptions& options, const Restart* restart) {
  if (restart == nullptr || !options.writes_files) return false;
  std::error_code ec;
  return options.out.empty() || std::filesystem::equivalent(options.out, restart->directory(), ec);
}

io::RunDirectory open_directory(const PreparedRun& run, const RunOptions& options) {
  if (!options.writes_files) return io::RunDirectory::nowhere();
  if (continues_files(options, run.checkpoint())) {
    if (!run.restart->changes().empty()) {
      throw UsageError(fmt::format(
          "--change: the results would go to {}, which has results of other physics: give another "
          "directory with --out",
          run.restart->directory().string()));
    }
    return io::RunDirectory::open_again(run.restart->directory());
  }
  if (!run.resumed.empty()) return io::RunDirectory::open_again(run.resumed);
  std::string path = options.out;
  if (path.empty()) path = run.lbm_case.output.directory;
  if (path.empty()) path = "out/" + run.lbm_case.name;
  return io::RunDirectory::open(path, !options.out.empty(), options.overwrite);
}

}  // namespace

RunResults::RunResults(const PreparedRun& run, const RunOptions& options, Notices& to)
    : notices(to),
      continues(continues_files(options, run.checkpoint())),
      directory(open_directory(run, options)),
      expectations(run.lbm_case, run.setup.derived, run.setup.bodies),
      quantities(run.lbm_case, run.setup, directory, continues),
      fields(run.lbm_case, run.setup, directory, expectations, quantities, notices,
             run.ranks != nullptr),
      free_bodies(run.lbm_case, run.setup, notices),
      records(run.lbm_case, run.setup, directory, expectations, quantities,
              free_bodies.any() ? &free_bodies : nullptr, notices, continues),
      checkpoints(run.lbm_case, run.setup, directory) {
  checkpoints.add(records);
  checkpoints.add(expectations);
  checkpoints.add(quantities);
  if (free_bodies.any()) checkpoints.add(free_bodies);
  for (Stateful* part : fields.parts()) checkpoints.add(*part);
  stats.first_step = stats.steps = run.first_step();
  if (!directory.is_nowhere()) check_space(run);
}

// Before anything is computed: a run of days shall not find out at its first checkpoint.
void RunResults::check_space(const PreparedRun& run) const {
  const std::uint64_t bytes =
      total_bytes(result_sizes(run.lbm_case, run.setup.derived, stats.first_step));
  directory.check_space(bytes);
  try {
    directory.check_space(bytes + checkpoints.bytes_needed(stats.first_step));
  } catch (const ResourceError& error) {
    if (run.lbm_case.checkpoint.on_error == CheckpointKeys::OnError::stop) throw;
    notices.warn(error.what());
  }
}

void RunResults::write_case(const Case& lbm_case) const {
  if (directory.is_nowhere()) return;
  Case effective = with_whole_paths(lbm_case);
  for (FieldOutput& output : effective.outputs) {
    output.fields = fields_in(output, effective.scalars.size());
  }
  io::write_file_atomically(directory.file("effective_case.yaml"), to_yaml(effective));
}

void RunResults::warn_if_moved() {
  if (directory.is_nowhere() || told_of_move_) return;
  const std::string moved = directory.moved();
  told_of_move_ = !moved.empty();
  if (told_of_move_) notices.warn(moved);
}

std::vector<std::string> RunResults::files() const {
  std::vector<std::string> names = fields.files();
  for (std::string& name : records.files()) names.push_back(std::move(name));
  const auto& phases = quantities.phase_files();
  names.insert(names.end(), phases.begin(), phases.end());
  return names;
}

std::vector<ExpectationResult> RunResults::expectation_results() const {
  if (!stats.complete) return {};
  return expectations.results(quantities.results());
}

}  // namespace lbm::cases
