// The one table of everything a case file may say. The reader, the writer, the range checks, the
// messages and docs/case_reference.md all come from it, so they cannot disagree.
#pragma once

#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "cases/app/case.hpp"

namespace YAML {
class Node;
}

namespace lbm::app {

struct Key {
  std::string path;          // "fluid.reynolds"
  std::string row;           // its name in the documentation: the six faces share rows
  std::string type;          // "number", "word", ...
  std::string default_text;  // as one would write it, or a word such as "required"
  std::string allowed;       // "> 0"
  std::string doc;           // one or two sentences, with units
  // Puts the value into the case; false when it is not what `type` and `allowed` say.
  std::function<bool(const YAML::Node&, Case&)> read;
  // The value as YAML text; empty when the case leaves it open and there is no word for that.
  std::function<std::string(const Case&)> write;
};

// In the order of the documentation; keys of one group are neighbours.
const std::vector<Key>& keys();

// Null when no key has this path.
const Key* find_key(const std::string& path);

// True for "fluid": not a value itself, but the start of some.
bool is_group(const std::string& path);

// The names right under a group ("" for the top level), in the order of the table.
std::vector<std::string> members(const std::string& group);

// "must be a number > 0"
std::string must_be(const Key& key);

// Pairs of keys of which a case has exactly one.
const std::vector<std::pair<std::string, std::string>>& exclusive_keys();

// The names of the faces, in the order of Case::faces.
const std::vector<std::string>& face_names();

}  // namespace lbm::app
