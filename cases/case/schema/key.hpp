// One key of a case file: its documentation, its reader and its writer.
#pragma once

#include <functional>
#include <string>

#include "cases/case/case.hpp"

namespace YAML {
class Node;
}

namespace lbm::cases {

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

}  // namespace lbm::cases
