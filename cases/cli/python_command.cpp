// SPDX-License-Identifier: Apache-2.0

// `lbm film`, `pictures`, `report`, `scale` and `watch`: commands of the Python package, of which
// this program becomes one.
#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstring>

#include "cases/cli/commands.hpp"
#include "cases/run/pictures/python.hpp"
#include "solver/core/error.hpp"

namespace lbm::cases {

int python_command(const std::string& name, const std::string& module,
                   const std::vector<std::string>& arguments) {
  const std::string python = find_python({module});
  if (python.empty() && name == "pictures") {
    throw UsageError("lbm pictures: " + no_python_for_pictures());
  }
  if (python.empty()) {
    throw UsageError(fmt::format(
        "lbm {0}: it is a command of the Python package, which was not found: `make report` in the "
        "source tree builds it, or pip install './python[report]' there, then python3 -m lbm {0}",
        name));
  }
  std::string command = python + " -m lbm " + name;
  for (const std::string& argument : arguments) command += " " + shell_word(argument);
  std::signal(SIGXFSZ, SIG_DFL);  // hold_signals() ignores it
  ::execl("/bin/sh", "sh", "-c", command.c_str(), nullptr);
  throw ResourceError(
      fmt::format("lbm {}: cannot start {}: {}", name, python, std::strerror(errno)));
}

}  // namespace lbm::cases
