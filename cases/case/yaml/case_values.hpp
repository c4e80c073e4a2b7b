// A case as a flat list of values, for callers that keep it in structures of their own.
#pragma once

#include <string>
#include <vector>

#include "cases/case/case.hpp"

namespace lbm::cases {

struct CaseValue {
  std::string path;  // "bodies.ball.radius"
  std::string yaml;  // the value as YAML text
  std::string type;  // as in the key table; empty where only the path counts
};

// All keys that have a value, defaults included, in the order of the key table: what was given, so
// grid.size and not the cells that it became. Named items are in the case's order.
std::vector<CaseValue> values_of(const Case& lbm_case);

// The way back, judged as a file is (yaml_reader.hpp); messages start with "case." and the path.
// Groups and named items may be given as YAML maps. Relative file names are relative to the
// current directory.
Case case_from_values(const std::vector<CaseValue>& values);

// The value as the case holds it ("8 GB" becomes 8000000000): what values_of would say of it.
// Throws UsageError for an unknown key, a bad name and a value outside the key table.
CaseValue checked_value(const std::string& path, const std::string& yaml);

// The same case as if code had built it: no file, and the files that it names from the root.
Case without_file(const Case& lbm_case);

}  // namespace lbm::cases
