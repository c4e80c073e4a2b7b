// SPDX-License-Identifier: Apache-2.0

// The text of a case for so many cells: collision model, lattice velocity and viscosity are chosen
// by the rules of `lbm check`.
#pragma once

#include <string>
#include <vector>

#include "cases/cli/init/flow.hpp"

namespace lbm::cases::init {

// The place of the lines of lbm check.
inline constexpr const char* facts_mark = "# FACTS\n";

struct Draft {
  std::string text;                 // with facts_mark in a line of its own
  std::vector<std::string> chosen;  // what was chosen and why, one line each
  std::vector<std::string> notes;   // what the user should know, one line each
  // The case has so many times the viscosity that was asked for, as the grid bears no less.
  double viscosity_factor = 1;
  double dimensions = 3;  // of the grid, as it grows with the number of cells
  // A grid of so many cells resolves the body; 0: there is none, or this one does.
  double cells_needed = 0;
};

// values: of the options, facts, and the texts name, command and file. The first of these with
// which check has nothing to say about stability is taken: trt, regularised_filtered, the latter
// with the least viscosity that it bears (or with a turbulence model where the number
// keep_viscosity is 1). The lattice velocity is lowered until tau is at most the number most_tau.
// case_file: the start of messages, and the folder of the case's files. Throws UsageError where the
// grid is too coarse.
Draft make_draft(const Flow& flow, Values values, double cells, const std::string& case_file);

}  // namespace lbm::cases::init
