// SPDX-License-Identifier: Apache-2.0

// Asks for what the command line does not say.
#pragma once

#include <iosfwd>
#include <map>
#include <string>

#include "cases/cli/init/flows.hpp"

namespace lbm::cases::init {

class Questions {
 public:
  Questions(std::istream& in, std::ostream& out) : in_(in), out_(out) {}

  const Flow& flow();
  // Adds answers for options that are not in `given`: for all of them, or for those that are
  // required. An empty line takes the default.
  void ask(const Flow& flow, std::map<std::string, std::string>& given, bool all);

  // These throw UsageError at the end of the input.

 private:
  std::string line(const std::string& prompt);

  std::istream& in_;
  std::ostream& out_;
};

}  // namespace lbm::cases::init
