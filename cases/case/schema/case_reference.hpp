// SPDX-License-Identifier: Apache-2.0

// docs/case_reference.md: the documentation of all keys, which the program has in it.
#pragma once

#include <string>

#include "cases/case/schema/key.hpp"

namespace lbm::cases {

// The page.
const char* case_reference_markdown();

// The row of a key on the page: the test CaseKeys.ReferencePage compares `type` and `allowed` with
// the table of keys.
struct KeyTexts {
  std::string type;
  std::string default_text;  // as a user would write it, or words such as "required"
  std::string allowed;
  std::string doc;  // one or two sentences, with units
};
// Throws std::out_of_range for a key without a row.
const KeyTexts& texts_of(const Key& key);

// Introduction of a top-level group in a sentence or two; empty for others.
std::string group_introduction(const std::string& group);

}  // namespace lbm::cases
