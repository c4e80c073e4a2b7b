#include "cases/app/signals.hpp"

#include <csignal>

namespace lbm::app {
namespace {

volatile std::sig_atomic_t received_signal = 0;

void on_signal(int signal) {
  received_signal = signal;
  std::signal(signal, SIG_DFL);
}

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

}  // namespace lbm::app
