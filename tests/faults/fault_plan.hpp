// SPDX-License-Identifier: Apache-2.0

// Which file calls of a program fail, and how: read from environment variables, decided by a seed.
#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <string>
#include <string_view>

namespace lbm::faults {

enum class Call { open, create, read, write, sync, rename, reserve, truncate, remove };

enum class Fault {
  none,
  shortened,  // fewer bytes are transferred than asked for
  eintr,      // interrupted by a signal; nothing was transferred
  slow,       // up to 20 ms
  eio,        // of calls that write
  read_eio,   // of calls that read
  enospc,
  kill,  // SIGKILL of this process, before or in the middle of the call
  cut    // the same, and what was not flushed is lost (power_cut.hpp)
};

constexpr std::array<std::string_view, 9> fault_names{"none",     "short",  "eintr", "slow", "eio",
                                                      "read_eio", "enospc", "kill",  "cut"};

// True if a call can fail in this way on a real system.
bool applies(Fault fault, Call call);

struct Decision {
  Fault fault = Fault::none;
  std::uint64_t random = 0;  // for details of the fault
  std::uint64_t number = 0;  // of the call, from 1
};

// Environment variables:
//   LBM_FAULT_DIR    absolute path: calls on files in this directory are counted and may fail.
//                    Without it nothing is done.
//   LBM_FAULT_NAMES  only paths with this text in them, such as .csv
//   LBM_FAULT_SEED   whole number, default 0
//   LBM_FAULT_RATES  "short:0.3,eintr:0.1": probability per call
//   LBM_FAULT_AT     "kill:17": at the 17th call, or the next one where that is possible;
//                    "enospc:17-40": at all calls from the 17th to the 40th. If the first is a
//                    write, it transfers some bytes, as on a disk that becomes full.
//   LBM_FAULT_RANK   only in this rank of Open MPI
//   LBM_FAULT_LOG    file that gets a line for each fault of LBM_FAULT_AT, and the number of calls
// An unknown word ends the program with 99: a test with a typing error must not pass.
class Plan {
 public:
  Plan();

  bool active() const { return !directory_.empty(); }
  bool cuts_power() const { return at_fault_ == Fault::cut; }
  // True if the path is LBM_FAULT_DIR or lies in it, and contains LBM_FAULT_NAMES.
  bool covers(std::string_view path) const;
  const std::string& directory() const { return directory_; }
  const std::string& log() const { return log_; }
  std::uint64_t calls() const { return calls_; }
  // Counts the call. Thread-safe; with several threads the order of calls varies.
  Decision next(Call call);

 private:
  std::string directory_, names_, log_;
  std::uint64_t seed_ = 0;
  std::array<double, fault_names.size()> rates_{};
  Fault at_fault_ = Fault::none;
  std::uint64_t at_ = 0, last_ = 0;  // last_ is 0 for a single call
  std::atomic<bool> begun_ = false;  // the fault of LBM_FAULT_AT
  std::atomic<std::uint64_t> calls_ = 0;
};

}  // namespace lbm::faults
