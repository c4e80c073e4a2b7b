// What a VTKHDF ImageData file looks like inside. For the .cpp files of io only.
#pragma once

#include "io/hdf5_handle.hpp"
#include "io/vtkhdf_writer.hpp"

namespace lbm::io {

// Both are contiguous in the file, little-endian float32.
struct VtkhdfDatasets {
  Hdf5Handle density;
  Hdf5Handle velocity;
};

// Creates the file (replacing another), its groups, attributes and empty but allocated datasets,
// and flushes: from here on only the values of the two datasets are written. Throws Hdf5Failure.
Hdf5Handle create_vtkhdf_file(const std::filesystem::path& path);
VtkhdfDatasets create_vtkhdf_layout(hid_t file, const ImageGeometry& geometry,
                                    const FieldInfo& info);

// Where in the file the values of an allocated contiguous dataset begin. Throws Hdf5Failure.
std::uint64_t offset_in_file(const Hdf5Handle& dataset);

}  // namespace lbm::io
