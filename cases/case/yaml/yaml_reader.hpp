// SPDX-License-Identifier: Apache-2.0

// Values of a case from YAML text and the --set options of the command line. Opens no file but the
// case itself.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "cases/case/case.hpp"
#include "cases/case/yaml/yaml_tree.hpp"

namespace lbm::cases {

// Text of a case file. Throws UsageError for a file that is unreadable or larger than 1 MiB.
std::string read_case_text(const std::string& path);

// Entries of the text, with the overrides ("key.path=value"; later ones win). An override of one of
// several exclusive keys removes the others. Throws UsageError as parse_entries() does.
Entries entries_in(const std::string& text, const std::string& file,
                   const std::vector<std::string>& overrides, std::size_t max_nodes);

// The values alone, without any check that compares them. Sets Case::file, lines and overridden.
// Throws UsageError for a value outside the key table.
Case values_in(const Entries& entries, const std::string& file);

}  // namespace lbm::cases
