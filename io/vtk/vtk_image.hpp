// SPDX-License-Identifier: Apache-2.0

// VTK's XML image files, .vti and .pvti. Part of the library lbm_vtk.
#pragma once

#include "io/image/image.hpp"

namespace lbm::io {

// See make_image_writer(). Throws UsageError when built without VTK.
std::unique_ptr<ImageWriter> make_vti_writer(const Place& stem, const ImageGeometry& geometry,
                                             std::span<const ArrayInfo> arrays,
                                             const FieldInfo& info, const ImageOptions& options);

// True if VTK's formats (vti, surfaces) were built in.
bool writes_vtk();

}  // namespace lbm::io
