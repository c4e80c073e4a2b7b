// Makes the writer of an image in the format that is asked for.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <span>

#include "io/image/image.hpp"

namespace lbm::io {

// `stem`: the path without an ending; the writer adds `.vtkhdf`, `.vti`, or `.pvti` for images of
// more than one piece (see path()). The disk space of files without compression is reserved now
// where the file system can. Throws UsageError when a format was not built in.
std::unique_ptr<ImageWriter> make_image_writer(const std::filesystem::path& stem,
                                               const ImageGeometry& geometry,
                                               std::span<const ArrayInfo> arrays,
                                               const FieldInfo& info,
                                               const ImageOptions& options = {});

// Whether the formats of VTK (vti, surfaces) were built in.
bool writes_vtk();

// An upper bound for the bytes of one image, without compression within 64 KiB of them.
std::uint64_t predicted_image_bytes(const ImageGeometry& geometry,
                                    std::span<const ArrayInfo> arrays, const FieldInfo& info,
                                    const ImageOptions& options = {});

}  // namespace lbm::io
