// SPDX-License-Identifier: Apache-2.0

// The HDF5 library in use, for `lbm info` and `lbm doctor`.
#pragma once

#include <string>

namespace lbm::io {

// Such as "1.10.8".
std::string hdf5_version();

}  // namespace lbm::io
