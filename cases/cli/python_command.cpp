// SPDX-License-Identifier: Apache-2.0

// `lbm watch` and `lbm report`: commands of the Python package, of which this program becomes one.
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

bool has_package(const std::string& python) {
  std::vector<std::string> words{
      python, "-c", "try:\n  import lbm.watch\nexcept Exception:\n  raise SystemExit(1)"};
  pid_t process = 0;
  int status = 0;
  return ::posix_spawnp(&process, python.c_str(), nullptr, nullptr, pointers(words).data(),
                        environ) == 0 &&
         ::waitpid(process, &status, 0) == process && status == 0;
}

// The Python that has the package: of the build that this program is of, else the one on PATH.
std::string find_python(const std::string& name) {
  std::error_code ignored;
  const fs::path build = fs::read_symlink("/proc/self/exe", ignored).parent_path();
  const fs::path venv = build / "venv/bin/python";
  const bool built = fs::exists(build / "python/lbm/__main__.py", ignored);
  if (built) {
    const char* before = std::getenv("PYTHONPATH");
    const std::string rest = before != nullptr && *before != '\0' ? ":" + std::string(before) : "";
    ::setenv("PYTHONPATH", ((build / "python").string() + rest).c_str(), 1);
  }
  for (const std::string& python : {venv.string(), std::string("python3")}) {
    if (has_package(python)) return python;
  }
  throw UsageError(fmt::format(
      "lbm {0}: it is a command of the Python package, which was not found: `make {0}` in the "
      "source tree builds and starts it, or pip install './python[report]' there, then python3 -m "
      "lbm {0}",
      name));
}

}  // namespace

int python_command(const std::string& name, const std::vector<std::string>& arguments) {
  std::vector<std::string> words{find_python(name), "-m", "lbm", name};
  words.insert(words.end(), arguments.begin(), arguments.end());
  std::signal(SIGXFSZ, SIG_DFL);  // hold_signals() ignores it
  ::execvp(words.front().c_str(), pointers(words).data());
  throw ResourceError(
      fmt::format("lbm {}: cannot start {}: {}", name, words.front(), std::strerror(errno)));
}

}  // namespace lbm::cases
