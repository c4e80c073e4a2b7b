// SPDX-License-Identifier: Apache-2.0

// The command line of `lbm init`.
#pragma once

#include "cases/cli/init/init_command.hpp"

namespace CLI {
class App;
}

namespace lbm::cases {

// Adds the command, which sets the exit code when it is called. Options and exit code must outlive
// the parsing.
void add_init(CLI::App& app, InitOptions& options, int& exit_code);

}  // namespace lbm::cases
