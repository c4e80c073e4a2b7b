// A YAML text as a flat list of key paths, with the place each came from. Knows YAML and the names
// of the key table, but not what values mean.
#pragma once

#include <yaml-cpp/yaml.h>

#include <map>
#include <string>
#include <utility>
#include <vector>

namespace lbm::cases {

struct Entry {
  YAML::Node node;
  int line = 0;               // of the key in the file, from 1
  std::string override_text;  // "grid.cells=[8,8,8]" when it came from --set
  // Entries in the order of the file compare like this; what --set replaces keeps its place, what
  // it adds comes last.
  std::pair<int, int> place{0, 0};
};

// Key path -> value; only keys of the table (with names of the user where it has NAME), no groups.
using Entries = std::map<std::string, Entry>;

// "cavity.yaml:12: fluid.reynolds", or "--set fluid.reynolds=-5", or "case.fluid.reynolds" where
// code gave it (no file): how a message about an entry starts.
std::string origin(const std::string& file, const std::string& path, const Entry& entry);

// What a message says was found: '"-5"', '"[0, 1]"', 'a map', 'nothing'.
std::string found(const YAML::Node& node);

// Parses the text of a case file. Throws UsageError (one line, with file:line where there is one)
// for text that is not YAML, unknown keys, keys given twice.
Entries parse_entries(const std::string& text, const std::string& file);

// Replaces or adds what one "key.path=value" says. Throws UsageError.
void apply_override(Entries& entries, const std::string& override_text);

// Adds what code says of one key or group, as YAML, after all others. Throws UsageError.
void add_value(Entries& entries, const std::string& path, const std::string& yaml);

}  // namespace lbm::cases
