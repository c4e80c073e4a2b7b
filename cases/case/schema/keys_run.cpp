// SPDX-License-Identifier: Apache-2.0

// Key table: length of the run, schedule of planes.
#include "cases/case/limits.hpp"
#include "cases/case/schema/key_table.hpp"
#include "cases/case/schema/keys.hpp"

namespace lbm::cases::key_table {
namespace {

using namespace value_types;

ValueType<Vec2> density_range() {
  auto type = numbers<Vec2>(positive, "> 0, such as [0.5, 2], with 1 between them");
  type.read = [read = type.read](const YAML::Node& node) {
    const auto range = read(node);
    return range && (*range)[0] < 1 && (*range)[1] > 1 ? range : std::nullopt;
  };
  return type;
}

void add_run_tiling(Parts& parts) {
  using tiling::ExchangeKind, tiling::Scheme;
  const auto tiling = keys_of_case(parts).group("tiling", &Case::tiling);
  tiling.add("scheme", &Tiling::scheme, or_auto(words<Scheme>()), "auto",
             "How planes pass through the device. `in_core`: all stay there; `wavefront`: streamed "
             "without redundant work; `halo`: streamed in tiles that recompute their halos. "
             "`auto`: `in_core` if the grid fits, else `wavefront`.");
  tiling.add("steps_per_visit", &Tiling::steps_per_visit, or_auto(whole(1, 1024)), "auto",
             "Time steps per visit of a plane to the device. More steps hide the link better, but "
             "need more device memory.");
  tiling.add("planes_per_visit", &Tiling::planes_per_visit, or_auto(whole(1, 64)), "auto",
             "z-planes loaded per visit.");
  tiling
      .add("steps_per_pass", &Tiling::steps_per_pass, or_auto(whole(1, 2)), "auto",
           "Time steps that the device makes in one pass over its memory. With 2 the planes "
           "between two steps stay on the chip of a GPU, or in the caches of a CPU, and "
           "`tiling.steps_per_visit` is at least 2; a CPU makes them in core only. The results are "
           "the same. `auto`: what is faster on this device.")
      .not_with("tiling.steps_per_visit", "1")
      .when("2")
      .not_with("tiling.scheme", "halo")
      .when("2");
  tiling.add("exchange", &Tiling::exchange, or_auto(words<ExchangeKind>()), "auto",
             "How ranks exchange halo planes. `device`: between GPUs of a host; `host`: through "
             "shared memory of a host; `nccl`: between GPUs, also of several hosts; `mpi`: by MPI "
             "messages. `auto`: the first that works within a host, the faster one between hosts.");
}

}  // namespace

void add_run_keys(Parts& parts) {
  const auto run = keys_of_case(parts).group("run", &Case::run);
  const auto steady = run.group("until_steady", &Run::until_steady);
  run.add("steps", &Run::steps, whole(1, max_steps), "this, convective_times or time",
          "Length of the run in steps.")
      .one_of({"run.convective_times", "run.time"});
  run.add("convective_times", &Run::convective_times, number(positive), "this, steps or time",
          "Length of the run in convective times: `fluid.length` / `fluid.lattice_velocity` steps "
          "each, rounded to whole steps in all.");
  run.add("time", &Run::time, number(positive), "this, steps or convective_times",
          "Length of the run in s with `units: si`; in convective times otherwise.");
  steady.add(
      "tolerance", &UntilSteady::tolerance, number({.above = 0, .below = 1}), "never",
      "End the run early once the kinetic energy, or each of `run.until_steady.quantities`, "
      "changes by less than this, relative and per convective time, in three samples in a row.");
  steady
      .add("every", &UntilSteady::every, number(positive), "one convective time",
           "Time between two samples, in convective times; in s with `units: si`.")
      .needs("run.until_steady.tolerance");
  steady
      .add("quantities", &UntilSteady::quantities, names(is_item_name, "[drag, inflow]"),
           "the kinetic energy",
           "Names under `quantities`: the run ends once all of them are steady.")
      .needs("run.until_steady.tolerance");
  run.add("walltime", &Run::walltime, number(positive), "no limit",
          "Minutes that the program may take: the run saves a checkpoint and stops before, with "
          "exit code 6.");
  run.add("max_mach", &Run::max_mach, number(positive), "0.6",
          "Stop a run with a higher local Mach number: it has diverged.");
  run.add("density_range", &Run::density_range, density_range(), "[0.5, 2]",
          "Stop a run with a density outside this range, in reference densities: it has diverged.");
  run.add("on_checkerboard", &Run::on_checkerboard, words<Run::OnCheckerboard>(), "stop",
          "When the velocity keeps changing its sign from cell to cell, which is an instability. "
          "`stop`: end the run, it has diverged; `warn`: print a warning and go on. Not seen on a "
          "GPU yet.");
  add_run_tiling(parts);
}

}  // namespace lbm::cases::key_table
