// The text of one YAML document and the messages about text that is none. Knows nothing of cases.
#pragma once

#include <yaml-cpp/yaml.h>

#include <string>

namespace lbm::cases {

// Where a YAML document came from: the file, one --set, or (both empty) code.
struct Source {
  std::string file;
  std::string override_text;
};

// Throws UsageError for bytes that no case has. yaml-cpp skips some tabs and misreads others; a
// case never needs one at the start of a line.
void refuse_odd_bytes(const std::string& text, const std::string& file);

// The one document in the text. Throws UsageError for text that is not YAML or has a second one.
YAML::Node load_one(const std::string& text, const Source& source);

// Throws the UsageError for what yaml-cpp found.
[[noreturn]] void not_yaml(const Source& source, const YAML::Exception& error);

}  // namespace lbm::cases
