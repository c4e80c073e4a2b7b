// docs/case_reference.md, generated: `lbm keys > docs/case_reference.md`.
#pragma once

#include <string>

namespace lbm::cases {

// One section per group of the key table, a table of its keys, and an example that read_case takes.
std::string case_reference_markdown();

// What a group at the top level is, in a sentence or two; empty for others.
std::string group_introduction(const std::string& group);

// The case inside the page's example.
std::string case_reference_example();

}  // namespace lbm::cases
