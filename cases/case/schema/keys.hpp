// The one table of everything a case file may say. The reader, the writer, the range checks, the
// messages and docs/case_reference.md all come from it, so they cannot disagree.
//
// Some groups map names of the user to keys: bodies, expect, boundaries.FACE.patches. There the
// table has the word NAME (`bodies.NAME.radius`), and find_key("bodies.ball.radius") gives the key
// bound to the name `ball`: its reader makes the body if the case has none of that name.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "cases/case/schema/key.hpp"

namespace lbm::cases {

// In the order of the documentation; keys of one group are neighbours. Named ones are bound to
// NAME.
const std::vector<Key>& keys();

// The same with every named group once for each of its names in the case, in the case's order.
std::vector<Key> keys_of(const Case& lbm_case);

// Empty when no key has this path.
std::optional<Key> find_key(const std::string& path);

// True for "fluid": not a value itself, but the start of some.
bool is_group(const std::string& path);

// The names right under a group ("" for the top level), in the order of the table; {"NAME"} for
// "bodies".
std::vector<std::string> members(const std::string& group);

// "bodies.ball" for "bodies.ball.radius"; empty for a path that has no name of the user.
std::string named_item(const std::string& path);

// The path with NAME in place of the user's name: as keys() has it.
std::string table_path(const std::string& path);

// The name that is not one in "bodies.my ball.radius"; empty when all is well.
std::optional<std::string> bad_name(const std::string& path);

// Letters, digits, `_` and `-`, at most 64, the first a letter or `_`.
bool is_item_name(const std::string& name);
// The parts of a path between its dots.
std::vector<std::string> names_of(const std::string& path);
extern const char* const item_name_rule;

// "must be a number > 0"
std::string must_be(const Key& key);

// Keys of which a case has exactly one (required), or at most one.
struct Alternatives {
  std::vector<std::string> paths;
  bool required = true;
};
const std::vector<Alternatives>& exclusive_keys();

// The names of the faces, in the order of Case::faces.
const std::vector<std::string>& face_names();

}  // namespace lbm::cases
