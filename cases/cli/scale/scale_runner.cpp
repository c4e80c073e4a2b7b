#include <fmt/format.h>
#include <sys/wait.h>
#include <yaml-cpp/yaml.h>

#include <cstdlib>
#include <fstream>
#include <sstream>

#include "cases/cli/scale/scale.hpp"

namespace lbm::cases {
namespace {

namespace fs = std::filesystem;

// For a shell.
std::string quoted(const std::string& text) {
  std::string out = "'";
  for (const char c : text) out += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return out + "'";
}

std::string text_of(const fs::path& file) {
  std::ifstream in(file);
  std::ostringstream text;
  text << in.rdbuf();
  return text.str();
}

// The program's own line; where there is none, the first one of what should have started it.
std::string error_line(const fs::path& log) {
  std::istringstream lines(text_of(log));
  std::string line, first;
  while (std::getline(lines, line)) {
    if (line.starts_with("lbm: ")) return line.substr(5);
    const bool says_something = line.find_first_not_of(" -=*\t") != std::string::npos;
    if (first.empty() && says_something && !line.starts_with("warning: ")) first = line;
  }
  return first;
}

// Without files, unless they are wanted: studies are about computing.
constexpr const char* without_results =
    " --set 'output={at_end: false, profiles: false}' --set outputs=null --set statistics=null "
    "--set probes=null --set checkpoint=null --set expect=null";

void read_report(const std::string& json, ScaleRow& row) {
  const YAML::Node report = YAML::Load(json);  // JSON is YAML
  row.device = report["device"].as<std::string>();
  row.scheme = report["scheme"].as<std::string>();
  if (!report["exchange"].IsNull()) row.exchange = report["exchange"].as<std::string>();
  row.cells = report["cell_count"].as<std::int64_t>();
  row.steps_per_visit = report["steps_per_visit"].as<int>();
  row.planes_per_visit = report["planes_per_visit"].as<int>();
  row.mlups = report["mlups"].as<double>();
  row.seconds = report["seconds"].as<double>();
  row.setup_seconds = report["setup_seconds"].as<double>();
  row.device_bytes = report["device_bytes"].as<double>();
  row.host_bytes = report["host_bytes"].as<double>();
  if (!report["predicted_mlups"].IsNull()) {
    row.predicted_mlups = report["predicted_mlups"].as<double>();
  }
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
  line += fmt::format("{} run {}", quoted(program_), quoted(options_.case_file));
  if (!options_.with_results) line += without_results;
  for (const std::string& text : options_.overrides) line += " --set " + quoted(text);
  if (options_.steps > 0) line += fmt::format(" --set 'run={{steps: {}}}'", options_.steps);
  return line + fmt::format(
                    " --set 'grid.cells=[{}, {}, {}]' --predict --quiet --json "
                    "--overwrite --out {}",
                    cells_[0], cells_[1], point.nz(), quoted(directory(point).string()));
}

ScaleRow ScaleRunner::run(const ScalePoint& point) const {
  ScaleRow row;
  row.point = point;
  const fs::path out = directory(point).string() + ".json",
                 log = directory(point).string() + ".log";
  const int status = std::system(
      fmt::format("{} >{} 2>{}", command(point), quoted(out.string()), quoted(log.string()))
          .c_str());
  const int code = WIFEXITED(status) ? WEXITSTATUS(status) : 128;
  try {
    if (code == 0) read_report(text_of(out), row);
  } catch (const YAML::Exception& error) {
    row.failure = fmt::format("{}: {}", out.string(), error.what());
  }
  if (code != 0) row.failure = fmt::format("exit code {}: {}", code, error_line(log));
  return row;
}

}  // namespace lbm::cases
