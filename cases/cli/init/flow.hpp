// SPDX-License-Identifier: Apache-2.0

// The flows that `lbm init` knows: the files flows/*.yaml, which are part of the program.
#pragma once

#include <yaml-cpp/yaml.h>

#include <map>
#include <string>
#include <vector>

#include "cases/case/case_bodies.hpp"
#include "cases/cli/init/template.hpp"

namespace lbm::cases::init {

struct Option {
  std::string name;      // "speed" of --speed
  std::string value;     // "M/S": what the help shows
  std::string help;      // one line, without its default
  std::string fallback;  // empty: none
  bool required = false;
  std::string kind;                // number (> 0), whole, three, word, text or file
  std::vector<std::string> words;  // all that a word may be
};

struct Flow {
  std::string name;
  std::string help;  // one line
  double cells = 0;  // by default; 0: the file of the user says how many
  std::vector<Option> options;
  YAML::Node data;                                                 // the rest of the file
  std::vector<std::pair<std::string, std::string>> values, texts;  // formulas, lines; in order
  std::map<std::string, std::string> parts;                        // of templates
};

// cavity, channel, pipe, wind_tunnel, porous.
const std::vector<Flow>& flows();

// The text of flows/NAME.yaml; CMake writes this function.
std::string flow_file(const std::string& name);

using Given = std::map<std::string, std::string>;  // values of options

// "found "x", must be a number > 0" and the like; empty where the option takes the value.
std::string fault_of(const Option& option, const std::string& value);

// The values of all options, given or by default. An option NAME has the number has_NAME (1 or 0).
// Besides: kind number: the number NAME, 0 without a value; all others: the text NAME; word: a
// number NAME_WORD (1 or 0) for each word; file: the text NAME_file, in quotes and relative to the
// folder of `case_file` where that is short; text: the text NAME_quoted. Throws UsageError for a
// missing option and a wrong value: one line that begins with the option.
Values values_of(const Flow& flow, const Given& given, const std::string& case_file);

// The key `facts` of the flow says what it needs; both throw UsageError.
//   body   the surface --stl, turned into the axes of a wind tunnel (x across, y up, z along the
//          stream) and scaled. Adds in m: its width w, height h and length l, its corner low_x,
//          low_y, low_z, the scale; in m^2 the area that it turns towards the stream; triangles,
//          closed (1 or 0), has_rotate, and the texts rotate and up.
//   image  the voxels --image. Adds nx, ny, nz; in units of voxels the porosity and the surface of
//          the pores in a unit of volume.
void add_facts(const Flow& flow, Values& values);

// Rotations by multiples of 90 degrees, none to two, that turn `stream` to z and `up` to y; both
// are axes, and not the same one.
std::vector<Rotation> rotations(const Vec3& stream, const Vec3& up);

// A word of a command line, in quotes where a shell needs them.
std::string quoted(const std::string& text);

}  // namespace lbm::cases::init
