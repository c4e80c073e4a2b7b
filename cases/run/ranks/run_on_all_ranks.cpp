#include "cases/run/ranks/run_on_all_ranks.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <optional>
#include <string>

#include "solver/core/error.hpp"

namespace lbm::cases {
namespace {

// All processes meet here with what went wrong, if anything; then the leader says it and all end
// with the exit code that comes back.
int meet(tiling::Ranks& ranks, const std::optional<Error>& error) {
  const auto codes = ranks.allgather(error ? error->exit_code() : exit_ok);
  const auto failed =
      std::find_if(codes.begin(), codes.end(), [](ExitCode c) { return c != exit_ok; });
  if (failed == codes.end()) return exit_ok;
  const auto texts = ranks.allgather(std::string(error ? error->what() : ""));
  if (ranks.leads()) {
    const auto r = static_cast<std::size_t>(failed - codes.begin());
    fmt::print(stderr, "lbm: {}{}\n", r == 0 ? "" : fmt::format("process {}: ", r), texts[r]);
    std::fflush(stderr);
  }
  ranks.barrier();  // mpirun ends all when the first one ends so
  return *failed;
}

}  // namespace

int run_on_all_ranks(tiling::Ranks& ranks, const std::function<void()>& work) {
  std::optional<Error> error;
  try {
    work();
  } catch (const std::exception& caught) {
    error.emplace(as_error(caught));
  }
  return meet(ranks, error);
}

}  // namespace lbm::cases
