// SPDX-License-Identifier: Apache-2.0

// Images with three arrays of all precisions and values that identify their positions.
#pragma once

#include <filesystem>
#include <memory>
#include <vector>

#include "io/hdf5/vtkhdf_image.hpp"
#include "solver/lattice/storage.hpp"

namespace lbm::testing {

// Sizes, origins and spacings differ along each axis, so that mixed-up axes are noticed.
inline const io::ImageGeometry image_3d{{5, 3, 7}, {-1.5, 2.25, 100}, {0.5, 0.25, 2}};
inline const io::ImageGeometry slice_x{{1, 3, 4}, {-1.5, 2.25, 100}, {0.5, 0.25, 2}};
inline const io::ImageGeometry slice_y{{5, 1, 4}, {-1.5, 2.25, 100}, {0.5, 0.25, 2}};
inline const io::ImageGeometry slice_z{{5, 3, 1}, {-1.5, 2.25, 100}, {0.5, 0.25, 2}};
inline const io::FieldInfo info_3d{0.125, 4000000000, {{"case", "cavity \u20ac"}, {"tau", 0.6}}};

inline std::vector<io::ArrayInfo> three_arrays() {
  return {{"density", 1, io::Precision::float32, "initial density"},
          {"velocity", 3, io::Precision::float16, "reference velocity"},
          {"solid", 1, io::Precision::uint8, ""}};
}

inline float given_value(const io::ArrayInfo& info, int x, int y, int z, int component) {
  if (info.name == "solid") return static_cast<float>((x + y + z) % 3);
  const auto place = static_cast<float>(x + 10 * y + 100 * z + 1000 * component);
  return 1 + 0.001F * place;
}

inline float stored_value(const io::ArrayInfo& info, int x, int y, int z, int component) {
  const float value = given_value(info, x, y, z, component);
  return info.precision == io::Precision::float16 ? half_to_float(float_to_half(value)) : value;
}

// For an ImageWriter or a part of an image.
template <class Writer>
auto write_plane_of(Writer& writer, const io::ImageGeometry& geometry, int z) {
  std::vector<std::vector<float>> values;
  for (const auto& info : three_arrays()) {
    auto& array = values.emplace_back();
    for (int y = 0; y < geometry.points[1]; ++y)
      for (int x = 0; x < geometry.points[0]; ++x)
        for (int c = 0; c < info.components; ++c) array.push_back(given_value(info, x, y, z, c));
  }
  const std::vector<std::span<const float>> arrays(values.begin(), values.end());
  return writer.write_plane(z, arrays);
}

inline std::unique_ptr<io::ImageWriter> make_image_writer(const io::Place& stem,
                                                          const io::ImageGeometry& geometry,
                                                          std::span<const io::ArrayInfo> arrays,
                                                          const io::FieldInfo& info,
                                                          const io::ImageOptions& options = {}) {
  return std::make_unique<io::VtkhdfImage>(stem.with_ending(".hdf"), geometry, arrays, info,
                                           options);
}

// Planes start in the middle and wrap around. Returns the path of the file.
inline std::filesystem::path write_three_arrays(const std::filesystem::path& stem,
                                                const io::ImageGeometry& geometry,
                                                const io::ImageOptions& options) {
  const auto writer = make_image_writer(stem, geometry, three_arrays(), info_3d, options);
  const int planes = geometry.points[2];
  for (int i = 0; i < planes; ++i) write_plane_of(*writer, geometry, (i + planes / 2) % planes);
  writer->close();
  return writer->path();
}

}  // namespace lbm::testing
