// SPDX-License-Identifier: Apache-2.0

// `lbm film`, `report`, `scale` and `watch`: commands of the Python package, of which this program
// becomes one.
#include <fmt/format.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <filesystem>

#include "cases/cli/commands.hpp"
#include "solver/core/error.hpp"

namespace lbm::cases {
namespace {

namespace fs = std::filesystem;

std::vector<char*> pointers(std::vector<std::string>& words) {
  std::vector<char*> all;
  all.reserve(words.size() + 1);
  for (std::string& word : words) all.push_back(word.data());
  all.push_back(nullptr);
  return all;
}

bool has_module(const std::string& python, const std::string& module) {
  std::vector<std::string> words{
      python, "-c",
      fmt::format("try:\n  import {}\nexcept Exception:\n  raise SystemExit(1)", module)};
  pid_t process = 0;
  int status = 0;
  return ::posix_spawnp(&process, python.c_str(), nullptr, nullptr, pointers(words).data(),
                        environ) == 0 &&
         ::waitpid(process, &status, 0) == process && status == 0;
}

// The Python that has the package: of the build that this program is of, else the one on PATH.
std::string find_python(const std::string& name, const std::string& module) {
  std::error_code ignored;
  const fs::path program = fs::read_symlink("/proc/self/exe", ignored);
  const fs::path build = program.parent_path();
  const fs::path venv = build / "venv/bin/python";
  const bool built = fs::exists(build / "python/lbm/__main__.py", ignored);
  if (built) {
    const char* before = std::getenv("PYTHONPATH");
    const std::string rest = before != nullptr && *before != '\0' ? ":" + std::string(before) : "";
    ::setenv("LBM_PROGRAM", program.c_str(), 0);  // 0: unless it is set
    ::setenv("PYTHONPATH", ((build / "python").string() + rest).c_str(), 1);
  }
  for (const std::string& python : {venv.string(), std::string("python3")}) {
    if (has_module(python, module)) return python;
  }
  throw UsageError(fmt::format(
      "lbm {0}: it is a command of the Python package, which was not found: `make report` in the "
      "source tree builds it, or pip install './python[report]' there, then python3 -m lbm {0}",
      name));
}

}  // namespace

int python_command(const std::string& name, const std::string& module,
                   const std::vector<std::string>& arguments) {
  std::vector<std::string> words{find_python(name, module), "-m", "lbm", name};
  words.insert(words.end(), arguments.begin(), arguments.end());
  std::signal(SIGXFSZ, SIG_DFL);  // hold_signals() ignores it
  ::execvp(words.front().c_str(), pointers(words).data());
  throw ResourceError(
      fmt::format("lbm {}: cannot start {}: {}", name, words.front(), std::strerror(errno)));
}

}  // namespace lbm::cases
