// SPDX-License-Identifier: Apache-2.0

// `lbm init`: writes an annotated case file. The flows that it knows are the files flows/*.yaml,
// which are part of the program.
#pragma once

#include <yaml-cpp/yaml.h>

#include <iosfwd>
#include <string>
#include <vector>

#include "cases/case/case_boundaries.hpp"
#include "cases/cli/terminal/options.hpp"
#include "cases/formula/formula.hpp"

namespace lbm::cases {

// Adds a command for each flow to `lbm init`; it sets the exit code when it is called. options,
// exit_code: must outlive the parsing.
void add_init(CLI::App& init_app, Options& options, int& exit_code);

// flow: empty: asked for. options: of the flow, and of all flows (flows/common.yaml): cells, out,
// preview, overwrite, json. in, out: a terminal where the user answers questions; null: none.
// Throws UsageError for wrong or missing options, files that cannot be read, and files that are
// there already.
int init_command(const std::string& flow, Options options, std::istream* in, std::ostream* out);

namespace init {

struct Flow {
  std::string name;
  std::string help;  // one line
  double cells = 0;  // by default; 0: the file of the user says how many
  // Its options and those that all flows have (README.md).
  YAML::Node options, general;
  YAML::Node file;                  // flows/NAME.yaml
  std::vector<YAML::Node> sources;  // of formulas and texts, in order: common.yaml, the flow's file
  formula::Parts parts;             // of templates
};

// In the order of cases/cli/CMakeLists.txt.
const std::vector<Flow>& flows();

// The text of all files; CMake writes this function.
const char* flow_files();

// A member of an option, "" without it.
std::string member_of(const YAML::Node& option, const char* key);

// "found "x", must be a number > 0" and the like; empty where the option takes the value.
std::string fault_of(const YAML::Node& option, const std::string& value);

// The values of all options, given or by default. An option NAME has the truth has_NAME. Besides:
// kind number: the number NAME, 0 without a value; all others: the text NAME; word: a truth
// NAME_WORD for each word; file: the text NAME_file, in quotes and relative to the folder of
// `case_file` where that is short; text: the text NAME_quoted. Throws UsageError for a missing
// option and a wrong value: one line that begins with the option.
io::Json values_of(const Flow& flow, const Options& given, const std::string& case_file);

// The key `facts` of the flow says what it needs; both throw UsageError.
//   body   the surface --stl, turned into the axes of a wind tunnel (x across, y up, z along the
//          stream) and scaled. Adds in m: its width w, height h and length l, its corner low_x,
//          low_y, low_z, the scale; in m^2 the area that it turns towards the stream; triangles,
//          closed, has_rotate, and the texts rotate and up.
//   image  the voxels --image. Adds nx, ny, nz; in units of voxels the porosity and the surface of
//          the pores in a unit of volume.
void add_facts(const Flow& flow, io::Json& values);

// Rotations by multiples of 90 degrees, none to two, that turn `stream` to z and `up` to y; both
// are axes, and not the same one.
std::vector<Rotation> rotations(const Vec3& stream, const Vec3& up);

// Chooses collision model, lattice velocity and viscosity for so many cells by the rules of
// `lbm check`. The first of these with which check has nothing to say about stability is taken:
// trt, regularised_filtered, the latter with the least viscosity that it bears (or with a
// turbulence model where the number keep_viscosity is 1). The lattice velocity is lowered until tau
// is at most the number most_tau. values: of the options, facts, and the texts name, command and
// file. Returns them with all formulas of the flow; viscosity_factor: the case has so many times
// the viscosity that was asked for; chosen, notes: lines for the user; facts: an empty list.
// case_file: the start of messages, and the folder of the case's files. Throws UsageError where the
// grid is too coarse.
io::Json make_draft(const Flow& flow, io::Json values, double cells, const std::string& case_file);

// The case of a draft. Lines of `facts` stand at its head.
std::string case_text(const Flow& flow, const io::Json& draft);

}  // namespace init
}  // namespace lbm::cases
