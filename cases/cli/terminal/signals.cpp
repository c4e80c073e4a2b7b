#include "cases/cli/terminal/signals.hpp"

#include <csignal>

namespace lbm::cases {
namespace {

volatile std::sig_atomic_t received_signal = 0;
volatile std::sig_atomic_t save_wanted = 0;

void on_signal(int signal) {
  received_signal = signal;
  std::signal(signal, SIG_DFL);
}

void on_save_signal(int) { save_wanted = 1; }

}  // namespace

StopSignals::StopSignals() {
  received_signal = 0;
  std::signal(SIGINT, on_signal);
  std::signal(SIGTERM, on_signal);
}

StopSignals::~StopSignals() {
  std::signal(SIGINT, SIG_DFL);
  std::signal(SIGTERM, SIG_DFL);
}

int StopSignals::received() { return received_signal; }

SaveSignal::SaveSignal() {
  save_wanted = 0;
  std::signal(SIGUSR1, on_save_signal);
}

SaveSignal::~SaveSignal() { std::signal(SIGUSR1, SIG_DFL); }

bool SaveSignal::take() {
  if (save_wanted == 0) return false;
  save_wanted = 0;
  return true;
}

}  // namespace lbm::cases
