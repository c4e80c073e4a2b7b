// What a VTKHDF ImageData file looks like inside. For the .cpp files of io only.
#pragma once

#include "io/hdf5/hdf5_handle.hpp"
#include "io/image/image.hpp"

namespace lbm::io {

// How an array lies in the file, little endian: contiguous, or in chunks of a plane's rows that
// are shuffled and deflated.
struct VtkhdfDataset {
  Hdf5Handle handle;
  int chunk_rows = 0;        // rows of a chunk; 0: contiguous
  std::uint64_t offset = 0;  // bytes in the file, of a contiguous one
};

// Creates the file (replacing another), its groups, attributes and datasets, and flushes: from here
// on only values are written. Contiguous datasets are allocated. geometry: as in the file
// (thickened()). Throws Hdf5Failure.
Hdf5Handle create_vtkhdf_file(const std::filesystem::path& path);
std::vector<VtkhdfDataset> create_vtkhdf_layout(hid_t file, const ImageGeometry& geometry,
                                                std::span<const ArrayInfo> arrays,
                                                const FieldInfo& info, int compression);

// Rows of a chunk of such an array: about 256 KiB, so that planes of any size give every thread
// something to compress, and readers of a part need not unpack much more than that.
int vtkhdf_chunk_rows(const ImageGeometry& geometry, const ArrayInfo& array);

}  // namespace lbm::io
