#include "cases/run/ranks/run_on_all_ranks.hpp"

#include <fmt/format.h>

#include <cstdio>
#include <optional>
#include <string>

#include "solver/core/error.hpp"

namespace lbm::cases {
namespace {

// All processes meet here with what went wrong, if anything; then the leader says it and all end
// with the exit code that comes back.
int meet(tiling::Ranks& ranks, const std::optional<Error>& error) {
  const auto texts = ranks.gather(
      error ? fmt::format("{} {}", static_cast<int>(error->exit_code()), error->what()) : "");
  for (std::size_t r = 0; r < texts.size(); ++r) {
    if (texts[r].empty()) continue;
    const auto space = texts[r].find(' ');
    if (ranks.leads()) {
      const bool all = texts[r] == texts.front();
      fmt::print(stderr, "lbm: {}{}\n", all ? "" : fmt::format("process {}: ", r),
                 texts[r].substr(space + 1));
      std::fflush(stderr);
    }
    ranks.gather("said");  // mpirun ends all when the first one ends so
    return std::stoi(texts[r].substr(0, space));
  }
  return exit_ok;
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
