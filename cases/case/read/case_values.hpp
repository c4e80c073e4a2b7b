// SPDX-License-Identifier: Apache-2.0

// A case as a flat list of values, for callers with data structures of their own.
#pragma once

#include <string>
#include <vector>

#include "cases/case/case.hpp"

namespace lbm::cases {

struct CaseValue {
  std::string path;  // "bodies.ball.radius"
  std::string yaml;  // the value as YAML text
  std::string type;  // as in the key table; empty if only the path matters
};

// All keys that have a value, defaults included, in the order of the key table. Values are as
// given: grid.size, not the resulting cells. Named items are in the case's order.
std::vector<CaseValue> values_of(const Case& lbm_case);

// The inverse; checks values as for a file (yaml_reader.hpp), with messages that start with "case."
// and the path. Groups and named items may be given as YAML maps. File names are relative to the
// current directory.
Case case_from_values(const std::vector<CaseValue>& values);

// The value as values_of() would return it ("8 GB" becomes 8000000000). Throws UsageError for an
// unknown key, an invalid name and a value outside the key table.
CaseValue checked_value(const std::string& path, const std::string& yaml);

// The case as if built in code: without a file, and with absolute file names.
Case without_file(const Case& lbm_case);

}  // namespace lbm::cases
