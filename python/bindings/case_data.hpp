// A case as the bindings hand it around.
#pragma once

#include "cases/app/case.hpp"

namespace lbm::python {

struct CaseData {
  app::Case lbm_case;
};

}  // namespace lbm::python
