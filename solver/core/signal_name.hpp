// SPDX-License-Identifier: Apache-2.0

// Names of the signals that stop a run.
#pragma once

#include <csignal>
#include <string>

namespace lbm {

// "SIGTERM"
inline std::string signal_name(int signal) {
  switch (signal) {
    case SIGINT:
      return "SIGINT";
    case SIGTERM:
      return "SIGTERM";
    case SIGHUP:
      return "SIGHUP";
    case SIGUSR2:
      return "SIGUSR2";
    case SIGXCPU:
      return "SIGXCPU";
    default:
      return "signal " + std::to_string(signal);
  }
}

}  // namespace lbm
