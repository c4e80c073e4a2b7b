// SPDX-License-Identifier: Apache-2.0
#include "cases/case/schema/keys.hpp"

#include <yaml-cpp/yaml.h>

#include <algorithm>
#include <cctype>
#include <stdexcept>
#include <unordered_map>
#include <utility>

#include "cases/case/schema/key_table.hpp"

namespace lbm::cases {
namespace {

using key_table::NamedGroup;

using ByPath = std::unordered_map<std::string, const Key*>;

ByPath by_path(const std::vector<Key>& keys) {
  ByPath all;
  for (const Key& key : keys) all.emplace(key.path, &key);
  return all;
}

// The key that a rule of `key` names: beside it, or in a group around it.
const Key* related(const ByPath& all, const Key& key, const std::string& name) {
  for (std::string group = key.path; !group.empty();) {
    const auto dot = group.rfind('.');
    group.resize(dot == std::string::npos ? 0 : dot);
    const auto found = all.find(key_table::path_below(group, name.c_str()));
    if (found != all.end() && found->second != &key) return found->second;
  }
  throw std::logic_error(key.path + ": a rule names no key: " + name);
}

// Sets the members of keys that depend on other keys.
void complete(std::vector<Key>& keys) {
  const Case defaults;
  const ByPath all = by_path(keys);
  for (Key& key : keys) {
    key.unset = key.write(defaults);
    for (Rule& rule : key.rules) {
      for (const std::string& name : rule.keys) rule.others.push_back(related(all, key, name));
      for (const std::string& name : rule.unless) {
        rule.unless_keys.push_back(related(all, key, name));
      }
    }
  }
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
    for (const NamedGroup& group : key_table::parts().groups) {
      all.push_back({group.path + ".", &group});
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

const Parts& parts() {
  static const Parts all = [] {
    Parts made;
    for (const auto& add_keys :
         {add_case_keys, add_boundary_keys, add_fluid_keys, add_scalar_keys, add_body_keys,
          add_initial_keys, add_run_keys, add_machine_keys, add_output_keys, add_result_keys,
          add_picture_keys, add_quantity_keys, add_checkpoint_keys, add_expect_keys}) {
      add_keys(made);
    }
    complete(made.keys);
    return made;
  }();
  return all;
}

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

namespace {

// Replaces the names of scalars in a word or a list of words. A word that begins with '#' is none.
YAML::Node with_numbers(const YAML::Node& node, const Case& lbm_case) {
  if (node.IsSequence()) {
    YAML::Node list(YAML::NodeType::Sequence);
    for (const auto& item : node) list.push_back(with_numbers(item, lbm_case));
    return list;
  }
  if (!node.IsScalar()) return node;
  if (node.Scalar().starts_with('#')) return YAML::Node(std::string());
  const auto scalar = scalar_named(lbm_case, node.Scalar());
  return scalar && !node.Scalar().empty() ? YAML::Node("#" + std::to_string(*scalar + 1)) : node;
}

}  // namespace

void take_scalars(Key& key) {
  key.takes_scalars = true;
  key.reader = [read = std::move(key.reader)](const YAML::Node& node, Case& out, std::size_t item) {
    return read(with_numbers(node, out), out, item);
  };
  key.writer = [write = std::move(key.writer)](const Case& in, std::size_t item) {
    std::string text = write(in, item);
    for (std::size_t s = 0; s < in.scalars.size(); ++s) {
      const std::string number = "#" + std::to_string(s + 1);
      if (const auto at = text.find(number); at != std::string::npos) {
        text.replace(at, number.size(), in.scalars[s].name);
      }
    }
    return text;
  };
}

Key& add_key(std::vector<Key>& keys, const std::string& path, const char* name) {
  Key& key = keys.emplace_back();
  key.path = key.row = path_below(path, name);
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

const std::vector<std::vector<std::string>>& exclusive_keys() {
  static const std::vector<std::vector<std::string>> all = [] {
    std::vector<std::vector<std::string>> made;
    for (const Key& key : keys()) {
      for (const Rule& rule : key.rules) {
        const bool exclusive =
            rule.kind == Rule::Kind::one_of || rule.kind == Rule::Kind::at_most_one_of;
        if (!exclusive || !named_item(key.path).empty()) continue;
        made.push_back({key.path});
        for (const Key* other : rule.others) made.back().push_back(other->path);
      }
    }
    return made;
  }();
  return all;
}

const std::vector<Key>& keys() { return key_table::parts().keys; }

void for_each_key(const Case& lbm_case, const KeyVisitor& visit) {
  const auto& [all, groups] = key_table::parts();
  auto group = groups.begin();
  for (std::size_t i = 0; i < all.size();) {
    if (group == groups.end() || i < group->first) {
      visit(all[i], all[i].path, 0);
      ++i;
      continue;
    }
    const std::size_t after_name = group->path.size() + std::string(".NAME").size();
    const std::vector<std::string> names = group->names(lbm_case);
    for (std::size_t item = 0; item < names.size(); ++item) {
      const std::string start = group->path + "." + names[item];
      for (std::size_t k = group->first; k < group->end; ++k) {
        visit(all[k], start + all[k].path.substr(after_name), item);
      }
    }
    i = group->end;
    ++group;
  }
}

const Key* find_key(const std::string& path) {
  static const ByPath all = by_path(keys());
  const Named named = split_name(path);
  if (named.group && !is_item_name(named.name)) return nullptr;
  const auto found = all.find(named.group ? table_path(path) : path);
  return found == all.end() ? nullptr : found->second;
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

std::string must_be(const Key& key, const Case& lbm_case) {
  std::string allowed = key.allowed;
  if (key.takes_scalars) {
    for (const ScalarKeys& scalar : lbm_case.scalars) allowed += ", " + scalar.name;
  }
  if (key.type == "word" || key.type == "switch") {
    const bool single = allowed.find(',') == std::string::npos;
    return (single ? "must be " : "must be one of ") + allowed;
  }
  const bool says_it_all = key.type == "text" || key.type == "memory";
  return "must be " + (says_it_all ? "" : "a " + key.type + " ") + allowed;
}

}  // namespace lbm::cases
