// SPDX-License-Identifier: Apache-2.0

// `lbm check`: derived numbers of a case, without computing it.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "cases/case/derived.hpp"
#include "cases/run/setup/setup.hpp"
#include "io/text/json.hpp"

namespace lbm::cases {

struct CaseCheck {
  const Case& lbm_case;
  Derived derived;
  std::int64_t field_files = 0;
  std::optional<Setup> setup;  // empty if the case's device is not on this machine
  std::vector<std::string> warnings;
};

// Throws if the case cannot run here. A missing device is only a warning, so that cases can be
// checked on other machines. Bodies and inlet profiles are looked at cell by cell as long as that
// takes no more than `limit` and 32 MiB; else a warning says that they were not. lbm_case must
// outlive the result.
CaseCheck check_case(const Case& lbm_case, const TimeLimit& limit = {});

std::string check_text(const CaseCheck& check);
io::Json check_json(const CaseCheck& check);

}  // namespace lbm::cases
