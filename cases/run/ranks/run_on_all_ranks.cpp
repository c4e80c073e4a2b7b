// SPDX-License-Identifier: Apache-2.0
#include "cases/run/ranks/run_on_all_ranks.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <string>

namespace lbm::cases {

void run_on_all_ranks(tiling::Ranks& ranks, const std::function<void()>& work) {
  std::optional<Error> error;
  try {
    work();
  } catch (const std::exception& caught) {
    error = as_error(caught);
  }
  const auto codes = ranks.allgather(error ? error->exit_code() : exit_ok);
  const auto failed =
      std::find_if(codes.begin(), codes.end(), [](ExitCode code) { return code != exit_ok; });
  if (failed == codes.end()) return;
  const auto texts = ranks.allgather(std::string(error ? error->what() : ""));
  const auto r = static_cast<std::size_t>(failed - codes.begin());
  throw SharedError(*failed, (r == 0 ? "" : fmt::format("process {}: ", r)) + texts[r]);
}

}  // namespace lbm::cases
