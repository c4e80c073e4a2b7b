// SPDX-License-Identifier: Apache-2.0

// `lbm init`: writes an annotated case file.
#pragma once

#include <iosfwd>
#include <string>

#include "cases/cli/terminal/options.hpp"

namespace lbm::cases {

// Adds a command for each flow to `lbm init`; it sets the exit code when it is called. options,
// exit_code: must outlive the parsing.
void add_init(CLI::App& init_app, Options& options, int& exit_code);

// flow: empty: asked for. options: of the flow, and of all flows (flows/common.yaml): cells, out,
// preview, overwrite, json. in, out: a terminal where the user answers questions; null: none.
// Throws UsageError for wrong or missing options, files that cannot be read, and files that are
// there already.
int init_command(const std::string& flow, Options options, std::istream* in, std::ostream* out);

}  // namespace lbm::cases
