// SPDX-License-Identifier: Apache-2.0

// Datasets of HDF5 files that anybody may have written. Internal to the .cpp files of io: this
// header needs HDF5.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "io/hdf5/hdf5_handle.hpp"

namespace lbm::io {

// Thrown for contents that HDF5 reads well but that lbm does not, and caught inside io.
struct Hdf5Misfit {
  std::string why;
};

// The file, to be read; without locks. Throws Hdf5Failure.
Hdf5Handle hdf5_open(const std::filesystem::path& path);

// Sizes along the axes of a dataset, the slowest first; none for a single number. Throws
// Hdf5Failure.
std::vector<hsize_t> hdf5_shape(const Hdf5Handle& dataset);

// The bytes that a dataset can have at most, unpacked, in a file of so many bytes: what it claims
// is compared with this before memory is taken. Throws Hdf5Misfit where its values lie in another
// file, or in chunks of more than 256 MiB; Hdf5Failure. name: for messages.
double hdf5_most_bytes(const std::string& name, const Hdf5Handle& dataset,
                       std::uint64_t file_bytes);

}  // namespace lbm::io
