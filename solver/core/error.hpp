// SPDX-License-Identifier: Apache-2.0

// The errors a user can meet. Each carries the exit code of the program (see docs/cli.md);
// what() is one line that names the cause and the remedy. Names of bytes and signals in such lines.
#pragma once

#include <csignal>
#include <cstdint>
#include <exception>
#include <filesystem>
#include <new>
#include <stdexcept>
#include <string>
#include <system_error>

namespace lbm {

enum ExitCode : int {
  exit_ok = 0,
  exit_internal = 1,     // a bug
  exit_usage = 2,        // wrong use of the program, or a wrong case
  exit_diverged = 3,     // the flow became non-finite
  exit_resources = 4,    // not enough memory or disk
  exit_expectation = 5,  // lbm run --expect: a result is not what the case expects
  exit_walltime = 6,     // lbm run: run.walltime is reached; restart to go on
  exit_sigint = 130,
  exit_sigterm = 143,
};

class Error : public std::runtime_error {
 public:
  Error(ExitCode code, const std::string& line) : std::runtime_error(line), code_(code) {}
  ExitCode exit_code() const { return code_; }

 private:
  ExitCode code_;
};

// The input is wrong: exit 2. The message names the file, the line or key, the value found and the
// values allowed.
struct UsageError : Error {
  explicit UsageError(const std::string& line) : Error(exit_usage, line) {}
};

// The flow became non-finite: exit 3.
struct DivergedError : Error {
  explicit DivergedError(const std::string& line) : Error(exit_diverged, line) {}
};

// Memory or disk ran out: exit 4.
struct ResourceError : Error {
  explicit ResourceError(const std::string& line) : Error(exit_resources, line) {}
};

// Converts any exception to an Error with a message and an exit code: exit 4 for std::bad_alloc,
// errors of files, and threads that cannot be started, 1 (a bug) for the rest.
inline Error as_error(const std::exception& exception) {
  if (const auto* error = dynamic_cast<const Error*>(&exception)) return *error;
  if (dynamic_cast<const std::bad_alloc*>(&exception) != nullptr) {
    return ResourceError("out of memory: use a smaller grid or lattice.storage: fp16");
  }
  const auto* system = dynamic_cast<const std::system_error*>(&exception);
  if (const auto* file = dynamic_cast<const std::filesystem::filesystem_error*>(&exception)) {
    return ResourceError(file->path1().string() + ": " + file->code().message() +
                         ": do the file and the working directory still exist?");
  }
  if (system != nullptr && system->code() == std::errc::resource_unavailable_try_again) {
    return ResourceError(
        "a thread cannot be started: raise the limits on threads and address space (ulimit -u, "
        "ulimit -v), or use fewer device.threads");
  }
  return {exit_internal, std::string("internal error: ") + exception.what()};
}

// Calls work(). A ResourceError that it throws names the rank whose disk or memory caused it.
template <class Work>
void attribute_to_rank(int rank, const Work& work) {
  try {
    work();
  } catch (const ResourceError& error) {
    throw ResourceError("process " + std::to_string(rank) + ": " + error.what());
  }
}

// "512 B", "1.5 KiB", "63.4 GiB": binary units, one decimal.
std::string human_bytes(std::uint64_t bytes);

// "SIGTERM", of the signals that stop a run.
inline std::string signal_name(int signal) {
  if (signal == SIGINT) return "SIGINT";
  if (signal == SIGTERM) return "SIGTERM";
  if (signal == SIGHUP) return "SIGHUP";
  if (signal == SIGUSR2) return "SIGUSR2";
  if (signal == SIGXCPU) return "SIGXCPU";
  return "signal " + std::to_string(signal);
}

}  // namespace lbm
