#include "cases/run/run_results.hpp"

#include <fmt/format.h>

#include <csignal>
#include <filesystem>
#include <initializer_list>
#include <nlohmann/json.hpp>
#include <utility>

#include "cases/case/case_files.hpp"
#include "cases/case/yaml/yaml_writer.hpp"
#include "cases/run/results/result_sizes.hpp"
#include "io/files/atomic_file.hpp"
#include "solver/core/error.hpp"

namespace lbm::cases {
namespace {

std::int64_t fluid_cells(const Setup& setup) {
  return setup.lattice.layout.cells() * setup.lattice.nz - setup.boundaries.solid_cells();
}

}  // namespace

// A run that goes on does so in the directory of its checkpoint, unless told otherwise.
bool continues_files(const RunOptions& options, const std::optional<Restart>& restart) {
  std::error_code ec;
  return restart && (options.out.empty() ||
                     std::filesystem::equivalent(options.out, restart->directory(), ec));
}

io::RunDirectory open_results(const Case& lbm_case, const RunOptions& options,
                              const std::optional<Restart>& restart) {
  if (continues_files(options, restart)) return io::RunDirectory::open_again(restart->directory());
  const bool explicit_by_user = !options.out.empty();
  std::string path = options.out;
  if (path.empty()) path = lbm_case.output.directory;
  if (path.empty()) path = "out/" + lbm_case.name;
  return io::RunDirectory::open(path, explicit_by_user, options.overwrite);
}

RunResults::RunResults(Prepared& run, io::RunDirectory directory, bool continues, bool quiet)
    : run_(run),
      directory_(std::move(directory)),
      continues_(continues),
      quiet_(quiet),
      expectations_(run.lbm_case, run.setup.derived, run.setup.bodies),
      outputs_(run.lbm_case, run.setup, directory_, expectations_),
      records_(run.lbm_case, run.setup.derived, run.setup.bodies, fluid_cells(run.setup),
               directory_, expectations_, run.setup.boundaries, continues),
      checkpoints_(run.lbm_case, run.setup, directory_) {
  for (Stateful* part : std::initializer_list<Stateful*>{&records_, &expectations_}) {
    checkpoints_.add(*part);
  }
  for (Stateful* part : outputs_.parts()) checkpoints_.add(*part);
  result_.first_step = run.restart ? run.restart->step() : 0;
  if (!directory_.is_nowhere()) check_space();
}

// Before anything is computed: a run of days shall not find out at its first checkpoint.
void RunResults::check_space() {
  const Case& lbm_case = run_.lbm_case;
  const std::uint64_t bytes =
      total_bytes(result_sizes(lbm_case, run_.setup.derived, result_.first_step));
  directory_.check_space(bytes);
  try {
    directory_.check_space(bytes + checkpoints_.bytes_needed(result_.first_step));
  } catch (const ResourceError& error) {
    if (lbm_case.checkpoint.on_error == CheckpointKeys::OnError::stop) throw;
    note("warning", error.what());
  }
}

void RunResults::write_case() const {
  if (directory_.is_nowhere()) return;
  io::write_file_atomically(directory_.file("effective_case.yaml"),
                            to_yaml(with_whole_paths(run_.lbm_case)));
}

RunParts RunResults::parts() {
  return {.outputs = outputs_,
          .records = records_,
          .checkpoints = checkpoints_,
          .restart = run_.restart ? &*run_.restart : nullptr,
          .continues_files = continues_,
          .begin = {},
          .on_begin = [this] { write_case(); },
          .stop = {},
          .on_progress = {},
          .trace = run_.trace.get()};
}

RunRecord RunResults::record(std::string exit_reason) const {
  std::vector<std::string> files = outputs_.files();
  for (std::string& name : records_.files()) files.push_back(std::move(name));
  std::vector<std::string> all = run_.notes;
  all.insert(all.end(), result_.warnings.begin(), result_.warnings.end());
  all.insert(all.end(), outputs_.warnings().begin(), outputs_.warnings().end());
  return RunRecord{run_.lbm_case,    run_.setup,     *run_.backend, result_, std::move(exit_reason),
                   std::move(files), std::move(all), &records_,     {}};
}

std::string RunResults::write_report(const RunRecord& record) const {
  std::string text = io::json_text(report_json(record));
  if (!directory_.is_nowhere()) io::write_file_atomically(directory_.file("report.json"), text);
  return text;
}

// What the restart has to say goes to the user and to the report.
void RunResults::tell(const Restart& restart) {
  for (; told_ < restart.notes().size(); ++told_) {
    note("note", restart.notes()[told_]);
  }
}

void RunResults::note(const char* kind, const std::string& text) {
  run_.notes.push_back(text);
  if (!quiet_) fmt::print(stderr, "{}: {}\n", kind, text);
}

void RunResults::begin(bool alone, const std::function<void()>& begin) {
  std::optional<Restart>& restart = run_.restart;
  while (true) {
    if (restart) tell(*restart);
    if (restart && continues_) checkpoints_.continue_from(restart->step(), restart->damaged());
    try {
      return begin();
    } catch (const DamagedCheckpoint& error) {
      if (!alone) throw;
      --told_;  // that the run goes on from it
      if (!restart->fall_back(error.what())) throw;
    }
  }
}

std::string signal_name(int signal) { return signal == SIGINT ? "SIGINT" : "SIGTERM"; }

std::string exit_reason_of(const RunResult& result) {
  if (result.stopped_by != 0) return "interrupted by " + signal_name(result.stopped_by);
  if (result.at_walltime) return "walltime reached";
  return result.steady ? "steady" : "completed";
}

}  // namespace lbm::cases
