// Planes that a process writes into an image which another process has begun.
#pragma once

#include <memory>
#include <optional>
#include <span>

#include "io/image/image.hpp"

namespace lbm::io {

class VtkhdfPart {
 public:
  // Of what ImageWriter::share says. Nothing where the path leads to no file that can be written,
  // or to another one. geometry, arrays: those of the image. threads: as ImageOptions.
  static std::optional<VtkhdfPart> open(const ImagePlace& place, const ImageGeometry& geometry,
                                        std::span<const ArrayInfo> arrays, int threads = 0);
  ~VtkhdfPart();
  VtkhdfPart(VtkhdfPart&&) noexcept;
  VtkhdfPart& operator=(VtkhdfPart&&) noexcept;

  // As ImageWriter::write_plane. Returns 0 or an errno.
  int write_plane(int z, std::span<const std::span<const float>> arrays);
  // Has all that was written on the disk, for every host to see. Returns 0 or an errno.
  int sync();

 private:
  class File;
  explicit VtkhdfPart(std::unique_ptr<File> file);
  std::unique_ptr<File> file_;
};

}  // namespace lbm::io
