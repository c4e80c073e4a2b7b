// SPDX-License-Identifier: Apache-2.0

// Assembles the key table: each file keys_*.cpp adds its groups.
#pragma once

#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "cases/case/schema/key.hpp"
#include "cases/case/schema/value_types.hpp"

namespace lbm::cases::key_table {

// A group that maps user-defined names to keys: a list of named items in the case.
struct NamedGroup {
  std::string path;  // "bodies"
  // The names in a case, in its order.
  std::function<std::vector<std::string>(const Case&)> names;
  // Appends an item of this name, and returns its position.
  std::function<std::size_t(Case&, const std::string& name)> add;
};

// Keys in order; a named group has its own part.
struct Part {
  std::vector<Key> keys;          // those of an item NAME when `group` is set
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
void add_picture_keys(Parts& parts);
void add_quantity_keys(Parts& parts);
void add_checkpoint_keys(Parts& parts);
void add_expect_keys(Parts& parts);

// The value of a plain member, or of an optional one; null if that is empty.
template <class T>
const T* value_in(const std::optional<T>& member) {
  return member ? &*member : nullptr;
}
template <class T>
const T* value_in(const T& member) {
  return &member;
}

// Adds the keys of one struct to a list. of: returns that struct of a case, which may be const, and
// of the item with a position in it.
template <class Of>
class KeyGroup {
 public:
  KeyGroup(std::vector<Key>& keys, std::string path, Of of)
      : keys_(keys), path_(std::move(path)), of_(std::move(of)) {}

  // Texts as in Key. `member` of the struct may be a std::optional.
  template <class Member, class T>
  Key& add(const std::string& name, Member member, const value_types::ValueType<T>& type,
           const std::string& default_text, const std::string& doc) const {
    const auto read = [of = of_, member, type](const YAML::Node& node, Case& out, std::size_t at) {
      auto& to = of(out, at).*member;
      if (type.with_auto && node.IsScalar() && node.Scalar() == "auto") {
        if constexpr (requires { to.reset(); }) to.reset();
        return true;
      }
      auto value = type.read(node);
      if (value) to = static_cast<std::decay_t<decltype(*value_in(to))>>(std::move(*value));
      return value.has_value();
    };
    const auto write = [of = of_, member, type](const Case& in, std::size_t at) {
      const auto* value = value_in(of(in, at).*member);
      if (value) return type.write(static_cast<T>(*value));
      return std::string(type.with_auto ? "auto" : "");
    };
    const std::string path = at(name);
    keys_.push_back({path, path, type.name, default_text, type.allowed, doc, read, write});
    return keys_.back();
  }

  // A key that takes three numbers or three formulas. numbers: Vec3 or std::optional<Vec3>;
  // formulas: std::optional<Formulas>, which unsets them. example: one with formulas; other texts
  // as in Key.
  template <class Numbers, class Texts>
  Key& add_vector_or_formulas(const std::string& name, Numbers numbers, Texts formulas,
                              const std::string& example, const std::string& default_text,
                              const std::string& doc) const {
    auto type = value_types::vector();
    type.name = "list of three numbers or formulas";
    type.allowed = "such as [1, 0, 0] or " + example;
    Key& key = add(name, numbers, type, default_text, doc);
    key.reader = [of = of_, numbers, formulas, read = key.reader, type = value_types::formulas()](
                     const YAML::Node& node, Case& out, std::size_t at) {
      auto& to = of(out, at);
      to.*formulas = std::nullopt;
      if (read(node, out, at)) return true;
      to.*formulas = type.read(node);
      if (to.*formulas) to.*numbers = {};
      return (to.*formulas).has_value();
    };
    key.writer = [of = of_, formulas, write = key.writer, type = value_types::formulas()](
                     const Case& in, std::size_t at) {
      const auto& from = of(in, at);
      return from.*formulas ? type.write(*(from.*formulas)) : write(in, at);
    };
    return key;
  }

  // The keys of a struct in the struct; `name` may be empty.
  template <class Member>
  auto group(const std::string& name, Member member) const {
    auto of = [ of = of_, member ](auto& c, std::size_t at) -> auto& { return of(c, at).*member; };
    return KeyGroup<decltype(of)>(keys_, at(name), of);
  }

  std::vector<Key>& keys() const { return keys_; }
  const std::string& path() const { return path_; }

 private:
  std::string at(const std::string& name) const {
    return path_.empty() || name.empty() ? path_ + name : path_ + "." + name;
  }

  std::vector<Key>& keys_;
  std::string path_;
  Of of_;
};

// For the keys of the case itself.
inline auto keys_of_case(Parts& parts) {
  if (parts.empty() || !parts.back().group.empty()) parts.emplace_back();
  const auto self = [](auto& c, std::size_t) -> auto& { return c; };
  return KeyGroup<decltype(self)>(parts.back().keys, "", self);
}

// The item at this position of a list. If there is none: appended to a mutable list, a default one
// for a const list.
template <class Item>
Item& item(std::vector<Item>& items, std::size_t at) {
  if (at >= items.size()) items.resize(at + 1);
  return items[at];
}

template <class Item>
const Item& item(const std::vector<Item>& items, std::size_t at) {
  static const Item none{};
  return at < items.size() ? items[at] : none;
}

template <class Item>
std::vector<std::string> names_of(const std::vector<Item>& items) {
  std::vector<std::string> names;
  names.reserve(items.size());
  for (const Item& candidate : items) names.push_back(candidate.name);
  return names;
}

// Adds a named group. items: returns the list of named structs of a case; add_keys: called with the
// KeyGroup of an item.
template <class Items, class AddKeys>
void add_group(Parts& parts, const std::string& path, Items items, AddKeys add_keys) {
  std::vector<Key> keys;
  const auto of = [=](auto& c, std::size_t at) -> auto& { return item(items(c), at); };
  add_keys(KeyGroup<decltype(of)>(keys, path + ".NAME", of));
  const auto names = [=](const Case& c) { return names_of(items(c)); };
  const auto add = [=](Case& c, const std::string& name) {
    items(c).emplace_back().name = name;
    return items(c).size() - 1;
  };
  parts.push_back({std::move(keys), {{path, names, add}}});
}

}  // namespace lbm::cases::key_table
