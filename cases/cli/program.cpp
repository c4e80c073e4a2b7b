// SPDX-License-Identifier: Apache-2.0
#include "cases/cli/program.hpp"

#include <fmt/format.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <map>

#include "cases/case/scalars.hpp"
#include "cases/case/schema/keys.hpp"
#include "cases/cli/commands.hpp"
#include "cases/cli/init/init.hpp"
#include "cases/cli/terminal/progress.hpp"
#include "cases/cli/terminal/signals.hpp"
#include "cases/run/pictures/python.hpp"
#include "cases/run/setup/device_speeds_cache.hpp"
#include "solver/core/error.hpp"

namespace lbm::cases {

namespace {

int fail(int exit_code, const std::string& line) {
  print_to(stderr, "lbm: {}\n", one_line(line, 2000));
  return exit_code;
}

int keys_command(const Options&) {
  write_text(stdout, case_reference_markdown());
  return exit_ok;
}

// Becomes a command of the Python package. module: that a package with this command has.
[[noreturn]] void become(const std::string& name, const std::string& module,
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

// handles_signals: by itself; signals end the others at once.
struct Command {
  int (*call)(const Options&);
  bool handles_signals = false;
};
const std::map<std::string, Command> commands{
    {"bench", {bench_command, true}}, {"cases", {cases_command}},  {"check", {check_command}},
    {"doctor", {doctor_command}},     {"info", {info_command}},    {"keys", {keys_command}},
    {"plan", {plan_command}},         {"run", {run_command, true}}};

// Adds a command of commands.yaml. options, exit_code: must outlive the parsing.
void add_command(CLI::App& app, const std::string& name, const YAML::Node& all, Options& options,
                 int& exit_code) {
  const YAML::Node about = all["commands"][name];
  CLI::App* command = app.add_subcommand(name, about["help"].as<std::string>());
  if (about["reads_case"]) add_options(*command, all["case"], options);
  add_options(*command, about["options"], options);
  if (name == "init") return add_init(*command, options, exit_code);
  if (about["module"]) {  // options are those of Python, --help included
    command->set_help_flag();
    command->prefix_command();
    command->callback([command, name, module = about["module"].as<std::string>()] {
      let_signals_through();
      become(name, module, command->remaining());
    });
    return;
  }
  command->callback([&options, &exit_code, one = commands.at(name)] {
    if (!one.handles_signals) let_signals_through();
    exit_code = one.call(options);
  });
}

// gcc's OpenMP lets threads spin for milliseconds at the end of every loop. Where cores are shared
// with other programs that costs a factor of ten, and a short spin costs nothing elsewhere. The
// library reads its setting when it is loaded, so the program starts itself again with it; whoever
// sets OMP_WAIT_POLICY or GOMP_SPINCOUNT decides alone.
void use_patient_threads(char** argv) {
  // Started through /proc/self/exe, the process is called `exe`; pgrep and top shall find `lbm`.
  prctl(PR_SET_NAME, program_invocation_short_name);
  if (std::getenv("OMP_WAIT_POLICY") != nullptr || std::getenv("GOMP_SPINCOUNT") != nullptr) return;
  setenv("GOMP_SPINCOUNT", "2000", 1);
  execv("/proc/self/exe", argv);  // returns only where it is not possible; then go on as we are
}

// A stack that overflows ends the program without a word. Threads have one of the same size.
void check_stack() {
  constexpr rlim_t least = rlim_t{1} << 20;
  rlimit limit{};
  if (getrlimit(RLIMIT_STACK, &limit) != 0 || limit.rlim_cur >= least) return;
  throw ResourceError(
      fmt::format("the stack is limited to {} KiB, must be {} KiB or more: ulimit -s 8192",
                  limit.rlim_cur >> 10, least >> 10));
}

int run_program(int argc, char** argv) {
  CLI::App app("Out-of-core lattice Boltzmann solver", "lbm");
  app.set_version_flag("--version", "lbm " LBM_VERSION);
  // Not require_subcommand(1): its message would hide a misspelt command.
  app.require_subcommand(0, 1);
  app.footer(
      "Exit codes: 0 done, 1 internal error, 2 wrong use or case, 3 flow diverged, 4 out of memory "
      "or disk (or standard output is lost), 5 an expectation was not met (run --expect), 6 "
      "walltime reached (restart to go "
      "on), 128 + n stopped by signal n.");
  int exit_code = exit_ok;
  std::map<std::string, Options> options;
  const YAML::Node all = YAML::Load(commands_yaml());
  for (const auto& entry : all["commands"]) {
    const auto name = entry.first.as<std::string>();
    add_command(app, name, all, options[name], exit_code);
  }
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    if (error.get_exit_code() == 0) return app.exit(error);  // --help, --version
    return fail(exit_usage, std::string(error.what()) + "; see lbm --help");
  }
  if (app.get_subcommands().empty()) {
    std::string names;
    for (const auto& [name, none] : options) names += (names.empty() ? "" : ", ") + name;
    return fail(exit_usage,
                fmt::format("no command given, must be one of {}; see lbm --help", names));
  }
  return exit_code;
}

}  // namespace
}  // namespace lbm::cases

int lbm_program(int argc, char** argv) {
  using namespace lbm::cases;
  using namespace lbm;
  open_standard_streams();
  hold_signals();
  use_patient_threads(argv);
  tell_of_speeds([](const std::string& line) { print_to(stderr, "note: {}\n", line); });
  try {
    check_stack();
    const int exit_code = run_program(argc, argv);
    if (exit_code == exit_ok) close_standard_output();
    return exit_code;
  } catch (const std::exception& exception) {
    const Error error = as_error(exception);
    return fail(error.exit_code(), error.what());
  } catch (...) {
    return fail(exit_internal, "internal error of an unknown kind");
  }
}
