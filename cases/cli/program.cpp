// SPDX-License-Identifier: Apache-2.0
#include "cases/cli/program.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <sys/resource.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <cstdio>
#include <exception>
#include <iostream>
#include <map>

#include "cases/case/scalars.hpp"
#include "cases/case/schema/keys.hpp"
#include "cases/cli/commands.hpp"
#include "cases/cli/init/init_command.hpp"
#include "cases/cli/terminal/empty_names.hpp"
#include "cases/cli/terminal/patient_threads.hpp"
#include "cases/cli/terminal/print.hpp"
#include "cases/cli/terminal/signals.hpp"
#include "cases/run/machines/described_machine.hpp"
#include "cases/run/setup/device_speeds_cache.hpp"
#include "solver/core/error.hpp"

namespace {

int fail(int exit_code, const std::string& line) {
  lbm::cases::print_to(stderr, "lbm: {}\n", lbm::cases::one_line(line, 2000));
  return exit_code;
}

void add_case(CLI::App& command, lbm::cases::CaseOptions& options) {
  command
      .add_option("case", options.case_file,
                  "Case file (YAML), or -: standard input; docs/case_reference.md has the keys")
      ->required()
      ->transform([](const std::string& name) { return name == "-" ? "/dev/stdin" : name; })
      ->type_name("CASE");
  // Without allow_extra_args(false), one --set would swallow the case file after it.
  command.add_option("--set", options.overrides, "Set one key of the case; may be repeated")
      ->type_name("KEY=VALUE")
      ->expected(1)
      ->allow_extra_args(false)
      ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
  command.add_flag("--json", options.json, "Print one JSON object instead of text");
}

template <class Value>
void option(CLI::App* app, const char* name, Value& value, const char* type,
            const std::string& help) {
  app->add_option(name, value, help)->type_name(type);
}

void add_run(CLI::App& app, lbm::cases::RunCommandOptions& options, int& exit_code) {
  CLI::App* run = app.add_subcommand("run", "Run a case and write its results");
  add_case(*run, options);
  run->add_option("--out", options.run.out,
                  "Directory for the results (default: what the case says)")
      ->check(lbm::cases::not_empty_directory)
      ->type_name("DIR");
  option(run, "--restart", options.run.restart, "FILE|DIR",
         "Go on from a checkpoint, or from the newest one in the directory of a run");
  run->add_flag("--change", options.run.change,
                "With --restart: accept other physics (viscosity, velocities, forces, ...), with "
                "results in another directory");
  run->add_flag("--overwrite", options.run.overwrite, "Replace results that are already there");
  run->add_flag("--expect", options.expect,
                "Exit code 5 where a result is not what the case expects");
  run->add_flag("--predict", options.run.predict,
                "Put the predicted speed into the report; measures the device if needed");
  run->add_flag("--quiet", options.quiet, "No progress on the terminal");
  run->callback([&] { exit_code = lbm::cases::run_command(options); });
}

void add_check(CLI::App& app, lbm::cases::CheckCommandOptions& options, int& exit_code) {
  CLI::App* check = app.add_subcommand("check", "Read and judge a case without running it");
  add_case(*check, options);
  check->add_flag("--full", options.full,
                  "Look at all bodies and inlets cell by cell, even if that takes long");
  check
      ->add_option("--preview", options.preview,
                   "Draw the box, the bodies with their local thickness in cells, and the "
                   "direction of the flow")
      ->check(lbm::cases::not_empty_file)
      ->type_name("FILE.png");
  check->add_flag("--overwrite", options.overwrite, "Replace FILE.png if it is there");
  check->callback([&] {
    lbm::cases::let_signals_through();
    exit_code = lbm::cases::check_command(options);
  });
}

void add_plan(CLI::App& app, lbm::cases::PlanCommandOptions& options, int& exit_code) {
  CLI::App* plan = app.add_subcommand(
      "plan", "Predict memory, schedule, speed and output size, and suggest improvements");
  add_case(*plan, options);
  plan->add_flag("--measure", options.plan.measure,
                 "Measure the device anew, not what the cache says");
  plan->add_option("--machine", options.plan.machine,
                   fmt::format("For a machine that is not here: {}, or a JSON file",
                               fmt::join(lbm::cases::known_machines(), ", ")))
      ->type_name("NAME|FILE");
  option(plan, "--processes", options.plan.processes, "N",
         "For so many processes, each with such a device (mpirun -n N)");
  option(plan, "--per-host", options.plan.per_host, "N", "Of these on one host (default: all)");
  option(plan, "--network", options.plan.network, "GB/s",
         "GB/s between two processes, for tiling.exchange: nccl or mpi (default: no limit)");
  option(plan, "--latency", options.plan.latency, "US",
         "Microseconds that a plane is on its way besides (default: 0)");
  plan->callback([&] {
    lbm::cases::let_signals_through();
    exit_code = lbm::cases::plan_command(options);
  });
}

void add_machine_command(CLI::App& app, const char* name, const char* help, bool& json,
                         int (*command)(bool json), int& exit_code) {
  CLI::App* machine = app.add_subcommand(name, help);
  machine->add_flag("--json", json, "Print one JSON object instead of text");
  machine->callback([&json, &exit_code, command] {
    lbm::cases::let_signals_through();
    exit_code = command(json);
  });
}

void add_keys(CLI::App& app) {
  CLI::App* keys = app.add_subcommand("keys", "Print the reference of all case keys (Markdown)");
  keys->callback([] {
    lbm::cases::let_signals_through();
    lbm::cases::print_to(stdout, "{}", lbm::cases::case_reference_markdown());
  });
}

void add_bench(CLI::App& app, lbm::cases::BenchOptions& options, int& exit_code) {
  CLI::App* bench = app.add_subcommand("bench", "Measure the speed of this machine; docs/bench.md");
  option(bench, "--json", options.json, "FILE", "Write the results to FILE; - for stdout");
  bench->add_flag("--overwrite", options.overwrite, "Replace FILE if it is there");
  bench->add_flag("--quick", options.quick, "Fewer and shorter measurements");
  option(bench, "--backend", options.backend, "NAME", "cpu, cuda or auto");
  option(bench, "--device", options.device, "N", "Which GPU");
  option(bench, "--memory", options.memory, "BYTES",
         "Host memory to use (default: 80 % of what is free)");
  option(bench, "--device-memory", options.device_memory, "BYTES", "Device memory to use");
  option(bench, "--steps", options.steps, "N", "Steps of each measurement");
  bench->add_option("--only", options.only, "copy, link, in_core, threads, out_of_core, halo, size")
      ->type_name("GROUP,...")
      ->delimiter(',');
  bench->callback([&, bench] {
    options.json_given = bench->count("--json") > 0;
    exit_code = lbm::cases::bench_command(options);
  });
}

// Options are those of Python, --help included.
void add_python_command(CLI::App& app, const std::string& name, const std::string& module,
                        const std::string& help, int& exit_code) {
  CLI::App* command = app.add_subcommand(name, help);
  command->set_help_flag();
  command->prefix_command();
  command->callback([&exit_code, command, name, module] {
    lbm::cases::let_signals_through();
    exit_code = lbm::cases::python_command(name, module, command->remaining());
  });
}

void add_cases(CLI::App& app, lbm::cases::CasesOptions& options, int& exit_code) {
  CLI::App* cases =
      app.add_subcommand("cases", "List the case files that come with lbm, or copy one");
  cases->add_option("name", options.name, "The case to copy, with its data files")
      ->type_name("NAME");
  cases->add_option("--out", options.out, "Directory to copy to (default: the working directory)")
      ->check(lbm::cases::not_empty_directory)
      ->type_name("DIR");
  cases->add_flag("--overwrite", options.overwrite, "Replace files that are there");
  cases->add_flag("--json", options.json, "Print JSON instead of text");
  cases->callback([&] {
    lbm::cases::let_signals_through();
    exit_code = lbm::cases::cases_command(options);
  });
}

// A stack that overflows ends the program without a word. Threads have one of the same size.
void check_stack() {
  constexpr rlim_t least = rlim_t{1} << 20;
  rlimit limit{};
  if (getrlimit(RLIMIT_STACK, &limit) != 0 || limit.rlim_cur >= least) return;
  throw lbm::ResourceError(
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
  lbm::cases::RunCommandOptions run_options;
  lbm::cases::CheckCommandOptions check_options;
  lbm::cases::PlanCommandOptions plan_options;
  bool json = false;
  lbm::cases::BenchOptions bench_options;
  lbm::cases::InitOptions init_options;
  lbm::cases::CasesOptions cases_options;
  int exit_code = lbm::exit_ok;
  lbm::cases::add_init(app, init_options, exit_code);
  add_cases(app, cases_options, exit_code);
  add_run(app, run_options, exit_code);
  add_check(app, check_options, exit_code);
  add_plan(app, plan_options, exit_code);
  add_machine_command(app, "info", "Show devices, memory and how lbm was built", json,
                      lbm::cases::info_command, exit_code);
  add_machine_command(
      app, "doctor",
      "Check this machine: what works, what does not, and what to do; docs/coherent.md", json,
      lbm::cases::doctor_command, exit_code);
  add_keys(app);
  add_bench(app, bench_options, exit_code);
  add_python_command(app, "scale", "lbm.studies.scale",
                     "Measure how the speed of a case grows with processes; docs/clusters.md",
                     exit_code);
  add_python_command(app, "film", "lbm.film",
                     "Make films of the pictures of a run, with ffmpeg; docs/pictures.md",
                     exit_code);
  add_python_command(app, "watch", "lbm.watch",
                     "Show runs in a browser while they compute; docs/watch.md", exit_code);
  add_python_command(app, "report", "lbm.report_page",
                     "Write a run as one page; docs/report_page.md", exit_code);
  add_python_command(app, "pictures", "lbm.pictures",
                     "Draw the pictures of a run that lacked Python; docs/pictures.md", exit_code);
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    if (error.get_exit_code() == 0) return app.exit(error);  // --help, --version
    return fail(lbm::exit_usage, std::string(error.what()) + "; see lbm --help");
  }
  if (app.get_subcommands().empty()) {
    return fail(
        lbm::exit_usage,
        "no command given, must be init, cases, run, check, plan, info, doctor, keys, bench, "
        "scale, film, watch or report; see lbm --help");
  }
  return exit_code;
}

}  // namespace

int lbm_program(int argc, char** argv) {
  lbm::cases::open_standard_streams();
  lbm::cases::hold_signals();
  lbm::cases::use_patient_threads(argv);
  lbm::cases::tell_of_speeds(
      [](const std::string& line) { lbm::cases::print_to(stderr, "note: {}\n", line); });
  try {
    check_stack();
    const int exit_code = run_program(argc, argv);
    if (exit_code == lbm::exit_ok) lbm::cases::close_standard_output();
    return exit_code;
  } catch (const std::exception& exception) {
    const lbm::Error error = lbm::as_error(exception);
    return fail(error.exit_code(), error.what());
  } catch (...) {
    return fail(lbm::exit_internal, "internal error of an unknown kind");
  }
}
