// SPDX-License-Identifier: Apache-2.0

// Attributes of HDF5 files that anybody may have written. Internal to the .cpp files of io: this
// header needs HDF5. Both throw Hdf5Failure.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "io/hdf5/hdf5_handle.hpp"

namespace lbm::io {

// Empty where the attribute is missing, holds no numbers, or more than `most`.
std::vector<double> hdf5_attribute_numbers(hid_t object, const std::string& name, std::size_t most);

// Empty where the attribute is missing or is not one text.
std::optional<std::string> hdf5_attribute_text(hid_t object, const std::string& name);

}  // namespace lbm::io
