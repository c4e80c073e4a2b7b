// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <sys/wait.h>

#include <cstdlib>
#include <fstream>
#include <nlohmann/json.hpp>

#include "cases/cli/scale/scale.hpp"
#include "solver/core/error.hpp"

namespace lbm::cases {
namespace {

namespace fs = std::filesystem;

// One word for the shell.
std::string shell_quoted(const std::string& text) {
  std::string out = "'";
  for (const char c : text) out += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return out + "'";
}

// The error line of lbm; if there is none, the first line of the launcher.
std::string error_line(const fs::path& log) {
  std::ifstream lines(log);
  std::string line, first;
  while (std::getline(lines, line)) {
    if (line.starts_with("lbm: ")) return line.substr(5);
    const bool says_something = line.find_first_not_of(" -=*\t") != std::string::npos;
    if (first.empty() && says_something && !line.starts_with("warning: ")) first = line;
  }
  return first;
}

// Switches off all output files, since a study measures computing.
constexpr const char* without_results =
    " --set 'output={at_end: false, profiles: false}' --set outputs=null --set pictures=null "
    "--set statistics=null --set probes=null --set checkpoint=null --set expect=null";

void read_report(const io::Json& report, ScaleRow& row) {
  row.device = report.at("device");
  row.scheme = report.at("scheme");
  row.exchange = io::text_in(report.at("exchange"));
  row.cells = io::whole_in(report.at("cell_count")).value_or(0);
  row.steps_per_visit = static_cast<int>(io::whole_in(report.at("steps_per_visit")).value_or(0));
  row.planes_per_visit = static_cast<int>(io::whole_in(report.at("planes_per_visit")).value_or(0));
  row.mlups = report.at("mlups");
  row.seconds = report.at("seconds");
  row.setup_seconds = report.at("setup_seconds");
  row.device_bytes = report.at("device_bytes");
  row.host_bytes = report.at("host_bytes");
  row.predicted_mlups = io::number_in(report.at("predicted_mlups"));
}

}  // namespace

ScaleRunner::ScaleRunner(const ScaleOptions& options, std::array<int, 3> cells)
    : options_(options), cells_(cells), program_(fs::read_symlink("/proc/self/exe").string()) {}

fs::path ScaleRunner::directory(const ScalePoint& point) const {
  return fs::path(options_.out) / fmt::format("{}_{}_planes_{}_processes", to_string(point.scaling),
                                              point.planes, point.processes);
}

std::string ScaleRunner::command(const ScalePoint& point) const {
  std::string line;
  if (point.processes > 1) {
    line = fmt::format(fmt::runtime(options_.launcher), fmt::arg("n", point.processes)) + " ";
  }
  line += fmt::format("{} run {}", shell_quoted(program_), shell_quoted(options_.case_file));
  if (!options_.with_results) line += without_results;
  for (const std::string& text : options_.overrides) line += " --set " + shell_quoted(text);
  if (options_.steps > 0) line += fmt::format(" --set 'run={{steps: {}}}'", options_.steps);
  return line + fmt::format(
                    " --set 'grid.cells=[{}, {}, {}]' --predict --quiet --json "
                    "--overwrite --out {}",
                    cells_[0], cells_[1], point.nz(), shell_quoted(directory(point).string()));
}

ScaleRow ScaleRunner::run(const ScalePoint& point) const {
  ScaleRow row;
  row.point = point;
  const fs::path out = directory(point).string() + ".json",
                 log = directory(point).string() + ".log";
  const int status = std::system(fmt::format("{} >{} 2>{}", command(point),
                                             shell_quoted(out.string()), shell_quoted(log.string()))
                                     .c_str());
  const int code = WIFEXITED(status) ? WEXITSTATUS(status) : 128;
  try {
    if (code == 0) read_report(io::read_json(out), row);
  } catch (const UsageError& error) {
    row.failure = error.what();
  } catch (const io::Json::exception& error) {  // a member is missing or of another type
    row.failure = fmt::format("{}: {}", out.string(), error.what());
  }
  if (code != 0) row.failure = fmt::format("exit code {}: {}", code, error_line(log));
  return row;
}

}  // namespace lbm::cases
