// SPDX-License-Identifier: Apache-2.0

// The table of all keys of a case file. The reader, the writer, the checks and the messages are all
// derived from it, so that they cannot disagree; a test compares docs/case_reference.md with it.
//
// Some groups map user-defined names to keys: bodies, expect, boundaries.FACE.patches. There the
// table has the word NAME (`bodies.NAME.radius`), and find_key("bodies.ball.radius") returns that
// row. A look-up costs the same for any number of names: a row finds its item by position.
#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "cases/case/schema/key.hpp"

namespace lbm::cases {

// In the order of the documentation.
const std::vector<Key>& keys();

// Visits the same keys, those of named groups once for each of their names in the case, in the
// case's order. path: with that name; item: its position, for Key::read() and write().
using KeyVisitor = std::function<void(const Key&, const std::string& path, std::size_t item)>;
void for_each_key(const Case& lbm_case, const KeyVisitor& visit);

// Null if no key has this path.
const Key* find_key(const std::string& path);

// Appends the named item of a path ("bodies.ball") to its list in the case; returns its position.
std::size_t add_item(Case& lbm_case, const std::string& path);

// True for a path such as "fluid" that is not a key, but the beginning of some.
bool is_group(const std::string& path);

// The names directly below a group ("" for the top level), in the order of the table; {"NAME"} for
// "bodies".
const std::vector<std::string>& members(const std::string& group);

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

// docs/case_reference.md, the documentation of all keys, which the program has in it. It has a row
// for each key: path (Key::row), type, default in words, allowed values, meaning.
const char* case_reference_markdown();

// The key that other programs call `wanted` ("nu" is fluid.viscosity), or the key or group nearest
// to `wanted` by edit distance of whole paths or of last names ("reynolds" finds "fluid.reynolds");
// empty if none is near.
std::string nearest_key(const std::string& wanted);

// The value that other programs call so, if it is among the allowed ones ("wall, periodic, ..."):
// "noslip" is "wall". Ignores case.
std::optional<std::string> value_of_other_programs(const std::string& word,
                                                   const std::string& allowed);

// Throws UsageError for the first invalid or repeated name of an item, then for the first rule that
// is broken (key.hpp), in the order of the table.
void check_rules(const Case& lbm_case);

// Throws UsageError for the first value outside the table. A case from a file has no such value, as
// the reader refuses it; code may have set one.
void check_ranges(const Case& lbm_case);

// "must be a number > 0"; with the scalars of the case, where it has been read so far.
std::string must_be(const Key& key, const Case& lbm_case = {});

// Lists of keys outside named groups of which a case has at most one.
const std::vector<std::vector<std::string>>& exclusive_keys();

// Names of the faces, in the order of Case::faces.
const std::vector<std::string>& face_names();

}  // namespace lbm::cases
