// SPDX-License-Identifier: Apache-2.0
#include "io/hdf5/vtkhdf_part.hpp"

#include "io/files/sync.hpp"

namespace lbm::io {

VtkhdfPart::VtkhdfPart(UniqueFd file, const ImagePlace& place, const ImageGeometry& geometry,
                       std::span<const ArrayInfo> arrays, int threads)
    : file_(std::move(file)),
      seen_(geometry, arrays),
      values_(
          std::make_unique<VtkhdfValues>(file_.get(), geometry, arrays, place.offsets, threads)) {}

std::optional<VtkhdfPart> VtkhdfPart::open(const ImagePlace& place, const ImageGeometry& geometry,
                                           std::span<const ArrayInfo> arrays, int threads) {
  UniqueFd file = open_with_token(place.file, place.token);
  if (!file.valid() || place.offsets.size() != arrays.size()) return std::nullopt;
  return VtkhdfPart(std::move(file), place, geometry, arrays,
                    threads > 0 ? threads : writer_threads());
}

int VtkhdfPart::write_plane(int z, std::span<const std::span<const float>> arrays) {
  seen_.check(z, arrays);
  if (const int error = values_->write_plane(z, arrays)) return error;
  seen_.add(z);
  return 0;
}

int VtkhdfPart::sync() const { return sync_to_disk(file_.get()); }

}  // namespace lbm::io
