// The table: how long to run, and how planes pass through the device.
#include <fmt/format.h>

#include "cases/case/limits.hpp"
#include "cases/case/schema/key_lists.hpp"
#include "cases/case/schema/key_table.hpp"

namespace lbm::cases::key_table {
namespace {

using namespace key_types;

Key density_range() {
  Key key = numbers(
      {"run.density_range", "[0.5, 2]",
       "A run with a density outside of it, in reference densities, is stopped: it "
       "has diverged."},
      NumberRange{.above = 0}, "> 0, such as [0.5, 2], with 1 between them",
      [](auto& c) -> auto& { return c.run.density_range; });
  key.read = [read = key.read](const YAML::Node& node, Case& out) {
    return read(node, out) && out.run.density_range[0] < 1 && out.run.density_range[1] > 1;
  };
  return key;
}

void add_run_tiling(Parts& parts) {
  using tiling::ExchangeKind, tiling::Scheme;
  add(parts,
      word<Scheme>(
          {"tiling.scheme", "auto",
           "How planes pass through the device. `in_core`: all stay there; `wavefront`: streamed "
           "through it without redundant work; `halo`: streamed in tiles that recompute their "
           "halos. "
           "`auto` takes `in_core` when the grid fits and `wavefront` when not."},
          {{"in_core", Scheme::in_core}, {"wavefront", Scheme::wavefront}, {"halo", Scheme::halo}},
          [](auto& c) -> auto& { return c.tiling.scheme; }, Auto::yes));
  add(parts, whole(
                 {"tiling.steps_per_visit", "auto",
                  "Time steps that a plane advances in one visit to the device. More hide "
                  "the link better and need more device memory."},
                 {1, 1024, Auto::yes}, [](auto& c) -> auto& { return c.tiling.steps_per_visit; }));
  add(parts, whole(
                 {"tiling.planes_per_visit", "auto", "z-planes that move in one visit."},
                 {1, 64, Auto::yes}, [](auto& c) -> auto& { return c.tiling.planes_per_visit; }));
  add(parts,
      word<ExchangeKind>(
          {"tiling.exchange", "auto",
           "How several processes hand planes to each other. `device`: from GPU to GPU; `host`: "
           "through memory that the processes of a host share; `mpi`: by messages. `auto` takes "
           "the first of these that works between two processes."},
          {{"device", ExchangeKind::device},
           {"host", ExchangeKind::host},
           {"mpi", ExchangeKind::mpi}},
          [](auto& c) -> auto& { return c.tiling.exchange; }, Auto::yes));
}

}  // namespace

void add_run_keys(Parts& parts) {
  add(parts, whole(
                 {"run.steps", "this, convective_times or time", "Length of the run in steps."},
                 {1, max_steps}, [](auto& c) -> auto& { return c.run.steps; }));
  add(parts, number(
                 {"run.convective_times", "this, steps or time",
                  "Length of the run in convective times: `fluid.length` / "
                  "`fluid.lattice_velocity` steps each, rounded to whole steps in all."},
                 0, [](auto& c) -> auto& { return c.run.convective_times; }));
  add(parts, number(
                 {"run.time", "this, steps or convective_times",
                  "Length of the run in s with `units: si`; in convective times otherwise."},
                 0, [](auto& c) -> auto& { return c.run.time; }));
  add(parts, number(
                 {"run.until_steady.tolerance", "never",
                  "Ends the run early when the kinetic energy changes by less than this, "
                  "relative and per convective time, at three looks in a row."},
                 0, [](auto& c) -> auto& { return c.run.until_steady.tolerance; }));
  add(parts, number(
                 {"run.until_steady.every", "one convective time",
                  "Time between two looks, in convective times; in s with `units: si`."},
                 0, [](auto& c) -> auto& { return c.run.until_steady.every; }));
  add(parts, number(
                 {"run.walltime", "no limit",
                  "Minutes that the program may take: the run saves a checkpoint and stops before, "
                  "with exit code 6."},
                 0, [](auto& c) -> auto& { return c.run.walltime; }));
  add(parts, number(
                 {"run.max_mach", "0.6",
                  "A run with a higher local Mach number is stopped: it has diverged."},
                 0, [](auto& c) -> auto& { return c.run.max_mach; }));
  add(parts, density_range());
  add_run_tiling(parts);
}

}  // namespace lbm::cases::key_table
