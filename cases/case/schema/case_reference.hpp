// SPDX-License-Identifier: Apache-2.0

// docs/case_reference.md, generated: `lbm keys > docs/case_reference.md`.
#pragma once

#include <string>

namespace lbm::cases {

// One section for each group of the key table, with a table of its keys, and an example that
// read_case() accepts.
std::string case_reference_markdown();

// Introduction of a top-level group in a sentence or two; empty for others.
std::string group_introduction(const std::string& group);

// The example case of the page.
std::string case_reference_example();

}  // namespace lbm::cases
