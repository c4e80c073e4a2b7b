// SPDX-License-Identifier: Apache-2.0

// Creates the image writer for a format.
#pragma once

#include <cstdint>
#include <memory>
#include <span>

#include "io/vtk/vtk_image.hpp"  // writes_vtk()

namespace lbm::io {

// `stem`: path without extension; the writer appends `.hdf`, `.vti`, or `.pvti` for images of
// several pieces (see path()). Reserves disk space of uncompressed files now if the file system
// can. Throws UsageError if the format was not built in.
std::unique_ptr<ImageWriter> make_image_writer(const Place& stem, const ImageGeometry& geometry,
                                               std::span<const ArrayInfo> arrays,
                                               const FieldInfo& info,
                                               const ImageOptions& options = {});

// Upper bound of the bytes of one image; without compression within 64 KiB of them.
std::uint64_t predicted_image_bytes(const ImageGeometry& geometry,
                                    std::span<const ArrayInfo> arrays, const FieldInfo& info,
                                    const ImageOptions& options = {});

}  // namespace lbm::io
