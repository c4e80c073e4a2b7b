// SPDX-License-Identifier: Apache-2.0
#include "cases/formula/formula.hpp"

#include <cstring>

#include "tests/fuzz/refusal.hpp"
#include "tests/fuzz/targets.hpp"

namespace lbm::fuzz {

void read_formula(std::string_view bytes) {
  const formula::Names names{{"x", "y", "z"}, {{"lx", 64}, {"U", 1}, {"pi", 3}}, {{"t", "no"}}};
  (void)accepts([&] {
    try {
      const formula::Formula read(std::string(bytes), names);
      formula::Formula::Evaluator one(read), other(read);
      for (const double x : {0.5, -3.0, 1e300}) {
        const double values[]{x, 2 * x, 1 - x};
        const double a = one(values), b = other(values), c = one(values);
        require(std::memcmp(&a, &b, sizeof a) == 0 && std::memcmp(&a, &c, sizeof a) == 0,
                "a formula has two values at one place");
        if (!read.uses(0)) {
          const double moved[]{x + 1, 2 * x, 1 - x};
          const double d = one(moved);
          require(std::memcmp(&a, &d, sizeof a) == 0, "a formula uses what it says not to use");
        }
      }
    } catch (const formula::FormulaError& error) {
      throw UsageError(error.what());
    }
  });
}

}  // namespace lbm::fuzz
