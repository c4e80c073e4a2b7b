// SPDX-License-Identifier: Apache-2.0

// VTKHDF image files.
#pragma once

#include "io/image/image.hpp"

namespace lbm::io {

// ImageWriter for `place`. Flat images are thickened (io/image/flat_image.hpp). Several threads
// write or compress the values, bypassing HDF5.
class VtkhdfImage final : public ImageWriter {
 public:
  VtkhdfImage(const Place& place, const ImageGeometry& geometry, std::span<const ArrayInfo> arrays,
              const FieldInfo& info, const ImageOptions& options);
  ~VtkhdfImage() override;

  void write_plane(int z, std::span<const std::span<const float>> arrays) override;
  std::optional<ImagePlace> share() override;
  void add_plane(int z) override;
  [[noreturn]] void end_with(int error) override;
  void close() override;

 private:
  class File;
  File& open_file();

  std::uint64_t bytes_ = 0;
  std::unique_ptr<File> file_;  // null after close or failure
};

// Upper bound of the file size in bytes; without compression within 64 KiB of it.
std::uint64_t predicted_vtkhdf_bytes(const ImageGeometry& geometry,
                                     std::span<const ArrayInfo> arrays, const FieldInfo& info,
                                     int compression);

}  // namespace lbm::io
