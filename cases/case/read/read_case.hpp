// SPDX-License-Identifier: Apache-2.0

// Cases from files, text and lists of values, and the way back: values, structure and the size of
// the box.
#pragma once

#include <string>
#include <vector>

#include "cases/case/case.hpp"

namespace lbm::cases {

// Reads the file, then applies the overrides ("key.path=value", value in YAML; later ones win);
// replaced values are not checked. Sets Case::file, lines and overridden. Throws UsageError with
// one line ("cavity.yaml:12: fluid.reynolds: found "-5", must be a number > 0") for a file that is
// unreadable or not YAML, unknown or duplicate keys, values outside the key table, missing
// required keys, and an unusable image that sets the size of the box. Physics is checked by
// validate().
Case read_case(const std::string& path, const std::vector<std::string>& overrides = {});

// The same for text in memory; `file` is its name in messages.
Case parse_case(const std::string& text, const std::string& file,
                const std::vector<std::string>& overrides = {});

// A case as a flat list of values, for callers with data structures of their own.
struct CaseValue {
  std::string path;  // "bodies.ball.radius"
  std::string yaml;  // the value as YAML text
  std::string type;  // as in the key table; empty if only the path matters
};

// All keys that have a value, defaults included, in the order of the key table. Values are as
// given: grid.size, not the resulting cells. Named items are in the case's order.
std::vector<CaseValue> values_of(const Case& lbm_case);

// The inverse; checks values as for a file, with messages that start with "case."
// and the path. Groups and named items may be given as YAML maps. File names are relative to the
// current directory.
Case case_from_values(const std::vector<CaseValue>& values);

// The value as values_of() would return it ("8 GB" becomes 8000000000). Throws UsageError for an
// unknown key, an invalid name and a value outside the key table.
CaseValue checked_value(const std::string& path, const std::string& yaml);

// The case as if built in code: without a file, and with absolute file names.
Case without_file(const Case& lbm_case);

// All keys of the table with their values, defaults included; read_case() returns the same case
// (except file, lines and overridden).
std::string to_yaml(const Case& lbm_case);

}  // namespace lbm::cases
