// SPDX-License-Identifier: Apache-2.0

// Decides about single calls, and does to them what was decided.
#pragma once

#include <sys/types.h>

#include <cerrno>
#include <cstddef>
#include <string>

#include "tests/faults/fault_plan.hpp"
#include "tests/faults/power_cut.hpp"

namespace lbm::faults {

class FaultyFiles {
 public:
  FaultyFiles() : unsafe_(plan_.directory() + ".saved") {}
  FaultyFiles(const FaultyFiles&) = delete;
  FaultyFiles& operator=(const FaultyFiles&) = delete;

  static FaultyFiles& instance();

  // Logs the number of calls.
  void at_exit() const;

  bool active() const { return plan_.active(); }
  // The path of an open file as the system knows it; empty where no faults are planned for it.
  std::string covered(int fd) const;
  // The same for a name as openat() takes it.
  std::string covered(int directory, const char* path) const;

  // act(bytes) transfers at most so many bytes and returns as write() does. offset: in the file, -1
  // for the position of `fd`.
  template <class Act>
  ssize_t transfer(Call call, int fd, std::size_t bytes, off_t offset, const Act& act) {
    const std::string path = active() ? covered(fd) : std::string();
    if (path.empty()) return act(bytes);
    const Decision decision = plan_.next(call);
    if (decision.fault == Fault::shortened && bytes > 1) bytes = 1 + decision.random % (bytes - 1);
    if (decision.fault == Fault::kill || decision.fault == Fault::cut) {
      const std::size_t done = decision.random % (bytes + 1);
      if (done > 0) note(call, fd, offset, act(done));
      end(decision, path);
    }
    if (const int error = fault_of(decision, path)) {
      errno = error;
      return -1;
    }
    const ssize_t done = act(bytes);
    note(call, fd, offset, done);
    return done;
  }

  // act() returns -1 and errno, or another value for success.
  template <class Act>
  int call(Call call, const std::string& path, const Act& act) {
    if (path.empty()) return act();
    const Decision decision = plan_.next(call);
    if (decision.fault == Fault::kill || decision.fault == Fault::cut) {
      if (decision.random % 2 == 0) (void)act();
      end(decision, path);
    }
    if (const int error = fault_of(decision, path)) {
      errno = error;
      return -1;
    }
    return act();
  }

  // Null where no power cut is planned.
  UnsafeFiles* unsafe() { return plan_.cuts_power() ? &unsafe_ : nullptr; }

 private:
  // Returns an errno, or 0 after waiting where that was decided.
  int fault_of(const Decision& decision, const std::string& path) const;
  // After a write: keeps in mind what is not flushed.
  void note(Call call, int fd, off_t offset, ssize_t done);
  [[noreturn]] void end(const Decision& decision, const std::string& path);
  void log(const std::string& line) const;

  Plan plan_;
  UnsafeFiles unsafe_;
};

}  // namespace lbm::faults
