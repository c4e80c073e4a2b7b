// SPDX-License-Identifier: Apache-2.0

// The case as the bindings hand it around.
#pragma once

#include "cases/case/case.hpp"

namespace lbm::python {

// `_lbm.CaseData`: a case that has been read and judged as one; never changed. It has no file:
// messages start with "case." and the path of the key.
struct CaseData {
  cases::Case lbm_case;
};

}  // namespace lbm::python
