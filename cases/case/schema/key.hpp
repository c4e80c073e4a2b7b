// SPDX-License-Identifier: Apache-2.0

// A key of a case file: documentation, reader and writer.
#pragma once

#include <cstddef>
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
  std::function<bool(const YAML::Node&, Case&, std::size_t)> reader;
  std::function<std::string(const Case&, std::size_t)> writer;

  // item: the position of the named item (a body, say) in its list; a key of no named item ignores
  // it. An item that the list lacks is appended by read(), and has its defaults for write().

  // Stores the value in the case; false if it violates `type` or `allowed`.
  bool read(const YAML::Node& node, Case& out, std::size_t item = 0) const {
    return reader(node, out, item);
  }
  // The value as YAML text; empty if it is unset and no word stands for that.
  std::string write(const Case& in, std::size_t item = 0) const { return writer(in, item); }
};

}  // namespace lbm::cases
