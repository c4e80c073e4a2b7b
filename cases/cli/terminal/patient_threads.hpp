// SPDX-License-Identifier: Apache-2.0

// OpenMP threads that wait for each other without burning the cores of a shared machine.
#pragma once

#include <sys/prctl.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>

namespace lbm::cases {

// gcc's OpenMP lets threads spin for milliseconds at the end of every loop. Where cores are shared
// with other programs that costs a factor of ten, and a short spin costs nothing elsewhere. The
// library reads its setting when it is loaded, so the program starts itself again with it; whoever
// sets OMP_WAIT_POLICY or GOMP_SPINCOUNT decides alone. Call first thing in main().
inline void use_patient_threads(char** argv) {
  // Started through /proc/self/exe, the process is called `exe`; pgrep and top shall find `lbm`.
  prctl(PR_SET_NAME, program_invocation_short_name);
  if (std::getenv("OMP_WAIT_POLICY") != nullptr || std::getenv("GOMP_SPINCOUNT") != nullptr) return;
  setenv("GOMP_SPINCOUNT", "2000", 1);
  execv("/proc/self/exe", argv);  // returns only where it is not possible; then go on as we are
}

}  // namespace lbm::cases
