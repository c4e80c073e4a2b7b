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

// Reports an error of yaml-cpp as UsageError.
[[noreturn]] void not_yaml(const Source& source, const YAML::Exception& error);

}  // namespace lbm::cases
