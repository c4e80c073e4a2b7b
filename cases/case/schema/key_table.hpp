// Assembles the key table: each file keys_*.cpp adds its groups.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "cases/case/schema/key.hpp"

namespace lbm::cases::key_table {

// A group that maps user-defined names to keys.
struct NamedGroup {
  std::string path;  // "bodies"
  // All keys of an item, in the order of the documentation.
  std::function<std::vector<Key>(const std::string& name)> keys;
  // The names in a case, in its order.
  std::function<std::vector<std::string>(const Case&)> names;
};

// Keys in order; a named group has its own part.
struct Part {
  std::vector<Key> keys;          // bound to NAME when `group` is set
  std::vector<NamedGroup> group;  // empty or one
};
using Parts = std::vector<Part>;

// Keys of each file, in the order of the documentation.
void add_case_keys(Parts& parts);
void add_boundary_keys(Parts& parts);
void add_fluid_keys(Parts& parts);
void add_body_keys(Parts& parts);
void add_initial_keys(Parts& parts);
void add_run_keys(Parts& parts);
void add_machine_keys(Parts& parts);
void add_output_keys(Parts& parts);
void add_result_keys(Parts& parts);
void add_checkpoint_keys(Parts& parts);
void add_expect_keys(Parts& parts);

void add(Parts& parts, Key key);
void add_group(Parts& parts, NamedGroup group);

// The item with this name in a list of named structs. If there is none: appended to a mutable list,
// a default one for a const list.
template <class Item>
Item& item(std::vector<Item>& items, const std::string& name) {
  for (Item& candidate : items) {
    if (candidate.name == name) return candidate;
  }
  Item fresh;
  fresh.name = name;
  items.push_back(fresh);
  return items.back();
}

template <class Item>
const Item& item(const std::vector<Item>& items, const std::string& name) {
  static const Item none{};
  for (const Item& candidate : items) {
    if (candidate.name == name) return candidate;
  }
  return none;
}

template <class Item>
std::vector<std::string> names_of(const std::vector<Item>& items) {
  std::vector<std::string> names;
  names.reserve(items.size());
  for (const Item& candidate : items) names.push_back(candidate.name);
  return names;
}

// True for 1 to 1000 bytes without control characters.
bool is_file_name(const std::string& path);

}  // namespace lbm::cases::key_table
