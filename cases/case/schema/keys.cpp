#include "cases/case/schema/keys.hpp"

#include <algorithm>
#include <cctype>

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
  for (const auto& part : parts()) {
    if (part.group.empty()) continue;
    const NamedGroup& group = part.group.front();
    if (!path.starts_with(group.path + ".")) continue;
    const auto start = group.path.size() + 1;
    const auto end = std::min(path.find('.', start), path.size());
    return {&group, path.substr(start, end - start), path.substr(end)};
  }
  return {};
}

}  // namespace

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

std::vector<Key> keys_of(const Case& lbm_case) {
  std::vector<Key> all;
  for (const auto& part : parts()) {
    if (part.group.empty()) all.insert(all.end(), part.keys.begin(), part.keys.end());
    for (const NamedGroup& group : part.group) {
      for (const std::string& name : group.names(lbm_case)) {
        for (Key& key : group.keys(name)) all.push_back(std::move(key));
      }
    }
  }
  return all;
}

std::optional<Key> find_key(const std::string& path) {
  const auto in = [&](const std::vector<Key>& all) -> std::optional<Key> {
    const auto found =
        std::find_if(all.begin(), all.end(), [&](const Key& key) { return key.path == path; });
    return found == all.end() ? std::nullopt : std::optional<Key>(*found);
  };
  const Named named = split_name(path);
  if (!named.group) return in(keys());
  if (!is_item_name(named.name)) return std::nullopt;
  return in(named.group->keys(named.name));
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

std::vector<std::string> members(const std::string& group) {
  if (bad_name(group)) return {};
  const std::string start = group.empty() ? "" : table_path(group) + ".";
  std::vector<std::string> names;
  for (const Key& key : keys()) {
    if (key.path.compare(0, start.size(), start) != 0) continue;
    const std::string rest = key.path.substr(start.size());
    const std::string name = rest.substr(0, rest.find('.'));
    if (std::find(names.begin(), names.end(), name) == names.end()) names.push_back(name);
  }
  return names;
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
