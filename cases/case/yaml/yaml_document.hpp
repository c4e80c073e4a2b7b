// SPDX-License-Identifier: Apache-2.0

// Loads the text of one YAML document and reports invalid text. Independent of cases.
#pragma once

#include <yaml-cpp/yaml.h>

#include <cstddef>
#include <string>

namespace lbm::cases {

// Keys and values of a case file; yaml-cpp takes about 700 bytes for each.
inline constexpr std::size_t max_file_nodes = 200'000;

// Origin of a YAML document: a file, one --set, or (both empty) code.
struct Source {
  std::string file;
  std::string override_text;
};

// Throws UsageError for control characters and for tabs at the start of a line, some of which
// yaml-cpp skips or misreads.
void refuse_odd_bytes(const std::string& text, const std::string& file);

// Throws UsageError for text that is not YAML, has a second document, nests too deep or is too
// large with its anchors expanded.
YAML::Node load_one(const std::string& text, const Source& source,
                    std::size_t max_nodes = max_file_nodes);

// The end of a message "FILE:LINE: ..." or "--set ..." about characters that look like others, as
// word processors put them in: "; there is U+2212, ...". They are in that line or one next to it,
// as a fault of YAML may begin before or in the map that follows. Empty: nothing odd.
std::string odd_characters_at(const std::string& message, const std::string& text,
                              const std::string& file);

// Reports an error of yaml-cpp as UsageError.
[[noreturn]] void not_yaml(const Source& source, const YAML::Exception& error);

}  // namespace lbm::cases
