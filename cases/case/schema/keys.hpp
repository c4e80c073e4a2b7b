// The table of all keys of a case file. The reader, the writer, the range checks, the messages and
// docs/case_reference.md are all derived from it, so that they cannot disagree.
//
// Some groups map user-defined names to keys: bodies, expect, boundaries.FACE.patches. There the
// table has the word NAME (`bodies.NAME.radius`), and find_key("bodies.ball.radius") returns the
// key bound to the name `ball`; its reader adds the body to a case that lacks it.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "cases/case/schema/key.hpp"

namespace lbm::cases {

// In the order of the documentation; keys of a group are contiguous. Keys of named groups are bound
// to NAME.
const std::vector<Key>& keys();

// The same, with every named group repeated for each of its names in the case, in the case's order.
std::vector<Key> keys_of(const Case& lbm_case);

// Empty if no key has this path.
std::optional<Key> find_key(const std::string& path);

// True for a path such as "fluid" that is not a key, but the beginning of some.
bool is_group(const std::string& path);

// The names directly below a group ("" for the top level), in the order of the table; {"NAME"} for
// "bodies".
std::vector<std::string> members(const std::string& group);

// "bodies.ball" for "bodies.ball.radius"; empty for a path without a user-defined name.
std::string named_item(const std::string& path);

// The path in keys(): NAME instead of the user-defined name.
std::string table_path(const std::string& path);

// The invalid name in a path: "my ball" in "bodies.my ball.radius"; empty if all are valid.
std::optional<std::string> bad_name(const std::string& path);

// Letters, digits, `_` and `-`, at most 64, the first a letter or `_`.
bool is_item_name(const std::string& name);
// Splits a path at its dots.
std::vector<std::string> names_of(const std::string& path);
extern const char* const item_name_rule;

// "must be a number > 0"
std::string must_be(const Key& key);

// Keys that exclude each other: a case has exactly one (if required) or at most one.
struct Alternatives {
  std::vector<std::string> paths;
  bool required = true;
};
const std::vector<Alternatives>& exclusive_keys();

// Names of the faces, in the order of Case::faces.
const std::vector<std::string>& face_names();

}  // namespace lbm::cases
