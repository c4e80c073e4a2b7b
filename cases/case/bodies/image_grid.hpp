// SPDX-License-Identifier: Apache-2.0

// A box that has the size of an image of voxels.
#pragma once

#include "cases/case/case.hpp"

namespace lbm::cases {

// True if the case gives no size of its box and has exactly one body of voxels: the image of that
// body then sets the size.
bool has_box_of_image(const Case& lbm_case);

// Sets grid.cells, where has_box_of_image(): the image with its changes, and its reservoirs. Reads
// the header of the file. Readers of cases call it; code that builds a case without grid.cells must
// do so. Throws UsageError: the file is wrong, its changes do not suit it, or the body has a
// translate.
void resolve_image_grid(Case& lbm_case);

}  // namespace lbm::cases
