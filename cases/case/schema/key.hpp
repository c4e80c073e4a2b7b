// SPDX-License-Identifier: Apache-2.0

// A key of a case file: reader, writer, and how it relates to other keys. Its documentation is in
// docs/case_reference.md.
#pragma once

#include <cstddef>
#include <functional>
#include <initializer_list>
#include <string>
#include <utility>
#include <vector>

#include "cases/case/case.hpp"

namespace YAML {
class Node;
}

namespace lbm::cases {

struct Key;

// A list of names that may be written as one: "slice" or {"slice", "project"}.
struct Names : std::vector<std::string> {
  Names() = default;
  Names(const char* one) : vector{one} {}  // NOLINT(google-explicit-constructor)
  Names(std::initializer_list<const char*> all) : vector(all.begin(), all.end()) {}
};

// One relation of a key to others. Names are of keys beside it, or of a group around it: from
// `pictures.NAME.at`, "slice" is pictures.NAME.slice and "fluid.length" that of the case.
struct Rule {
  enum class Kind {
    required,        // the key must be given, or must be if the first of `keys` has one of `words`
    needs,           // one of `keys` must be given, too
    excludes,        // none of `keys` may be given, too
    only_with,       // the first of `keys` must have one of `words`
    not_with,        // the first of `keys` must have none of `words`
    one_of,          // the key and `keys`: exactly one is given; --set of one removes the others
    at_most_one_of,  // the same, or none
  };
  Kind kind;
  Names keys, words;
  Names values;  // the rule holds for these values of the key only; empty: for all
  Names unless;  // the rule does not hold if this key is given
  std::vector<const Key*> others, unless_keys;  // those of the names; the table sets them
};

struct Key {
  std::string path;     // "fluid.reynolds"
  std::string row;      // path in the documentation; the six faces share rows
  std::string type;     // "number", "word", ...
  std::string allowed;  // "> 0"
  std::function<bool(const YAML::Node&, Case&, std::size_t)> reader;
  std::function<std::string(const Case&, std::size_t)> writer;
  std::function<bool(const Case&)> given;  // empty: as is_given() says
  std::vector<Rule> rules;
  bool takes_scalars = false;  // the names of the scalars of the case are words of it, too
  std::string unset;  // what write() returns for a key that is not given; the table sets it

  // item: the position of the named item (a body, say) in its list; a key of no named item ignores
  // it. An item that the list lacks is appended by read(), and has its defaults for write().

  // Stores the value in the case; false if it violates `type` or `allowed`.
  bool read(const YAML::Node& node, Case& out, std::size_t item = 0) const {
    return reader(node, out, item);
  }
  // The value as YAML text; empty if it is unset and no word stands for that.
  std::string write(const Case& in, std::size_t item = 0) const { return writer(in, item); }
  // True if the value differs from the default.
  bool is_given(const Case& in, std::size_t item = 0) const {
    if (given) return given(in);
    const std::string text = write(in, item);
    return !text.empty() && text != unset;
  }

  // Add a rule (struct Rule); check_rules() checks them.
  Key& required() { return add(Rule::Kind::required, {}); }
  Key& required_with(const char* key, Names words) {
    return add(Rule::Kind::required, key, std::move(words));
  }
  Key& needs(Names keys) { return add(Rule::Kind::needs, std::move(keys)); }
  Key& excludes(Names keys) { return add(Rule::Kind::excludes, std::move(keys)); }
  Key& only_with(const char* key, Names words) {
    return add(Rule::Kind::only_with, key, std::move(words));
  }
  Key& not_with(const char* key, Names words) {
    return add(Rule::Kind::not_with, key, std::move(words));
  }
  // Given if, and only if, that key has one of these words.
  Key& belongs_to(const char* key, const Names& words) {
    return only_with(key, words).required_with(key, words);
  }
  Key& one_of(Names keys) { return add(Rule::Kind::one_of, std::move(keys)); }
  Key& at_most_one_of(Names keys) { return add(Rule::Kind::at_most_one_of, std::move(keys)); }
  // Narrow the rule that was added last. values: of this key.
  Key& when(Names values) {
    rules.back().values = std::move(values);
    return *this;
  }
  Key& unless(const char* key) {
    rules.back().unless = key;
    return *this;
  }

 private:
  Key& add(Rule::Kind kind, Names keys, Names words = {}) {
    rules.push_back({kind, std::move(keys), std::move(words), {}, {}, {}, {}});
    return *this;
  }
};

// For Key::when(): any value that is written by formulas.
inline constexpr const char* by_formulas = "by formulas";

}  // namespace lbm::cases
