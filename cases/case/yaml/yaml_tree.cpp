// SPDX-License-Identifier: Apache-2.0
#include "cases/case/yaml/yaml_tree.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "cases/case/scalars.hpp"
#include "cases/case/schema/keys.hpp"
#include "solver/core/error.hpp"

namespace lbm::cases {
namespace {

constexpr std::size_t found_length = 60;
constexpr int max_merges = 8;  // nested "<<"

Entry entry_of(const TextSource& source, const YAML::Node& node, int line, int place = 0) {
  return {node, line, source.override_text, {place, 0}};
}

[[noreturn]] void fail(const TextSource& source, const std::string& path, int line,
                       const std::string& what) {
  throw UsageError(origin(source.file, path, entry_of(source, {}, line)) + ": " + what);
}

// Returns the name of a key of a map.
std::string key_name(const YAML::Node& key, const TextSource& source, const std::string& parent,
                     int line) {
  if (key.IsScalar() && !key.Scalar().empty()) return one_line(key.Scalar());
  fail(source, parent.empty() ? "top level" : parent, line,
       fmt::format("found {} as a key, must be a word", found(key)));
}

[[noreturn]] void unknown_key(const TextSource& source, const std::string& path, int line) {
  if (const auto name = bad_name(path)) {
    fail(source, path, line,
         fmt::format("found \"{}\" as a name, must be {}", one_line(*name, found_length),
                     item_name_rule));
  }
  const std::string near = nearest_key(path);
  fail(source, path, line,
       near.empty() ? std::string("unknown key; `lbm keys` lists all keys")
                    : fmt::format("unknown key, did you mean {}?", near));
}

int line_of(const YAML::Node& node) { return node.Mark().is_null() ? 0 : node.Mark().line + 1; }

// `null` or `~` in so many letters, which gives a key its default; a value that was left out is a
// mistake.
bool is_written_null(const YAML::Node& node, const std::string& text) {
  const int at = node.Mark().pos;
  if (!node.IsNull() || at < 0 || static_cast<std::size_t>(at) >= text.size()) return false;
  const auto begin = static_cast<std::size_t>(at);
  return text[begin] == '~' || YAML::IsNullString(text.substr(begin, 4));
}

// Flattens nested maps into entries.
class Flattener {
 public:
  // text: that the nodes are of.
  Flattener(TextSource source, const std::string& text, Entries& entries)
      : source_(std::move(source)), text_(text), entries_(entries) {}

  // Call after all of add() and add_map(): keys that are null have their defaults.
  void drop_nulls() {
    std::erase_if(entries_,
                  [&](const auto& entry) { return is_written_null(entry.second.node, text_); });
  }

  void add(const std::string& path, const YAML::Node& node, int line) {
    const bool key = find_key(path) != nullptr;
    const bool group = is_group(path);
    if (!key && !group) unknown_key(source_, path, line);
    const std::string in_item = named_item(path);
    const bool item = group && path == in_item;
    // Groups of an item, such as bodies.NAME.motion, say that it has something.
    const bool bare =
        group && !in_item.empty() && (node.IsMap() ? node.size() == 0 : node.IsNull());
    if (group && node.IsMap() && !bare) {
      add_map(path, node, 0);
    } else if (key) {
      const int place = static_cast<int>(entries_.size());
      if (!entries_.emplace(path, entry_of(source_, node, line, place)).second) twice(path, line);
      // an empty group is allowed: its keys may be commented out
    } else if (item || !node.IsNull() || (bare && !is_written_null(node, text_))) {
      fail(source_, path, line,
           fmt::format("found {}, must be a map of {}", node.IsMap() ? "an empty map" : found(node),
                       names(path)));
    }
  }

  // Explicit keys override those merged by "<<"; merges: depth of nesting.
  void add_map(const std::string& path, const YAML::Node& map, int merges) {
    std::map<std::string, int> seen;
    for (const auto& item : map) {
      const int line = line_of(item.first);
      const std::string name = key_name(item.first, source_, path, line);
      if (name == "<<") continue;
      const std::string child = path.empty() ? name : path + "." + name;
      if (name.find('.') != std::string::npos) {
        fail(source_, child, line,
             "found a dot in a key, must be nested maps (dots are for --set)");
      }
      const auto [earlier, first] = seen.emplace(name, line);
      if (!first) twice(child, line, earlier->second);
      if (merges == 0 || !has(child)) add(child, item.second, line);
    }
    for (const auto& item : map) {
      if (item.first.IsScalar() && item.first.Scalar() == "<<") {
        merge(path, item.second, line_of(item.first), merges + 1);
      }
    }
  }

 private:
  void merge(const std::string& path, const YAML::Node& node, int line, int merges) {
    const bool list = node.IsSequence();
    if (merges > max_merges || (!list && !node.IsMap())) {
      fail(source_, path.empty() ? "<<" : path + ".<<", line,
           merges > max_merges
               ? fmt::format("found merges nested more than {} deep, must be fewer", max_merges)
               : "found " + found(node) + ", must be a map or a list of maps");
    }
    if (!list) return add_map(path, node, merges);
    for (const auto& map : node) merge(path, map, line, merges + 1);
  }

  bool has(const std::string& path) const {
    const auto next = entries_.lower_bound(path);
    return next != entries_.end() && (next->first == path || next->first.starts_with(path + "."));
  }

  [[noreturn]] void twice(const std::string& path, int line, int earlier = 0) const {
    fail(source_, path, line,
         earlier > 0 ? fmt::format("found twice, first in line {}; keep one", earlier)
                     : std::string("found twice; keep one"));
  }

  static std::string names(const std::string& path) {
    const auto all = members(path);
    if (all == std::vector<std::string>{"NAME"}) return "names, each with a map of its own keys";
    return fmt::format("{}", fmt::join(all, ", "));
  }

  TextSource source_;
  const std::string& text_;
  Entries& entries_;
};

}  // namespace

std::string origin(const std::string& file, const std::string& path, const Entry& entry) {
  if (file.empty() && entry.override_text.empty()) return "case." + one_line(path, 100);
  if (entry.override_text.empty()) {
    return fmt::format("{}:{}: {}", file, entry.line, one_line(path, 100));
  }
  const bool named = entry.override_text.starts_with(path + "=");
  return "--set " + one_line(entry.override_text, 100) + (named ? "" : ": " + one_line(path, 100));
}

std::string found(const YAML::Node& node) {
  if (!node.IsDefined() || node.IsNull()) return "nothing";
  if (node.IsMap()) return "a map";
  if (node.IsScalar()) {
    const char* note = is_number_out_of_range(node.Scalar()) ? " (out of range)" : "";
    return fmt::format("\"{}\"{}", one_line(node.Scalar(), found_length), note);
  }
  std::vector<std::string> items;
  for (const auto& item : node) {
    items.push_back(item.IsScalar() ? item.Scalar() : "...");
    if (items.size() > found_length) break;
  }
  return fmt::format("\"{}\"", one_line(fmt::format("[{}]", fmt::join(items, ", ")), found_length));
}

Entries parse_entries(const std::string& text, const std::string& file, std::size_t max_nodes) {
  const TextSource source{one_line(file), ""};
  refuse_odd_bytes(text, source.file);
  const YAML::Node root = load_one(text, source, max_nodes);
  if (!root.IsDefined() || root.IsNull()) {
    throw UsageError(source.file +
                     ": the file is empty, must be a case: start from one of cases/*.yaml");
  }
  if (!root.IsMap()) {
    throw UsageError(fmt::format("{}:{}: found {}, must be a map of {} (`key: value` lines)",
                                 source.file, std::max(1, line_of(root)), found(root),
                                 fmt::join(members(""), ", ")));
  }
  Entries entries;
  try {
    Flattener all(source, text, entries);
    all.add_map("", root, 0);
    all.drop_nulls();
  } catch (const YAML::Exception& error) {
    not_yaml(source, error);
  }
  return entries;
}

void apply_override(Entries& entries, const std::string& override_text) {
  const auto equals = override_text.find('=');
  if (equals == std::string::npos || equals == 0) {
    throw UsageError(fmt::format("--set {}: must be KEY=VALUE, such as fluid.reynolds=400",
                                 one_line(override_text, 100)));
  }
  const std::string path = override_text.substr(0, equals);
  const TextSource source{"", override_text};
  Entries added;
  bool removes = false;  // a group or a named item
  try {
    const std::string text = override_text.substr(equals + 1);
    const YAML::Node node = load_one(text, source);
    removes = is_group(path) && is_written_null(node, text);
    Flattener all(source, text, added);
    if (!removes) all.add(path, node, 0);
    all.drop_nulls();
  } catch (const YAML::Exception& error) {
    not_yaml(source, error);
  }
  int place = 0;  // last, or the place of the first replaced entry
  for (const auto& [key, entry] : entries) place = std::max(place, entry.place.first + 1);
  const std::size_t erased = std::erase_if(entries, [&](const auto& entry) {
    const bool replaced = entry.first == path || entry.first.starts_with(path + ".");
    if (replaced) place = std::min(place, entry.second.place.first);
    return replaced;
  });
  if (removes && erased == 0 && path == named_item(path)) {
    fail(source, path, 0, "found null, which removes it, but the case does not have it");
  }
  for (auto& [key, entry] : added) {
    entry.place = {place, entry.place.first};
    entries[key] = entry;
  }
}

void add_value(Entries& entries, const std::string& path, const std::string& yaml) {
  const TextSource source;
  const int place = static_cast<int>(entries.size());
  Entries added;
  Flattener(source, yaml, added).add(path, load_one(yaml, source), 0);
  for (auto& [key, entry] : added) {
    entry.place = {place, entry.place.first};
    if (!entries.emplace(key, entry).second) fail(source, key, 0, "found twice; keep one");
  }
}

}  // namespace lbm::cases
