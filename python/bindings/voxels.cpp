// SPDX-License-Identifier: Apache-2.0

// Images of voxels, as case files take them.
#include "io/voxels/voxel_image.hpp"

#include <nanobind/ndarray.h>
#include <nanobind/stl/array.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>

#include "python/bindings/bindings.hpp"
#include "solver/core/error.hpp"

namespace lbm::python {
namespace nb = nanobind;
namespace {

using Plane = nb::ndarray<nb::numpy, std::int64_t, nb::ndim<2>>;

std::optional<io::VoxelType> type_of(const std::optional<std::string>& name) {
  if (!name) return std::nullopt;
  const auto names = enum_names(io::VoxelType{});
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (*name == names[i]) return static_cast<io::VoxelType>(i);
  }
  throw UsageError("type: found \"" + *name +
                   "\", must be uint8, int8, uint16, int16, uint32 or int32");
}

Plane plane_of(const io::VoxelImage& image, std::int64_t z) {
  const auto& [nx, ny, nz] = image.format().voxels;
  const auto count = static_cast<std::size_t>(nx * ny);
  auto* const labels = new std::int64_t[count];
  const nb::capsule owner(
      labels, [](void* memory) noexcept { delete[] static_cast<std::int64_t*>(memory); });
  image.plane(z, {labels, count});
  return {labels, {static_cast<std::size_t>(ny), static_cast<std::size_t>(nx)}, owner};
}

}  // namespace

void bind_voxels(nb::module_& module) {
  nb::class_<io::VoxelImage>(module, "VoxelImage")
      .def(
          "__init__",
          [](io::VoxelImage* self, const std::string& file,
             const std::optional<std::array<std::int64_t, 3>>& voxels,
             const std::optional<std::string>& type, const std::string& dataset) {
            io::VoxelHints hints;
            hints.voxels = voxels;
            hints.type = type_of(type);
            hints.dataset = dataset;
            new (self) io::VoxelImage(io::find_voxel_format(file, hints));
          },
          nb::arg("file"), nb::arg("voxels").none(), nb::arg("type").none(), nb::arg("dataset"))
      .def_prop_ro("voxels", [](const io::VoxelImage& i) { return i.format().voxels; })
      .def_prop_ro("type",
                   [](const io::VoxelImage& i) {
                     return std::string(
                         enum_names(io::VoxelType{})[static_cast<std::size_t>(i.format().type)]);
                   })
      .def_prop_ro("big_endian", [](const io::VoxelImage& i) { return i.format().big_endian; })
      .def_prop_ro("offset", [](const io::VoxelImage& i) { return i.format().offset; })
      // The file that has the labels as they stand; empty: only plane() gives them.
      .def_prop_ro("plain_file",
                   [](const io::VoxelImage& i) {
                     return i.format().source ? std::string() : i.format().file.string();
                   })
      .def("plane", &plane_of, nb::arg("z"));
}

}  // namespace lbm::python
