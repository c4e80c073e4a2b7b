// SPDX-License-Identifier: Apache-2.0
#include "cases/case/schema/case_reference.hpp"

#include <fmt/format.h>

#include <map>
#include <set>

#include "cases/case/schema/keys.hpp"

namespace lbm::cases {
namespace {

const std::map<std::string, std::string>& group_intros() {
  static const std::map<std::string, std::string> intros{
      {"", "Top level"},
      {"grid",
       "The box of cells. A cell is one unit of length; walls lie half a cell outside the "
       "outermost cell centres."},
      {"boundaries",
       "Boundary conditions at the faces of the box: FACE stands for `x_min`, `x_max`, `y_min`, "
       "`y_max`, `z_min` or `z_max`. A face may have patches with boundary conditions of their "
       "own, each under a NAME that you choose."},
      {"sponge",
       "Layers before faces in which the flow relaxes to that of the far field; see "
       "[far_field.md](far_field.md)."},
      {"fluid", "The fluid. Exactly one of `reynolds`, `tau` and `viscosity`."},
      {"lattice", "Collision model, and what is stored of a cell."},
      {"bodies",
       "Solid bodies in the box, each under a NAME that you choose (letters, digits, `_`, `-`). "
       "Where bodies overlap, the first one in the file counts."},
      {"force",
       "Acceleration of all fluid: `acceleration` x `acceleration_factor` + `amplitude` x "
       "cos(2 pi t / `period`)."},
      {"initial", "The flow at time 0."},
      {"run", "How long to run. Exactly one of `steps`, `convective_times` and `time`."},
      {"tiling",
       "How the grid passes through the device (temporal blocking). Affects speed and memory, but "
       "not a single bit of the results."},
      {"device", "The device that computes."},
      {"host", "Host memory of a grid that does not fit the device."},
      {"output",
       "Files and times of output. At each output time, density and velocity of every cell are "
       "written."},
      {"outputs",
       "Fields of any part of the box at any steps, each output under a NAME that also names its "
       "files; see [output.md](output.md)."},
      {"pictures",
       "Pictures of slices, projections and surfaces (PNG), each under a NAME that also names its "
       "files; see "
       "[pictures.md](pictures.md)."},
      {"statistics",
       "Mean, rms and Reynolds stresses over time, each under a NAME; see [output.md](output.md)."},
      {"probes", "Pressure and velocity at points over time, each probe under a NAME."},
      {"quantities",
       "Numbers of the flow over time, each under a NAME, with their statistics; see "
       "[quantities.md](quantities.md)."},
      {"checkpoint",
       "Times of checkpoints, from which a run can continue; see "
       "[checkpoints.md](checkpoints.md)."},
      {"expect", "Expected results of the run, each under a NAME that you choose."},
  };
  return intros;
}

std::string group_of(const Key& key) {
  const auto dot = key.path.find('.');
  return dot == std::string::npos ? "" : key.path.substr(0, dot);
}

std::string table_row(const Key& key) {
  const auto code = [](const std::string& text) { return "`" + text + "`"; };
  const bool words = key.default_text.find(' ') != std::string::npos &&
                     key.default_text.find('[') == std::string::npos;
  const bool plain = words || key.default_text == "required" || key.default_text == "never" ||
                     key.default_text == "none";
  return fmt::format("| `{}` | {} | {} | {} | {} |\n", key.row, key.type,
                     plain ? key.default_text : code(key.default_text), key.allowed, key.doc);
}

std::string sections() {
  std::string text;
  std::string group;
  std::set<std::string> done;  // the six faces share rows
  for (const Key& key : keys()) {
    if (text.empty() || group_of(key) != group) {
      group = group_of(key);
      const std::string& intro = group_intros().at(group);
      text += group.empty() ? fmt::format("\n## {}\n", intro)
                            : fmt::format("\n## {}\n\n{}\n", group, intro);
      text += "\n| key | type | default | allowed | meaning |\n|---|---|---|---|---|\n";
    }
    if (done.insert(key.row).second) text += table_row(key);
  }
  return text;
}

constexpr const char* page_start = R"(# Case files

<!-- Generated from the key table in cases/case/schema/keys_*.cpp; to change it, change the table, then:
     build/lbm keys > docs/case_reference.md -->

A case is one YAML file. Every key has a default unless it says "required". Unknown keys, keys
given twice and values outside the allowed ones are errors that name the line. `lbm check CASE`
checks a case without running it.

Any key can be set on the command line, `--set` as often as needed; the value is YAML:

    lbm run cases/lid_driven_cavity.yaml --set fluid.reynolds=400 --set grid.cells=[96,96,96]

Setting a map or a word, as in `--set boundaries.z_max=wall`, replaces all keys below it,
and setting one of several alternatives (`run.steps`, `run.convective_times`) replaces the others.
All numbers, including whole ones, may be written as 1e6. Memory is written in bytes or with a unit: B, kB,
MB, GB, TB are powers of 1000, and KiB, MiB, GiB, TiB powers of 1024.

A file has at most 1 MiB, 200000 keys and values (those of an anchor count wherever it is used), and 64 levels.

Velocities are in reference velocities, lengths in cells, and times in steps or in convective times
(`fluid.length` / `fluid.lattice_velocity` steps each), unless the case says `units: si`:
[units.md](units.md).

## Example

```yaml
)";

}  // namespace

std::string group_introduction(const std::string& group) {
  const auto found = group_intros().find(group);
  return group.empty() || found == group_intros().end() ? "" : found->second;
}

std::string case_reference_example() {
  return R"(name: cavity
grid:
  cells: [64, 64, 96]
boundaries:                  # faces that are not named are walls at rest
  y_min: periodic
  y_max: periodic
  z_max: {type: wall, velocity: [1, 0, 0]}
fluid:
  reynolds: 400
  lattice_velocity: 0.1
run:
  convective_times: 20
device:
  memory: 8 GB
output:
  times: [5, 10]             # convective times; the end is written as well
)";
}

std::string case_reference_markdown() {
  return page_start + case_reference_example() + "```\n" + sections();
}

}  // namespace lbm::cases
