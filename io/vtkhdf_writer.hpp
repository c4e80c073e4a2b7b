// Density and velocity as a VTKHDF file: a VtkhdfImage with these two arrays.
#pragma once

#include "io/image_writer.hpp"

namespace lbm::io {

class VtkhdfImage;

// An upper bound for the size of a file, within 64 KiB.
std::uint64_t predicted_file_bytes(const std::array<int, 3>& points, const FieldInfo& info = {});

// Writes point data "density" (float32) and "velocity" (float32, 3 components); otherwise as
// ImageWriter.
class VtkhdfWriter {
 public:
  // threads: those that write, with the caller; 0: as many as suit the machine.
  VtkhdfWriter(std::filesystem::path path, const ImageGeometry& geometry, const FieldInfo& info,
               int threads = 0);
  ~VtkhdfWriter();
  VtkhdfWriter(VtkhdfWriter&&) noexcept;
  VtkhdfWriter& operator=(VtkhdfWriter&&) noexcept;

  // Plane z of both fields: density[y][x], velocity[y][x][component], each velocity multiplied by
  // velocity_scale.
  void write_plane(int z, std::span<const float> density, std::span<const float> velocity,
                   float velocity_scale = 1);
  void close();

 private:
  std::unique_ptr<VtkhdfImage> image_;
};

}  // namespace lbm::io
