// SPDX-License-Identifier: Apache-2.0

// A small image with values that identify their positions.
#pragma once

#include <array>
#include <filesystem>
#include <vector>

#include "io/hdf5/vtkhdf_image.hpp"

namespace lbm::testing {

// Density and velocity, the arrays of most field files, as a VTKHDF file.
class VtkhdfWriter {
 public:
  VtkhdfWriter(const std::filesystem::path& path, const io::ImageGeometry& geometry,
               const io::FieldInfo& info, int threads = 0)
      : image_(path, geometry, arrays(), info, {0, threads}) {}
  void write_plane(int z, std::span<const float> density, std::span<const float> velocity) {
    const std::array<std::span<const float>, 2> both{density, velocity};
    image_.write_plane(z, both);
  }
  void close() { image_.close(); }

  static std::vector<io::ArrayInfo> arrays() {
    return {{"density", 1, {}, {}}, {"velocity", 3, {}, {}}};
  }

 private:
  io::VtkhdfImage image_;
};

inline std::uint64_t predicted_bytes(const std::array<int, 3>& points,
                                     const io::FieldInfo& info = {}) {
  return io::predicted_vtkhdf_bytes({points, {}, {}}, VtkhdfWriter::arrays(), info, 0);
}

// Sizes, origins and spacings differ along each axis, so that mixed-up axes are noticed.
inline const io::ImageGeometry image{{5, 3, 4}, {-1.5, 2.25, 100}, {0.5, 0.25, 2}};
inline const io::FieldInfo info{0.125, 4000000000, {{"case", "cavity \u20ac"}, {"tau", 0.6}}};

inline float density_at(int x, int y, int z) {
  return 1 + 0.001F * static_cast<float>(x + 10 * y + 100 * z);
}
inline float velocity_at(int x, int y, int z, int component) {
  return static_cast<float>(1000 * component + x + 10 * y + 100 * z) / 4096;
}

struct Plane {
  std::vector<float> density;
  std::vector<float> velocity;
};

inline Plane plane_at(int z) {
  Plane plane;
  for (int y = 0; y < image.points[1]; ++y)
    for (int x = 0; x < image.points[0]; ++x) {
      plane.density.push_back(density_at(x, y, z));
      for (int c = 0; c < 3; ++c) plane.velocity.push_back(velocity_at(x, y, z, c));
    }
  return plane;
}

inline void write_plane(VtkhdfWriter& writer, int z) {
  const auto plane = plane_at(z);
  writer.write_plane(z, plane.density, plane.velocity);
}

// Planes out of order, as a wavefront may deliver them.
inline void write_image(const std::filesystem::path& path, double time = info.time) {
  auto timed = info;
  timed.time = time;
  VtkhdfWriter writer(path, image, timed);
  for (const int z : {2, 0, 3, 1}) write_plane(writer, z);
  writer.close();
}

}  // namespace lbm::testing
