// SPDX-License-Identifier: Apache-2.0

// The flows that `lbm init` knows.
#pragma once

#include <string>
#include <vector>

#include "cases/cli/init/answers.hpp"
#include "cases/cli/init/case_text.hpp"
#include "cases/cli/init/numerics.hpp"

namespace lbm::cases::init {

// The file that is to be written.
struct Target {
  std::string file;     // its path
  std::string name;     // of the case
  std::string command;  // that writes it: "lbm init cavity --reynolds 400"
  double cells = 0;     // about so many in all
};

struct Draft {
  std::string text;  // with facts_mark in a line of its own
  Numerics numerics;
  std::vector<std::string> chosen;  // what was chosen and why, one line each
  int dimensions = 3;               // of the grid, as it grows with the number of cells
  // A grid of so many cells resolves the body; 0: there is none, or this one does.
  double cells_needed = 0;
  std::vector<std::string> notes = {};  // what the user should know, one line each
};

// The place of the lines of lbm check.
inline constexpr const char* facts_mark = "# FACTS\n";

struct Flow {
  std::string name;
  std::string help;  // one line
  double cells = 0;  // by default; 0: the file of the user says how many
  std::vector<Option> options;
  Draft (*draft)(const Answers&, const Target&) = nullptr;
};

// cavity, channel, pipe, wind_tunnel, porous.
const std::vector<Flow>& flows();

Flow cavity_flow();
Flow channel_flow();
Flow pipe_flow();
Flow wind_tunnel_flow();
Flow porous_flow();

// Parts of several flows.

std::vector<Option> fluid_options();  // --fluid, --viscosity, --density
struct FluidFacts {
  double viscosity = 0;  // m^2/s
  double density = 0;    // kg/m^3
  std::string text;      // "air at 20 degrees C"
};
FluidFacts fluid_of(const Answers& answers);

// Title, command, and the place of the facts.
void begin(CaseText& text, const Target& target, const std::string& title);
// fluid: of an SI case; the viscosity as the grid bears it.
void add_si_fluid(CaseText& text, const Numerics& numerics, const FluidFacts& fluid, double length,
                  const std::string& what_length, double speed, const std::string& what_speed);
// fluid.target_reynolds, of a flow that the grid does not bear.
void add_target(CaseText& text, double reynolds);
void add_lattice(CaseText& text, const Numerics& numerics);
// A line of `output`: some 500 samples of the flow in the longest run.
void add_monitor(CaseText& text, const Numerics& numerics);
// pictures: of the speed on the middle plane across an axis; every_time in the case's unit.
void add_pictures(CaseText& text, const Target& target, const std::string& axis, double every_time);
std::vector<std::string> chosen(const Numerics& numerics);
// "file", relative to the folder of the case where that is short.
std::string file_from_case(const std::string& file, const Target& target);

// Throws UsageError: --cells gives fewer than `least` cells across `what`. power: the cells of the
// grid grow with this power of those across.
void require_across(double across, double least, const std::string& what, double cells, int power);

}  // namespace lbm::cases::init
