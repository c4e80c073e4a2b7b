// `lbm keys`.
#include <fmt/format.h>

#include <cstdio>

#include "cases/case/schema/case_reference.hpp"
#include "cases/cli/commands.hpp"
#include "solver/core/error.hpp"

namespace lbm::cases {

int keys_command() {
  fmt::print("{}", case_reference_markdown());
  return exit_ok;
}

}  // namespace lbm::cases
