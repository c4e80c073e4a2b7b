#include "cases/run/ranks/run_on_all_ranks.hpp"

#include <fmt/format.h>

#include <string>

namespace lbm::cases {

void run_on_all_ranks(tiling::Ranks& ranks, const std::function<void()>& work) {
  std::string own;  // exit code and message
  try {
    work();
  } catch (const std::exception& caught) {
    const Error error = as_error(caught);
    own = fmt::format("{} {}", static_cast<int>(error.exit_code()), error.what());
  }
  const auto errors = ranks.gather(own);
  for (std::size_t r = 0; r < errors.size(); ++r) {
    if (errors[r].empty()) continue;
    const auto space = errors[r].find(' ');
    const std::string who = errors[r] == errors.front() ? "" : fmt::format("process {}: ", r);
    throw SharedError(static_cast<ExitCode>(std::stoi(errors[r].substr(0, space))),
                      who + errors[r].substr(space + 1));
  }
}

void leave_together(tiling::Ranks& ranks) { ranks.gather(""); }

}  // namespace lbm::cases
