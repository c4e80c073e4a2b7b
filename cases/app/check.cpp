// `lbm check` and `lbm keys`: nothing is computed, no device is touched.
#include <fmt/format.h>

#include <cstdio>

#include "cases/app/case_reference.hpp"
#include "cases/app/commands.hpp"
#include "cases/app/derived.hpp"
#include "cases/app/json.hpp"
#include "cases/app/validate.hpp"
#include "cases/app/yaml_reader.hpp"
#include "solver/core/error.hpp"

namespace lbm::app {
namespace {

std::int64_t cells_of(const Grid& grid) {
  return std::int64_t{grid.cells[0]} * grid.cells[1] * grid.cells[2];
}

void print_text(const Case& lbm_case, const Derived& d, const std::vector<std::string>& notes) {
  const auto& [nx, ny, nz] = lbm_case.grid.cells;
  fmt::print("{}: valid\n", lbm_case.file);
  fmt::print("  name              {}\n", lbm_case.name);
  fmt::print("  grid              {} x {} x {} = {} cells, {}\n", nx, ny, nz,
             cells_of(lbm_case.grid), to_string(lbm_case.lattice.storage));
  fmt::print("  Reynolds number   {:.6g}\n", d.reynolds);
  fmt::print("  Mach number       {:.4g}\n", d.mach);
  fmt::print("  viscosity         {:.6g} cells^2/step\n", d.viscosity);
  fmt::print("  tau, omega        {:.6g}, {:.6g}\n", d.tau, d.omega);
  fmt::print("  convective time   {:.6g} steps\n", d.convective_time);
  fmt::print("  run               {} steps = {:.6g} convective times\n", d.steps, d.duration);
  fmt::print("  field outputs     {}\n", d.outputs.count());
  for (const std::string& note : notes) fmt::print("warning: {}\n", note);
}

void print_json(const Case& lbm_case, const Derived& d, const std::vector<std::string>& notes) {
  JsonObject json;
  json.add("file", lbm_case.file).add("name", lbm_case.name);
  json.raw("cells", fmt::format("[{}]", fmt::join(lbm_case.grid.cells, ", ")));
  json.add("cell_count", cells_of(lbm_case.grid));
  json.add("storage", to_string(lbm_case.lattice.storage));
  json.add("reynolds", d.reynolds).add("mach", d.mach).add("viscosity", d.viscosity);
  json.add("tau", d.tau).add("omega", d.omega).add("length", d.length);
  json.add("lattice_velocity", d.velocity).add("convective_time_steps", d.convective_time);
  json.add("steps", d.steps).add("convective_times", d.duration);
  json.add("field_outputs", d.outputs.count()).add("warnings", notes);
  fmt::print("{}\n", json.text());
}

}  // namespace

int check_command(const RunOptions& options) {
  const Case lbm_case = read_case(options.case_file, options.overrides);
  validate(lbm_case);
  (options.json ? print_json : print_text)(lbm_case, derive(lbm_case), warnings(lbm_case));
  return exit_ok;
}

int keys_command() {
  fmt::print("{}", case_reference_markdown());
  return exit_ok;
}

}  // namespace lbm::app
