// Key table: length of the run, schedule of planes.
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
       "Stop a run with a density outside this range, in reference densities: it has diverged."},
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
           "without redundant work; `halo`: streamed in tiles that recompute their halos. `auto`: "
           "`in_core` if the grid fits, else `wavefront`."},
          {{"in_core", Scheme::in_core}, {"wavefront", Scheme::wavefront}, {"halo", Scheme::halo}},
          [](auto& c) -> auto& { return c.tiling.scheme; }, Auto::yes));
  add(parts, whole(
                 {"tiling.steps_per_visit", "auto",
                  "Time steps per visit of a plane to the device. More steps hide the link "
                  "better, but need more device memory."},
                 {1, 1024, Auto::yes}, [](auto& c) -> auto& { return c.tiling.steps_per_visit; }));
  add(parts, whole(
                 {"tiling.planes_per_visit", "auto", "z-planes loaded per visit."},
                 {1, 64, Auto::yes}, [](auto& c) -> auto& { return c.tiling.planes_per_visit; }));
  add(parts,
      word<ExchangeKind>(
          {"tiling.exchange", "auto",
           "How ranks exchange halo planes. `device`: between GPUs; `host`: through shared memory "
           "of a host; `mpi`: by MPI messages. `auto`: the first of these that works between two "
           "ranks."},
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
                  "End the run early once the kinetic energy changes by less than this, relative "
                  "and per convective time, in three samples in a row."},
                 0, [](auto& c) -> auto& { return c.run.until_steady.tolerance; }));
  add(parts, number(
                 {"run.until_steady.every", "one convective time",
                  "Time between two samples, in convective times; in s with `units: si`."},
                 0, [](auto& c) -> auto& { return c.run.until_steady.every; }));
  add(parts, number(
                 {"run.walltime", "no limit",
                  "Minutes that the program may take: the run saves a checkpoint and stops before, "
                  "with exit code 6."},
                 0, [](auto& c) -> auto& { return c.run.walltime; }));
  add(parts,
      number(
          {"run.max_mach", "0.6", "Stop a run with a higher local Mach number: it has diverged."},
          0, [](auto& c) -> auto& { return c.run.max_mach; }));
  add(parts, density_range());
  add_run_tiling(parts);
}

}  // namespace lbm::cases::key_table
