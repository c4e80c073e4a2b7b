// SPDX-License-Identifier: Apache-2.0

// `lbm init`: writes an annotated case file.
#pragma once

#include <iosfwd>
#include <map>
#include <string>

namespace CLI {
class App;
}

namespace lbm::cases {

struct InitOptions {
  std::string flow;                          // empty: asked for
  std::map<std::string, std::string> given;  // options of the flow
  std::string cells;                         // empty: the flow's number
  std::string out;                           // file; empty: the flow's name
  std::string preview;                       // picture of box and bodies; empty: none
  bool overwrite = false;                    // of both files
  bool json = false;
};

// Adds the command line, which sets the exit code when it is called. Options and exit code must
// outlive the parsing.
void add_init(CLI::App& app, InitOptions& options, int& exit_code);

// in, out: a terminal where the user answers questions; null: none. Throws UsageError for wrong or
// missing options, files that cannot be read, and files that are there already.
int init_command(InitOptions options, std::istream* in, std::ostream* out);

}  // namespace lbm::cases
