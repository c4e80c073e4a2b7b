// Reads a case from a YAML file and the --set options of the command line.
#pragma once

#include <string>
#include <vector>

#include "cases/case/case.hpp"
#include "cases/case/yaml/yaml_tree.hpp"

namespace lbm::cases {

// Reads the file, then applies the overrides ("key.path=value", value in YAML; later ones win), so
// what an override replaces is never judged. Fills Case::file, lines and overridden.
// Throws UsageError with one line ("cavity.yaml:12: fluid.reynolds: found "-5", must be a
// number > 0") for a file that cannot be read, that is not YAML, for unknown or doubled keys,
// values outside the key table, and missing required keys. Physics is judged by validate().
Case read_case(const std::string& path, const std::vector<std::string>& overrides = {});

// The same for text in memory; `file` is only what messages call it.
Case parse_case(const std::string& text, const std::string& file,
                const std::vector<std::string>& overrides = {});

// The same for values that are no longer text; no file: code gave them.
Case case_of(const Entries& entries, const std::string& file);

// Puts one value into a case. Throws UsageError for one outside the key table.
void read_value(const std::string& path, const Entry& entry, Case& out);

}  // namespace lbm::cases
