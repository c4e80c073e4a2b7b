// SPDX-License-Identifier: Apache-2.0

// Layout of a VTKHDF ImageData file, and its size.
#pragma once

#include "io/hdf5/hdf5_handle.hpp"
#include "io/image/image.hpp"

namespace lbm::io {

// An array in the file, little endian: contiguous, or in shuffled and deflated chunks of rows of a
// plane.
struct VtkhdfDataset {
  Hdf5Handle handle;
  int chunk_rows = 0;        // rows per chunk; 0: contiguous
  std::uint64_t offset = 0;  // bytes from the start of the file; contiguous arrays only
};

// Creates the file (replacing another), its groups, attributes and datasets, and flushes;
// afterwards only values are written. Contiguous datasets are allocated. geometry: as in the file
// (thickened()). Throws Hdf5Failure.
Hdf5Handle create_vtkhdf_file(const std::filesystem::path& path);
std::vector<VtkhdfDataset> create_vtkhdf_layout(const Hdf5Handle& file,
                                                const ImageGeometry& geometry,
                                                std::span<const ArrayInfo> arrays,
                                                const FieldInfo& info, int compression);

// Rows per chunk, about 256 KiB: planes of any size give every thread something to compress, and
// readers of a part unpack little more than that part.
int vtkhdf_chunk_rows(const ImageGeometry& geometry, const ArrayInfo& array);

// Upper bound of the file size in bytes; without compression within 64 KiB of it.
std::uint64_t predicted_vtkhdf_bytes(const ImageGeometry& geometry,
                                     std::span<const ArrayInfo> arrays, const FieldInfo& info,
                                     int compression);

}  // namespace lbm::io
