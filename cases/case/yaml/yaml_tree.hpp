// SPDX-License-Identifier: Apache-2.0

// A YAML text as a flat list of key paths with their origins (yaml_tree.cpp), from one document
// that is checked and loaded first (yaml_document.cpp). Knows YAML and the names in the key table,
// but not the meaning of values.
#pragma once

#include <yaml-cpp/yaml.h>

#include <cstddef>
#include <map>
#include <string>
#include <utility>
#include <vector>

namespace lbm::cases {

// Keys and values of a case file; yaml-cpp takes about 700 bytes for each.
inline constexpr std::size_t max_file_nodes = 200'000;

// Origin of a YAML document: a file, one --set, or (both empty) code.
struct TextSource {
  std::string file;
  std::string override_text;
};

// Throws UsageError for control characters and for tabs at the start of a line, some of which
// yaml-cpp skips or misreads.
void refuse_odd_bytes(const std::string& text, const std::string& file);

// Throws UsageError for text that is not YAML, has a second document, nests too deep or is too
// large with its anchors expanded.
YAML::Node load_one(const std::string& text, const TextSource& source,
                    std::size_t max_nodes = max_file_nodes);

// The end of a message "FILE:LINE: ..." or "--set ..." about characters that look like others, as
// word processors put them in: "; there is U+2212, ...". For "FILE:LINE: ...": of that line and the
// lines beside it, because the YAML parser may name a line before or after the fault. For "--set
// ...": of its text. Empty: nothing odd.
std::string odd_characters_at(const std::string& message, const std::string& text,
                              const std::string& file);

// Reports an error of yaml-cpp as UsageError.
[[noreturn]] void not_yaml(const TextSource& source, const YAML::Exception& error);

struct Entry {
  YAML::Node node;
  int line = 0;               // of the key in the file, counted from 1
  std::string override_text;  // "grid.cells=[8,8,8]" when it came from --set
  // Sort key for file order: an entry replaced by --set keeps its place, an added one comes last.
  std::pair<int, int> place{0, 0};
};

// Key path -> value. Only keys of the table (user-defined names instead of NAME), no groups.
using Entries = std::map<std::string, Entry>;

// Start of a message about an entry: "cavity.yaml:12: fluid.reynolds", "--set fluid.reynolds=-5",
// or "case.fluid.reynolds" for a value from code (no file).
std::string origin(const std::string& file, const std::string& path, const Entry& entry);

// A value as messages quote it: '"-5"', '"[0, 1]"', 'a map', 'nothing'.
std::string found(const YAML::Node& node);

// Parses the text of a case file. Throws UsageError (one line, with file:line if known) for text
// that is not YAML or has more than max_nodes keys and values, and for unknown or duplicate keys.
Entries parse_entries(const std::string& text, const std::string& file, std::size_t max_nodes);

// Applies one "key.path=value": replaces or adds entries. Throws UsageError.
void apply_override(Entries& entries, const std::string& override_text);

// Adds a key or group given by code as YAML, after all others. Throws UsageError.
void add_value(Entries& entries, const std::string& path, const std::string& yaml);

}  // namespace lbm::cases
