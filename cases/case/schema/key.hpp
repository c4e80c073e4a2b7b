// A key of a case file: documentation, reader and writer.
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
  std::string row;           // path in the documentation; the six faces share rows
  std::string type;          // "number", "word", ...
  std::string default_text;  // as a user would write it, or a word such as "required"
  std::string allowed;       // "> 0"
  std::string doc;           // one or two sentences, with units
  // Stores the value in the case; false if it violates `type` or `allowed`.
  std::function<bool(const YAML::Node&, Case&)> read;
  // The value as YAML text; empty if it is unset and no word stands for that.
  std::function<std::string(const Case&)> write;
};

}  // namespace lbm::cases
