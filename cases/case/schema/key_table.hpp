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
void add_scalar_keys(Parts& parts);
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
// Makes the names of the scalars of the case words of the key, in place of those of or_scalar().
void take_scalars(Key& key);
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

  // A key that takes three numbers or three formulas. numbers: Vec3 or std::optional<Vec3>;
  // formulas: std::optional<Formulas>. The value that is read unsets the other one. example: one
  // with formulas.
  template <class Base, class Numbers, class Texts>
  Key& add_vector_or_formulas(const char* name, Numbers Base::*numbers, Texts Base::*formulas,
                              const std::string& example) const {
    return add_either(name, numbers, value_types::vector(), formulas, value_types::formulas(),
                      "list of three numbers or formulas", "such as [1, 0, 0] or " + example);
  }

  template <class Base>
  Key& add_number_or_formula(const char* name, std::optional<double> Base::*number,
                             std::string Base::*formula, const std::string& example) const {
    return add_either(name, number, value_types::number(value_types::any_number), formula,
                      value_types::formula(example), "number or formula",
                      "of any size, or a formula such as " + example);
  }

  // The keys of a struct in the struct; `name` may be empty.
  template <class Base, class Member>
  KeyGroup<Member> group(const char* name, Member Base::*member) const {
    return {keys_, path_below(path_, name), place_.member<Struct>(member)};
  }

  std::vector<Key>& keys() const { return keys_; }
  const std::string& path() const { return path_; }

 private:
  // A key that sets `first`, or else `second`; the other one is then as by default.
  template <class Base, class First, class T, class Second, class U>
  Key& add_either(const char* name, First Base::*first, value_types::ValueType<T> first_type,
                  Second Base::*second, value_types::ValueType<U> second_type, const char* type,
                  const std::string& allowed) const {
    Key other;
    connect<Second, U>(other, place_.member<Struct>(second),
                       std::make_shared<const value_types::ValueType<U>>(std::move(second_type)));
    Key& key = add(name, first, std::move(first_type));
    key.type = type;
    key.allowed = allowed;
    key.reader = [place = place_, first, second, one = key.reader, two = other.reader](
                     const YAML::Node& node, Case& out, std::size_t at) {
      Struct& to = place.in<Struct>(out, at);
      to.*first = {};
      to.*second = {};
      return one(node, out, at) || two(node, out, at);
    };
    key.writer = [one = key.writer, two = other.writer](const Case& in, std::size_t at) {
      const std::string text = two(in, at);
      return text.empty() ? one(in, at) : text;
    };
    return key;
  }

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
