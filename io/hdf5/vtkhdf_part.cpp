#include "io/hdf5/vtkhdf_part.hpp"

#include <unistd.h>

#include <cerrno>

#include "io/hdf5/vtkhdf_values.hpp"
#include "io/image/planes_seen.hpp"

namespace lbm::io {

class VtkhdfPart::File {
 public:
  File(UniqueFd file, const ImagePlace& place, const ImageGeometry& geometry,
       std::span<const ArrayInfo> arrays, int threads)
      : file_(std::move(file)),
        seen_(geometry, arrays),
        values_(file_.get(), geometry, arrays, place.offsets, threads) {}

  int write_plane(int z, std::span<const std::span<const float>> arrays) {
    seen_.check(z, arrays);
    if (const int error = values_.write_plane(z, arrays)) return error;
    seen_.add(z);
    return 0;
  }
  int sync() const { return ::fdatasync(file_.get()) == 0 ? 0 : errno; }

 private:
  UniqueFd file_;
  PlanesSeen seen_;
  VtkhdfValues values_;
};

std::optional<VtkhdfPart> VtkhdfPart::open(const ImagePlace& place, const ImageGeometry& geometry,
                                           std::span<const ArrayInfo> arrays, int threads) {
  UniqueFd file = open_with_token(place.file, place.token);
  if (!file.valid() || place.offsets.size() != arrays.size()) return std::nullopt;
  return VtkhdfPart(std::make_unique<File>(std::move(file), place, geometry, arrays,
                                           threads > 0 ? threads : writer_threads()));
}

VtkhdfPart::VtkhdfPart(std::unique_ptr<File> file) : file_(std::move(file)) {}
VtkhdfPart::~VtkhdfPart() = default;
VtkhdfPart::VtkhdfPart(VtkhdfPart&&) noexcept = default;
VtkhdfPart& VtkhdfPart::operator=(VtkhdfPart&&) noexcept = default;

int VtkhdfPart::write_plane(int z, std::span<const std::span<const float>> arrays) {
  return file_->write_plane(z, arrays);
}
int VtkhdfPart::sync() { return file_->sync(); }

}  // namespace lbm::io
