// SPDX-License-Identifier: Apache-2.0
#include "cases/cli/scale/scale.hpp"

#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <thread>

#include "cases/case/read/read_case.hpp"
#include "cases/case/validate/validate.hpp"
#include "cases/cli/terminal/print.hpp"
#include "cases/cli/terminal/signals.hpp"
#include "cases/run/output_file.hpp"
#include "io/files/atomic_file.hpp"
#include "solver/backend/backend.hpp"
#include "solver/core/error.hpp"
#include "tiling/exchange/ranks.hpp"

namespace lbm::cases {
namespace {

namespace fs = std::filesystem;

void check(const ScaleOptions& options) {
  if (tiling::started_with_others()) {
    throw UsageError(
        "lbm scale: found several processes, must be one, which starts the others: leave mpirun "
        "away, and see --launcher");
  }
  if (options.steps < 0) {
    throw UsageError(fmt::format("--steps: found {}, must be at least 1", options.steps));
  }
  try {
    const auto line = fmt::format(fmt::runtime(options.launcher), fmt::arg("n", 2));
    if (line == fmt::format(fmt::runtime(options.launcher), fmt::arg("n", 3))) {
      throw UsageError("--launcher: has no {n}, which stands for the number of processes");
    }
  } catch (const fmt::format_error&) {
    throw UsageError("--launcher: braces other than {n}, the number of processes");
  }
}

// The number of GPUs, or of CPU cores.
int devices_of(const Case& lbm_case) {
  const int gpus = cuda_device_count();
  const bool cpu = lbm_case.device.backend == BackendKind::cpu || gpus == 0;
  return cpu ? static_cast<int>(std::thread::hardware_concurrency()) : gpus;
}

fs::path open_results(const ScaleOptions& options) {
  fs::path directory = options.out;
  std::error_code ec;
  fs::create_directories(directory, ec);
  if (ec) throw ResourceError(fmt::format("{}: {}", options.out, ec.message()));
  check_output_file("--out", directory / "scale.json", options.overwrite);
  return directory;
}

}  // namespace

int scale_command(const ScaleOptions& given) {
  ScaleOptions options = given;
  check(options);
  const Case lbm_case = read_case(options.case_file, options.overrides);
  validate(lbm_case);
  if (options.out.empty()) options.out = "out/" + lbm_case.name + "_scaling";
  if (options.processes.empty()) options.processes = usual_processes(devices_of(lbm_case));
  const auto points = scale_points(options, lbm_case.grid.cells[2]);
  const fs::path directory = open_results(options);
  const ScaleRunner runner(options, lbm_case.grid.cells);
  const StopSignals signals;
  std::FILE* const log = options.json ? stderr : stdout;
  std::vector<ScaleRow> rows;
  std::string text;
  for (const ScalePoint& point : points) {
    if (rows.empty() || rows.back().point.scaling != point.scaling ||
        rows.back().point.planes != point.planes) {
      print_to(log, "{}", scale_head_text(point, lbm_case.grid.cells));
    }
    flush(log);
    rows.push_back(runner.run(point));
    if (const int signal = StopSignals::received()) return 128 + signal;
    add_efficiency(rows);
    print_to(log, "{}", scale_row_text(rows.back()));
    // After each run, so that an interrupted study keeps its results.
    text = io::json_text(scale_json(options.case_file, rows));
    io::write_file_atomically(directory / "scale.json", text);
  }
  if (options.json) print_to(stdout, "{}", text);
  for (const ScaleRow& row : rows) {
    if (row.failure.empty()) return exit_ok;
  }
  throw ResourceError(fmt::format("no run came to its end: {}", rows.front().failure));
}

}  // namespace lbm::cases
