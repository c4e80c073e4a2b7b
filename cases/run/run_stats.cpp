#include "cases/run/run_stats.hpp"

#include <csignal>

namespace lbm::cases {

std::string signal_name(int signal) { return signal == SIGINT ? "SIGINT" : "SIGTERM"; }

std::string exit_reason_of(const RunStats& stats) {
  if (stats.stopped_by != 0) return "interrupted by " + signal_name(stats.stopped_by);
  if (stats.at_walltime) return "walltime reached";
  return stats.steady ? "steady" : "completed";
}

}  // namespace lbm::cases
