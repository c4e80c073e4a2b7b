// SPDX-License-Identifier: Apache-2.0

// Checks a case against the table of keys: names of items, rules of keys (key.hpp), values.
#pragma once

#include "cases/case/case.hpp"

namespace lbm::cases {

// Throws UsageError for the first invalid or repeated name of an item, then for the first rule that
// is broken, in the order of the table.
void check_rules(const Case& lbm_case);

// Throws UsageError for the first value outside the table. A case from a file has no such value, as
// the reader refuses it; code may have set one.
void check_ranges(const Case& lbm_case);

}  // namespace lbm::cases
