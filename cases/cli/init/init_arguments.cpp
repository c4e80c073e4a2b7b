// SPDX-License-Identifier: Apache-2.0
#include "cases/cli/init/init_arguments.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <iostream>

#include "cases/case/scalars.hpp"
#include "cases/cli/init/flows.hpp"
#include "cases/cli/terminal/empty_names.hpp"
#include "cases/cli/terminal/signals.hpp"
#include "solver/core/error.hpp"

namespace lbm::cases {
namespace {

int run_init(const InitOptions& options) {
  let_signals_through();
  const bool terminal = isatty(STDIN_FILENO) != 0 && isatty(STDERR_FILENO) != 0;
  return init_command(options, terminal ? &std::cin : nullptr, terminal ? &std::cerr : nullptr);
}

}  // namespace

void add_init(CLI::App& app, InitOptions& options, int& exit_code) {
  CLI::App* init_app = app.add_subcommand(
      "init", "Write an annotated case file of a common flow; on a terminal it asks");
  init_app->require_subcommand(0, 1);
  init_app->allow_extras();                                  // what follows it
  init_app->add_option("unknown", options.flow)->group("");  // a misspelt flow
  for (const init::Flow& flow : init::flows()) {
    CLI::App* one = init_app->add_subcommand(flow.name, flow.help);
    for (const init::Option& option : flow.options) {
      const std::string usual =
          option.fallback.empty() ? "" : fmt::format(" (default: {})", option.fallback);
      one->add_option_function<std::string>(
             "--" + option.name,
             [&options, name = option.name](const std::string& value) {
               options.given[name] = value;
             },
             option.help + usual)
          ->type_name(option.value + (option.required ? " REQUIRED" : ""));
    }
    if (flow.cells > 0) {
      one->add_option(
             "--cells", options.cells,
             fmt::format("About so many cells in all (default: {:.0f}, or more where they are "
                         "needed)",
                         flow.cells))
          ->type_name("N");
    }
    one->add_option("--out", options.out,
                    fmt::format("File to write (default: {}.yaml)", flow.name))
        ->check(not_empty_file)
        ->type_name("FILE");
    one->add_option("--preview", options.preview,
                    "Also draw the box, its bodies and the direction of the flow, as lbm check "
                    "--preview does")
        ->check(not_empty_file)
        ->type_name("FILE.png");
    one->add_flag("--overwrite", options.overwrite, "Replace the files if they are there");
    one->add_flag("--json", options.json, "Print one JSON object instead of text");
    one->callback([&options, name = flow.name] { options.flow = name; });
  }
  init_app->callback([&options, &exit_code, init_app] {
    const auto extras = init_app->remaining(true);
    if (!extras.empty() && !init_app->get_subcommands().empty()) {
      throw UsageError(fmt::format(
          "lbm init {0}: found \"{1}\", which it does not take; see lbm init {0} --help",
          options.flow, one_line(extras.front(), 80)));
    }
    exit_code = run_init(options);
  });
}

}  // namespace lbm::cases
