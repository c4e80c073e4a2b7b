// Flow fields as VTKHDF files, which ParaView opens: one image, written plane by plane.
#pragma once

#include <array>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <variant>
#include <vector>

namespace lbm::io {

// A regular grid of points in x, y, z order. Lengths are in the units of the case.
struct ImageGeometry {
  std::array<int, 3> points;
  std::array<double, 3> origin;  // position of point (0, 0, 0)
  std::array<double, 3> spacing;
};

struct FieldInfo {
  using Attribute = std::pair<std::string, std::variant<std::string, double>>;
  double time = 0;
  std::int64_t step = 0;
  std::vector<Attribute>
      attributes;  // any length; stored beside `time` and `step` on the group /VTKHDF
};

// An upper bound for the size of a file, within 64 KiB.
std::uint64_t predicted_file_bytes(const std::array<int, 3>& points, const FieldInfo& info = {});

// Writes point data "density" (float32, nz x ny x nx) and "velocity" (float32, nz x ny x nx x 3).
// The file grows under `<path>.partial` and gets its name in close(); a writer that is destroyed
// unclosed, or that failed, leaves nothing behind and an older `<path>` untouched. The whole file
// is reserved on the disk by the constructor where the file system can, so a full disk shows there.
// Values are written by several threads. Errors: ResourceError from the disk; std::logic_error for
// wrong calls. Calls to one writer must not overlap; different writers may live in different
// threads.
class VtkhdfWriter {
 public:
  // threads: those that write, with the caller; 0: as many as suit the machine.
  VtkhdfWriter(std::filesystem::path path, const ImageGeometry& geometry, const FieldInfo& info,
               int threads = 0);
  ~VtkhdfWriter();
  VtkhdfWriter(VtkhdfWriter&&) noexcept;
  VtkhdfWriter& operator=(VtkhdfWriter&&) noexcept;

  // Plane z of both fields: density[y][x], velocity[y][x][component], each velocity multiplied by
  // velocity_scale. Any order of z, each z once. The spans are free again on return.
  void write_plane(int z, std::span<const float> density, std::span<const float> velocity,
                   float velocity_scale = 1);

  // Checks that every plane came, flushes to the disk and renames.
  void close();

 private:
  class File;
  File& open_file();
  [[noreturn]] void fail(int error);

  std::filesystem::path path_;
  std::uint64_t bytes_ = 0;
  std::unique_ptr<File> file_;  // null once closed or failed
};

}  // namespace lbm::io
