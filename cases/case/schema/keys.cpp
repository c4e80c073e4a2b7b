// SPDX-License-Identifier: Apache-2.0
#include "cases/case/schema/keys.hpp"

#include <algorithm>
#include <cctype>
#include <unordered_map>
#include <utility>

#include "cases/case/schema/key_table.hpp"

namespace lbm::cases {
namespace {

using key_table::NamedGroup;
using key_table::Parts;

const Parts& parts() {
  static const Parts all = [] {
    Parts made;
    key_table::add_case_keys(made);
    key_table::add_boundary_keys(made);
    key_table::add_fluid_keys(made);
    key_table::add_body_keys(made);
    key_table::add_initial_keys(made);
    key_table::add_run_keys(made);
    key_table::add_machine_keys(made);
    key_table::add_output_keys(made);
    key_table::add_result_keys(made);
    key_table::add_picture_keys(made);
    key_table::add_quantity_keys(made);
    key_table::add_checkpoint_keys(made);
    key_table::add_expect_keys(made);
    return made;
  }();
  return all;
}

// Position of a user-defined name in a path.
struct Named {
  const NamedGroup* group = nullptr;
  std::string name;
  std::string rest;  // ".radius", or empty for the item itself
};

Named split_name(const std::string& path) {
  struct Start {
    std::string text;  // "bodies."
    const NamedGroup* group;
  };
  static const std::vector<Start> starts = [] {
    std::vector<Start> all;
    for (const auto& part : parts()) {
      for (const NamedGroup& group : part.group) all.push_back({group.path + ".", &group});
    }
    return all;
  }();
  for (const auto& [text, group] : starts) {
    if (!path.starts_with(text)) continue;
    const auto end = std::min(path.find('.', text.size()), path.size());
    return {group, path.substr(text.size(), end - text.size()), path.substr(end)};
  }
  return {};
}

// The names directly below each group of the table.
using Groups = std::unordered_map<std::string, std::vector<std::string>>;

const Groups& groups() {
  static const Groups all = [] {
    Groups made;
    for (const Key& key : keys()) {
      std::string group;
      for (const std::string& name : names_of(key.path)) {
        auto& below = made[group];
        if (std::find(below.begin(), below.end(), name) == below.end()) below.push_back(name);
        group += (group.empty() ? "" : ".") + name;
      }
    }
    return made;
  }();
  return all;
}

}  // namespace

namespace key_table {

value_types::ValueType<int> face_word() {
  value_types::WordList list;
  for (std::size_t face = 0; face < face_names().size(); ++face) {
    list.add(face_names()[face], static_cast<std::int64_t>(face));
  }
  return value_types::words<int>(std::move(list));
}

std::string path_below(const std::string& path, const char* name) {
  return path.empty() || *name == 0 ? path + name : path + "." + name;
}

Key& add_key(std::vector<Key>& keys, const std::string& path, const char* name,
             std::string default_text, std::string doc) {
  Key& key = keys.emplace_back();
  key.path = key.row = path_below(path, name);
  key.default_text = std::move(default_text);
  key.doc = std::move(doc);
  return key;
}

}  // namespace key_table

std::vector<std::string> names_of(const std::string& path) {
  std::vector<std::string> names;
  for (std::size_t start = 0; start <= path.size();) {
    const auto dot = std::min(path.find('.', start), path.size());
    names.push_back(path.substr(start, dot - start));
    start = dot + 1;
  }
  return names;
}

const char* const item_name_rule = "1 to 64 letters, digits, `_` or `-`, the first a letter or `_`";

bool is_item_name(const std::string& name) {
  const auto allowed = [](unsigned char c) {
    return c < 0x80 && (std::isalnum(c) || c == '_' || c == '-');
  };
  return !name.empty() && name.size() <= 64 && std::all_of(name.begin(), name.end(), allowed) &&
         !std::isdigit(static_cast<unsigned char>(name[0])) && name[0] != '-';
}

const std::vector<std::string>& face_names() {
  static const std::vector<std::string> names{"x_min", "x_max", "y_min", "y_max", "z_min", "z_max"};
  return names;
}

const std::vector<Alternatives>& exclusive_keys() {
  static const std::vector<Alternatives> all{
      {{"grid.cells", "grid.size"}, true},
      {{"grid.spacing", "grid.cells_per_length"}, false},
      {{"fluid.reynolds", "fluid.tau", "fluid.viscosity"}, true},
      {{"run.steps", "run.convective_times", "run.time"}, true}};
  return all;
}

const std::vector<Key>& keys() {
  static const std::vector<Key> table = [] {
    std::vector<Key> all;
    for (const auto& part : parts()) all.insert(all.end(), part.keys.begin(), part.keys.end());
    return all;
  }();
  return table;
}

void for_each_key(const Case& lbm_case, const KeyVisitor& visit) {
  for (const auto& part : parts()) {
    if (part.group.empty()) {
      for (const Key& key : part.keys) visit(key, key.path, 0);
    }
    for (const NamedGroup& group : part.group) {
      const std::size_t after_name = group.path.size() + std::string(".NAME").size();
      const std::vector<std::string> names = group.names(lbm_case);
      for (std::size_t item = 0; item < names.size(); ++item) {
        const std::string start = group.path + "." + names[item];
        for (const Key& key : part.keys) visit(key, start + key.path.substr(after_name), item);
      }
    }
  }
}

const Key* find_key(const std::string& path) {
  static const auto by_path = [] {
    std::unordered_map<std::string, const Key*> all;
    for (const Key& key : keys()) all.emplace(key.path, &key);
    return all;
  }();
  const Named named = split_name(path);
  if (named.group && !is_item_name(named.name)) return nullptr;
  const auto found = by_path.find(named.group ? table_path(path) : path);
  return found == by_path.end() ? nullptr : found->second;
}

std::size_t add_item(Case& lbm_case, const std::string& path) {
  const Named named = split_name(path);
  return named.group->add(lbm_case, named.name);
}

std::string named_item(const std::string& path) {
  const Named named = split_name(path);
  return named.group ? named.group->path + "." + named.name : "";
}

std::string table_path(const std::string& path) {
  const Named named = split_name(path);
  return named.group ? named.group->path + ".NAME" + named.rest : path;
}

std::optional<std::string> bad_name(const std::string& path) {
  const Named named = split_name(path);
  if (!named.group || is_item_name(named.name)) return std::nullopt;
  return named.name;
}

const std::vector<std::string>& members(const std::string& group) {
  static const std::vector<std::string> none;
  if (bad_name(group)) return none;
  const auto found = groups().find(table_path(group));
  return found == groups().end() ? none : found->second;
}

bool is_group(const std::string& path) { return !members(path).empty(); }

std::string must_be(const Key& key) {
  if (key.type == "word" || key.type == "switch") {
    const bool single = key.allowed.find(',') == std::string::npos;
    return (single ? "must be " : "must be one of ") + key.allowed;
  }
  const bool says_it_all = key.type == "text" || key.type == "memory";
  return "must be " + (says_it_all ? "" : "a " + key.type + " ") + key.allowed;
}

}  // namespace lbm::cases
