// SPDX-License-Identifier: Apache-2.0
#include "cases/case/read/read_case.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <unordered_map>
#include <utility>

#include "cases/case/bodies/body_shapes.hpp"
#include "cases/case/case_location.hpp"
#include "cases/case/scalars.hpp"
#include "cases/case/schema/keys.hpp"
#include "cases/case/units.hpp"
#include "cases/case/validate/validate.hpp"
#include "cases/case/yaml/yaml_tree.hpp"
#include "io/files/input_file.hpp"
#include "solver/core/error.hpp"

namespace lbm::cases {
namespace {

constexpr std::size_t max_file_bytes = 1 << 20;

// Stores values in a case, and knows where it has put named items.
class ValueReader {
 public:
  explicit ValueReader(Case& out) : out_(out) {}

  void read(const std::string& path, const Entry& entry) {
    const std::string item = named_item(path);
    record_origin(path, item, entry);
    const Key& key = *find_key(path);
    if (key.read(entry.node, out_, position_of(item))) return;
    throw UsageError(fmt::format("{}: found {}, {}{}", origin(one_line(out_.file), path, entry),
                                 found(entry.node), must_be(key, out_),
                                 suggestion(key, entry.node)));
  }

 private:
  static std::string suggestion(const Key& key, const YAML::Node& node) {
    if (key.type != "word" || !node.IsScalar()) return "";
    const auto value = value_of_other_programs(node.Scalar(), key.allowed);
    return value ? fmt::format("; did you mean {}?", *value) : "";
  }

  void record_origin(const std::string& path, const std::string& item, const Entry& entry) {
    if (!entry.override_text.empty()) {
      out_.overridden.insert(path);
      return;
    }
    out_.lines[path] = entry.line;
    // Gives messages about the body as a whole a line, too.
    if (!item.empty()) out_.lines.try_emplace(item, entry.line);
  }

  std::size_t position_of(const std::string& item) {
    if (item.empty()) return 0;
    const auto [at, fresh] = positions_.try_emplace(item, 0);
    if (fresh) at->second = add_item(out_, item);
    return at->second;
  }

  Case& out_;
  std::unordered_map<std::string, std::size_t> positions_;
};

// "--set run.steps=10" replaces run.convective_times of the file, which it excludes.
void drop_alternatives(Entries& entries) {
  for (const std::vector<std::string>& paths : exclusive_keys()) {
    const auto is_set = [&](const std::string& path) {
      const auto entry = entries.find(path);
      return entry != entries.end() && !entry->second.override_text.empty();
    };
    if (std::none_of(paths.begin(), paths.end(), is_set)) continue;
    for (const std::string& path : paths) {
      if (!is_set(path)) entries.erase(path);
    }
  }
}

// Entries in file order, so that bodies keep theirs, and the long form of a boundary, which only a
// later --set can add, follows its shorthand; but scalars first, whose names are words of others.
// (Pointers, because assigning to a YAML::Node changes the node it refers to.)
std::vector<const Entries::value_type*> in_order(const Entries& entries) {
  std::vector<const Entries::value_type*> all;
  for (const auto& entry : entries) all.push_back(&entry);
  const auto order = [](const auto* entry) {
    return std::pair(!entry->first.starts_with("scalars."), entry->second.place);
  };
  std::stable_sort(all.begin(), all.end(),
                   [&](const auto* a, const auto* b) { return order(a) < order(b); });
  return all;
}

// The scalars that a value names if all names but the key's own words are scalars.
std::vector<ScalarKeys> possible_scalars(const Key& key, const YAML::Node& value) {
  std::vector<ScalarKeys> all;
  const auto add = [&](const YAML::Node& word) {
    const bool own =
        word.IsScalar() &&
        (", " + key.allowed + ",").find(", " + word.Scalar() + ",") != std::string::npos;
    if (word.IsScalar() && !own && is_item_name(word.Scalar())) {
      all.emplace_back().name = word.Scalar();
    }
  };
  if (!value.IsSequence()) add(value);
  for (const auto& word : value) add(word);
  return all;
}

// The values alone, added to those of `result`, without any check that compares them.
Case values_in(const Entries& entries, const std::string& file, Case result = {}) {
  result.file = file;
  ValueReader reader(result);
  for (const auto* entry : in_order(entries)) reader.read(entry->first, entry->second);
  return result;
}

// An override of one of several exclusive keys removes the others.
Entries entries_in(const std::string& text, const std::string& file,
                   const std::vector<std::string>& overrides, std::size_t max_nodes) {
  Entries entries = parse_entries(text, file, max_nodes);
  for (const std::string& override_text : overrides) apply_override(entries, override_text);
  drop_alternatives(entries);
  return entries;
}

std::string read_case_text(const std::string& path) {
  const std::string name = one_line(path);
  std::string text = io::read_input(path, name, "case file", max_file_bytes);
  if (text.size() > max_file_bytes) {
    throw UsageError(name + ": the file is larger than 1 MiB, must be a case file (.yaml)");
  }
  return text;
}

// Sets grid.cells where the case gives a size or an image instead.
void complete(Case& lbm_case) {
  validate_structure(lbm_case);
  resolve_grid(lbm_case);
  resolve_image_grid(lbm_case);
}

Case case_of(const Entries& entries, const std::string& file) {
  Case result = values_in(entries, file);
  complete(result);
  return result;
}

Case case_in(const std::string& text, const std::string& file,
             const std::vector<std::string>& overrides, std::size_t max_nodes) {
  try {
    return case_of(entries_in(text, file, overrides, max_nodes), file);
  } catch (const UsageError& error) {
    const std::string odd = odd_characters_at(error.what(), text, file);
    if (odd.empty()) throw;
    throw UsageError(error.what() + odd);
  }
}

}  // namespace

// A case that was saved has all defaults, too, each of which takes more than 8 bytes.
Case parse_case(const std::string& text, const std::string& file,
                const std::vector<std::string>& overrides) {
  return case_in(text, file, overrides, max_file_nodes + text.size() / 8);
}

Case read_case(const std::string& path, const std::vector<std::string>& overrides) {
  return case_in(read_case_text(path), path, overrides, max_file_nodes);
}

std::vector<CaseValue> values_of(const Case& lbm_case) {
  Case given = lbm_case;
  if (given.grid.size) given.grid.cells = {0, 0, 0};
  std::vector<CaseValue> values;
  for_each_key(given, [&](const Key& key, const std::string& path, std::size_t item) {
    std::string yaml = key.write(given, item);
    if (!yaml.empty()) values.push_back({path, std::move(yaml), key.type});
  });
  return values;
}

Case case_from_values(const std::vector<CaseValue>& values) {
  Entries entries;
  for (const CaseValue& value : values) add_value(entries, value.path, value.yaml);
  return case_of(entries, "");
}

CaseValue checked_value(const std::string& path, const std::string& yaml) {
  Entries entries;
  add_value(entries, path, yaml);
  const Key* key = find_key(path);
  Case scratch;
  if (key && key->takes_scalars) scratch.scalars = possible_scalars(*key, entries.at(path).node);
  scratch = values_in(entries, "", std::move(scratch));
  return key ? CaseValue{path, key->write(scratch), key->type} : CaseValue{path, "", ""};
}

Case without_file(const Case& lbm_case) {
  return case_from_values(values_of(with_whole_paths(lbm_case)));
}

std::string to_yaml(const Case& lbm_case) {
  std::string yaml;
  std::vector<std::string> open;  // open groups after the last line
  for_each_key(lbm_case, [&](const Key& key, const std::string& path, std::size_t item) {
    const std::string value = key.write(lbm_case, item);
    if (value.empty()) return;
    const std::vector<std::string> names = names_of(path);
    std::size_t shared = 0;
    while (shared < open.size() && shared + 1 < names.size() && open[shared] == names[shared]) {
      ++shared;
    }
    open.resize(shared);
    for (; open.size() + 1 < names.size(); open.push_back(names[open.size()])) {
      yaml += std::string(2 * open.size(), ' ') + names[open.size()] + ":\n";
    }
    yaml += std::string(2 * open.size(), ' ') + names.back() + ": " + value + "\n";
  });
  return yaml;
}

}  // namespace lbm::cases
