// SPDX-License-Identifier: Apache-2.0

// The parts of the extension module `_lbm`: each file binds one subject. Everything that users see
// is in python/lbm; here are only the calls it is made of.
#pragma once

#include <nanobind/nanobind.h>

namespace lbm::python {

void bind_case(nanobind::module_& module);
void bind_errors(nanobind::module_& module);
void bind_simulation(nanobind::module_& module);
void bind_voxels(nanobind::module_& module);

}  // namespace lbm::python
