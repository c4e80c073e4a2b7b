// SPDX-License-Identifier: Apache-2.0

// Names of items, rules of keys and values of a case.
#include "cases/case/schema/keys.hpp"

#include <fmt/format.h>
#include <yaml-cpp/yaml.h>

#include <algorithm>
#include <set>

#include "cases/case/case_location.hpp"
#include "cases/case/scalars.hpp"
#include "cases/case/schema/key_table.hpp"
#include "solver/core/error.hpp"

namespace lbm::cases {
namespace {

bool contains(const Names& names, const std::string& name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

// "a", "a or b", "a, b or c"
std::string any_of(const Names& names) {
  std::string text;
  for (std::size_t i = 0; i < names.size(); ++i) {
    text += (i == 0 ? "" : i + 1 == names.size() ? " or " : ", ") + names[i];
  }
  return text;
}

// The rules of one key of a case.
class RuleCheck {
 public:
  RuleCheck(const Case& lbm_case, const Key& key, const std::string& path, std::size_t item)
      : case_(lbm_case), key_(key), path_(path), item_(item), value_(key.write(lbm_case, item)) {}

  void check() const {
    const bool given = key_.is_given(case_, item_);
    for (const Rule& rule : key_.rules) {
      if (!applies(rule)) continue;
      if (rule.kind == Rule::Kind::one_of || rule.kind == Rule::Kind::at_most_one_of) {
        check_alternatives(rule, given);
      } else if (rule.kind == Rule::Kind::required) {
        if (!given) check_required(rule);
      } else if (given) {
        check_given(rule);
      }
    }
  }

 private:
  [[noreturn]] void refuse(const std::string& what, const Key* at = nullptr) const {
    throw UsageError(where(case_, at ? path_of(*at) : path_) + ": " + what);
  }

  // The path in this case of a key that a rule names.
  std::string path_of(const Key& other) const {
    const std::string in_table = named_item(key_.path);
    const bool same_item = !in_table.empty() && other.path.starts_with(in_table + ".");
    return same_item ? named_item(path_) + other.path.substr(in_table.size()) : other.path;
  }

  // The key as its rules would name it.
  std::string name() const {
    const std::string item = named_item(path_);
    return item.empty() ? path_ : path_.substr(item.size() + 1);
  }

  bool is_given(const Key* other) const { return other->is_given(case_, item_); }

  bool applies(const Rule& rule) const {
    const bool holds =
        rule.values.empty() || contains(rule.values, value_) ||
        (rule.values.front() == by_formulas && value_.find('"') != std::string::npos);
    return holds && std::none_of(rule.unless_keys.begin(), rule.unless_keys.end(),
                                 [&](const Key* other) { return is_given(other); });
  }

  void check_required(const Rule& rule) const {
    if (rule.keys.empty()) refuse(fmt::format("missing: {} requires it", named_item(path_)));
    const std::string word = rule.others.front()->write(case_, item_);
    if (!contains(rule.words, word)) return;
    refuse(fmt::format("missing: {}: {} requires it", rule.keys.front(), word));
  }

  void check_alternatives(const Rule& rule, bool given) const {
    std::vector<const Key*> all;
    Names names;
    if (given) all.push_back(&key_);
    if (given) names.push_back(name());
    for (std::size_t i = 0; i < rule.others.size(); ++i) {
      if (!is_given(rule.others[i])) continue;
      all.push_back(rule.others[i]);
      names.push_back(rule.keys[i]);
    }
    if (all.size() > 1) {
      refuse(fmt::format("conflicts with {}: remove one", names.front()), all[1]);
    }
    if (!all.empty() || rule.kind == Rule::Kind::at_most_one_of) return;
    const std::string what =
        fmt::format("missing: one of {}, {}", name(), fmt::join(rule.keys, ", "));
    if (!named_item(path_).empty()) refuse(what);
    throw UsageError(name_in_messages(case_) + ": " + what);
  }

  void check_given(const Rule& rule) const {
    const auto first = std::find_if(rule.others.begin(), rule.others.end(),
                                    [&](const Key* other) { return is_given(other); });
    // The value, where the rule holds for some values only.
    const bool some = !rule.values.empty(), formulas = some && rule.values.front() == by_formulas;
    const std::string value = formulas ? by_formulas : value_;
    const std::string start = formulas ? value + " " : some ? "found " + value + ", which " : "";
    if (rule.kind == Rule::Kind::needs) {
      if (first != rule.others.end()) return;
      refuse(fmt::format("missing: {}{}: add it or remove this key", any_of(rule.keys),
                         some ? ", which " + value + " requires" : ""));
    }
    if (rule.kind == Rule::Kind::excludes) {
      if (first == rule.others.end()) return;
      const auto i = static_cast<std::size_t>(first - rule.others.begin());
      refuse(fmt::format("{}conflicts with {}: remove one", start, rule.keys[i]));
    }
    const std::string& other = rule.keys.front();
    const std::string word = rule.others.front()->write(case_, item_);
    if (contains(rule.words, word) == (rule.kind == Rule::Kind::only_with)) return;
    const std::string wanted = fmt::format("{}: {}", other, any_of(rule.words));
    if (word.empty()) refuse(fmt::format("missing: {}: add it or remove this key", wanted));
    if (rule.kind == Rule::Kind::not_with) {
      refuse(fmt::format("{}conflicts with {}: {}: remove one", start, other, word));
    }
    refuse(fmt::format("{}conflicts with {}: {}, requires {}: change that or remove this key",
                       start, other, word, wanted));
  }

  const Case& case_;
  const Key& key_;
  const std::string& path_;
  std::size_t item_;
  std::string value_;
};

void check_names(const Case& lbm_case, const key_table::NamedGroup& group) {
  std::set<std::string> names;
  for (const std::string& name : group.names(lbm_case)) {
    if (is_item_name(name) && names.insert(name).second) continue;
    throw UsageError(fmt::format("{}: found the name \"{}\", must be another one, of {}",
                                 where(lbm_case, group.path), one_line(name, 64), item_name_rule));
  }
}

}  // namespace

void check_rules(const Case& lbm_case) {
  for (const auto& group : key_table::parts().groups) check_names(lbm_case, group);
  for_each_key(lbm_case, [&](const Key& key, const std::string& path, std::size_t item) {
    if (!key.rules.empty()) RuleCheck(lbm_case, key, path, item).check();
  });
}

// Defaults are most of the values, and need no check.
void check_ranges(const Case& lbm_case) {
  Case scratch;
  scratch.scalars = lbm_case.scalars;
  for_each_key(lbm_case, [&](const Key& key, const std::string& path, std::size_t item) {
    const std::string text = key.write(lbm_case, item);
    if (text.empty() || text == key.unset || key.read(YAML::Load(text), scratch)) return;
    throw UsageError(fmt::format("{}: found {}, {}", where(lbm_case, path), one_line(text, 60),
                                 must_be(key, lbm_case)));
  });
}

}  // namespace lbm::cases
