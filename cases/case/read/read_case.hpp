// SPDX-License-Identifier: Apache-2.0

// Cases from files, text and parsed entries: values, structure and the size of the box.
#pragma once

#include <string>
#include <vector>

#include "cases/case/case.hpp"
#include "cases/case/yaml/yaml_tree.hpp"

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

// The same for parsed entries; `file` may be empty for values from code.
Case case_of(const Entries& entries, const std::string& file);

}  // namespace lbm::cases
