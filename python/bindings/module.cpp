// SPDX-License-Identifier: Apache-2.0
#include "python/bindings/bindings.hpp"

NB_MODULE(_lbm, module) {
  module.doc() = "The solver's side of the package lbm; use the package.";
  module.attr("__version__") = LBM_VERSION;
  lbm::python::bind_errors(module);
  lbm::python::bind_case(module);
  lbm::python::bind_simulation(module);
  lbm::python::bind_voxels(module);
}
