// SPDX-License-Identifier: Apache-2.0
#include "cases/cli/terminal/signals.hpp"

#include <unistd.h>

#include <array>
#include <atomic>
#include <csignal>
#include <cstdlib>
#include <string>

#include "solver/core/error.hpp"

namespace lbm::cases {
namespace {

// Set by handlers, which run in any thread; read by the thread that listens to other ranks, too.
std::atomic<int> received_signal = 0;
std::atomic<bool> save_wanted = false;

constexpr std::array stop_signals{SIGINT, SIGTERM, SIGHUP, SIGUSR2, SIGXCPU};

std::atomic<bool> in_set_up = false, quiet_for_parent = false;
static_assert(std::atomic<bool>::is_always_lock_free && std::atomic<int>::is_always_lock_free);
std::array<std::string, stop_signals.size()> last_lines;  // made beforehand: a handler may not

// Results are whole at any moment, as after SIGKILL; the kernel lets go of the directory.
// Where mpirun ends this rank because of another one, that one has said why.
[[noreturn]] void end_in_set_up(int signal, pid_t sender) {
  const bool says = !(quiet_for_parent && sender == ::getppid());
  for (std::size_t i = 0; says && i < stop_signals.size(); ++i) {
    if (stop_signals[i] != signal) continue;
    const auto written = ::write(STDERR_FILENO, last_lines[i].data(), last_lines[i].size());
    static_cast<void>(written);
  }
  ::_exit(128 + signal);
}

void on_signal(int signal, siginfo_t* info, void*) {
  if (signal == SIGUSR1) {
    save_wanted = true;
    return;
  }
  if (in_set_up.exchange(false)) end_in_set_up(signal, info->si_pid);
  int none = 0;
  received_signal.compare_exchange_strong(none, signal);  // the first one stays
}

bool is_ignored(int signal) {
  struct sigaction now {};
  return sigaction(signal, nullptr, &now) == 0 && now.sa_handler == SIG_IGN;
}

// At the time limit of a job, Slurm sends SIGTERM twice within a second: to the step and to the
// job.
bool in_slurm_job() { return std::getenv("SLURM_JOB_ID") != nullptr; }

void install(int signal, void (*handler)(int)) {
  struct sigaction action {};
  action.sa_handler = handler;
  action.sa_flags = SA_RESTART;
  sigaction(signal, &action, nullptr);
}

void install_own(int signal, int flags = 0) {
  struct sigaction action {};
  action.sa_sigaction = on_signal;
  action.sa_flags = SA_RESTART | SA_SIGINFO | flags;
  sigaction(signal, &action, nullptr);
}

sigset_t held_signals() {
  sigset_t set;
  sigemptyset(&set);
  for (const int signal : stop_signals) sigaddset(&set, signal);
  sigaddset(&set, SIGUSR1);
  return set;
}

}  // namespace

void hold_signals() {
  const sigset_t held = held_signals();
  sigprocmask(SIG_BLOCK, &held, nullptr);
  install(SIGXFSZ, SIG_IGN);
}

void let_signals_through() {
  const sigset_t held = held_signals();
  sigprocmask(SIG_UNBLOCK, &held, nullptr);
}

StopSignals::StopSignals(InSetUp what) {
  received_signal = 0;
  save_wanted = false;
  install_own(SIGUSR1);
  for (std::size_t i = 0; i < stop_signals.size(); ++i) {
    last_lines[i] = "lbm: stopped by " + signal_name(stop_signals[i]) +
                    " during set-up; no checkpoint: this run computed no step\n";
  }
  quiet_for_parent = what == InSetUp::end_as_rank;
  in_set_up = what != InSetUp::flag;
  install(SIGPIPE, SIG_IGN);
  for (const int signal : stop_signals) {
    const bool ends_at_once = signal == SIGINT || (signal == SIGTERM && !in_slurm_job());
    const bool stays_ignored = signal == SIGHUP && is_ignored(signal);
    if (!stays_ignored) install_own(signal, ends_at_once ? SA_RESETHAND : 0);
  }
  let_signals_through();
}

StopSignals::~StopSignals() {
  set_up_is_over();
  install(SIGUSR1, SIG_DFL);
  for (const int signal : stop_signals) {
    if (!is_ignored(signal)) install(signal, SIG_DFL);
  }
}

void StopSignals::set_up_is_over() { in_set_up = false; }

int StopSignals::received() { return received_signal; }

bool StopSignals::take_save() { return save_wanted.exchange(false); }

}  // namespace lbm::cases
