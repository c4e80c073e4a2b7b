// SPDX-License-Identifier: Apache-2.0

// Assembles the key table: each file keys_*.cpp adds its groups.
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "cases/case/schema/key.hpp"
#include "cases/case/schema/value_types.hpp"

namespace lbm::cases::key_table {

// A group that maps user-defined names to keys: a list of named items in the case.
struct NamedGroup {
  std::string path;            // "bodies"
  std::size_t first = 0, end;  // positions of its keys in the table
  // The names in a case, in its order.
  std::function<std::vector<std::string>(const Case&)> names;
  // Appends an item of this name, and returns its position.
  std::function<std::size_t(Case&, const std::string& name)> add;
};

struct Parts {
  std::vector<Key> keys;  // in the order of the documentation; those of a group are contiguous
  std::vector<NamedGroup> groups;
};

const Parts& parts();

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

// The name of a face, as its number in face_names().
value_types::ValueType<int> face_word();
// "fluid.tau"; either may be empty.
std::string path_below(const std::string& path, const char* name);
// Appends a key without type, reader and writer.
Key& add_key(std::vector<Key>& keys, const std::string& path, const char* name);

// The value of a plain member, or of an optional one; null if that is empty.
template <class T>
const T* value_in(const std::optional<T>& member) {
  return member ? &*member : nullptr;
}
template <class T>
const T* value_in(const T& member) {
  return &member;
}

template <class Struct>
const Struct& default_of() {
  static const Struct object{};
  return object;
}

// Where a struct or a value is: `offset` bytes into an object of the case, or of the item with a
// position in it. Types are left out, so that the compiler makes few functions.
struct Place {
  std::function<std::byte*(Case&, std::size_t)> object;
  std::function<const std::byte*(const Case&, std::size_t)> const_object;
  std::ptrdiff_t offset = 0;

  // find: gives the object in a case, which may be const.
  template <class Find>
  static Place of(Find find) {
    return {[find](Case& c, std::size_t at) { return reinterpret_cast<std::byte*>(&find(c, at)); },
            [find](const Case& c, std::size_t at) {
              return reinterpret_cast<const std::byte*>(&find(c, at));
            }};
  }
  template <class Struct, class Base, class Value>
  Place member(Value Base::*member) const {
    const Struct& some = default_of<Struct>();
    Place place = *this;
    place.offset += reinterpret_cast<const std::byte*>(&(some.*member)) -
                    reinterpret_cast<const std::byte*>(&some);
    return place;
  }
  template <class Value>
  Value& in(Case& c, std::size_t at) const {
    return *reinterpret_cast<Value*>(object(c, at) + offset);
  }
  template <class Value>
  const Value& in(const Case& c, std::size_t at) const {
    return *reinterpret_cast<const Value*>(const_object(c, at) + offset);
  }
};

// Gives the key its reader and writer. Value may be a std::optional.
template <class Value, class T>
[[gnu::noinline]] void connect(Key& key, const Place& place,
                               const std::shared_ptr<const value_types::ValueType<T>>& type) {
  key.type = type->name;
  key.allowed = type->allowed;
  key.reader = [place, type](const YAML::Node& node, Case& out, std::size_t at) {
    Value& to = place.in<Value>(out, at);
    if (type->with_auto && node.IsScalar() && node.Scalar() == "auto") {
      if constexpr (requires { to.reset(); }) to.reset();
      return true;
    }
    auto value = type->read(node);
    if (value) to = static_cast<std::decay_t<decltype(*value_in(to))>>(std::move(*value));
    return value.has_value();
  };
  key.writer = [place, type](const Case& in, std::size_t at) {
    const auto* value = value_in(place.in<Value>(in, at));
    if (value) return type->write(static_cast<T>(*value));
    return std::string(type->with_auto ? "auto" : "");
  };
}

// Adds the keys of one struct to a list.
template <class Struct>
class KeyGroup {
 public:
  KeyGroup(std::vector<Key>& keys, std::string path, Place place)
      : keys_(keys), path_(std::move(path)), place_(std::move(place)) {}

  // `member` of the struct may be a std::optional.
  template <class Base, class Value, class T>
  Key& add(const char* name, Value Base::*member, value_types::ValueType<T> type) const {
    Key& key = add_key(keys_, path_, name);
    connect<Value, T>(key, place_.member<Struct>(member),
                      std::make_shared<const value_types::ValueType<T>>(std::move(type)));
    return key;
  }

  // As above; the page has the texts. To be removed with its last users.
  template <class Base, class Value, class T>
  Key& add(const char* name, Value Base::*member, value_types::ValueType<T> type, const char*,
           const char*) const {
    return add(name, member, std::move(type));
  }

  // A key that takes three numbers or three formulas. numbers: Vec3 or std::optional<Vec3>;
  // formulas: std::optional<Formulas>, which unsets them. example: one with formulas.
  template <class Base, class Numbers, class Texts>
  Key& add_vector_or_formulas(const char* name, Numbers Base::*numbers, Texts Base::*formulas,
                              const std::string& example) const {
    auto type = value_types::vector();
    type.name = "list of three numbers or formulas";
    type.allowed = "such as [1, 0, 0] or " + example;
    Key& key = add(name, numbers, type);
    key.reader = [place = place_, numbers, formulas, read = key.reader,
                  type = value_types::formulas()](const YAML::Node& node, Case& out,
                                                  std::size_t at) {
      Struct& to = place.in<Struct>(out, at);
      to.*formulas = std::nullopt;
      if (read(node, out, at)) return true;
      to.*formulas = type.read(node);
      if (to.*formulas) to.*numbers = {};
      return (to.*formulas).has_value();
    };
    key.writer = [place = place_, formulas, write = key.writer, type = value_types::formulas()](
                     const Case& in, std::size_t at) {
      const Struct& from = place.in<Struct>(in, at);
      return from.*formulas ? type.write(*(from.*formulas)) : write(in, at);
    };
    return key;
  }

  template <class Base>
  Key& add_number_or_formula(const char* name, std::optional<double> Base::*number,
                             std::string Base::*formula, const std::string& example) const {
    auto type = value_types::number(value_types::any_number);
    type.name = "number or formula";
    type.allowed += ", or a formula such as " + example;
    Key& key = add(name, number, type);
    key.reader = [place = place_, number, formula, read = key.reader,
                  type = value_types::formula(example)](const YAML::Node& node, Case& out,
                                                        std::size_t at) {
      Struct& to = place.in<Struct>(out, at);
      (to.*formula).clear();
      if (read(node, out, at)) return true;
      const auto text = type.read(node);
      if (!text) return false;
      to.*number = std::nullopt;
      to.*formula = *text;
      return true;
    };
    key.writer = [place = place_, formula, write = key.writer,
                  type = value_types::formula(example)](const Case& in, std::size_t at) {
      const Struct& from = place.in<Struct>(in, at);
      return (from.*formula).empty() ? write(in, at) : type.write(from.*formula);
    };
    return key;
  }

  // The keys of a struct in the struct; `name` may be empty.
  template <class Base, class Member>
  KeyGroup<Member> group(const char* name, Member Base::*member) const {
    return {keys_, path_below(path_, name), place_.member<Struct>(member)};
  }

  std::vector<Key>& keys() const { return keys_; }
  const std::string& path() const { return path_; }

 private:
  std::vector<Key>& keys_;
  std::string path_;
  Place place_;
};

// For the keys of the case itself.
inline KeyGroup<Case> keys_of_case(Parts& parts) {
  return {parts.keys, "", Place::of([](auto& c, std::size_t) -> auto& { return c; })};
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
  return at < items.size() ? items[at] : default_of<Item>();
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
  using Item = typename std::decay_t<decltype(items(std::declval<Case&>()))>::value_type;
  const auto find = [=](auto& c, std::size_t at) -> auto& { return item(items(c), at); };
  const std::size_t first = parts.keys.size();
  add_keys(KeyGroup<Item>(parts.keys, path + ".NAME", Place::of(find)));
  const auto names = [=](const Case& c) { return names_of(items(c)); };
  const auto add = [=](Case& c, const std::string& name) {
    items(c).emplace_back().name = name;
    return items(c).size() - 1;
  };
  parts.groups.push_back({path, first, parts.keys.size(), names, add});
}

}  // namespace lbm::cases::key_table
