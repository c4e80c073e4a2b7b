// What `lbm check` says: the numbers that follow from a case. Nothing is computed.
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
  std::optional<Setup> setup;  // empty where the case's device is not on this machine
  std::vector<std::string> warnings;
};

// Throws where the case cannot run here; a missing device is only a warning, so that cases can be
// checked where they are written. lbm_case must outlive the result.
CaseCheck check_case(const Case& lbm_case);

std::string check_text(const CaseCheck& check);
io::Json check_json(const CaseCheck& check);

}  // namespace lbm::cases
