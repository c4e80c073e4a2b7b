// SPDX-License-Identifier: Apache-2.0
#include "io/hdf5/vtkhdf_image.hpp"

#include <fmt/format.h>
#include <hdf5.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <stdexcept>
#include <string_view>

namespace lbm::io {
namespace {

int threads_of(int threads) { return threads > 0 ? threads : writer_threads(); }

}  // namespace

std::string hdf5_version() {
  unsigned major = 0, minor = 0, release = 0;
  H5get_libversion(&major, &minor, &release);
  return fmt::format("{}.{}.{}", major, minor, release);
}

VtkhdfValues::VtkhdfValues(int fd, const ImageGeometry& geometry, std::span<const ArrayInfo> arrays,
                           std::vector<std::uint64_t> offsets, int threads)
    : fd_(fd),
      arrays_(arrays.begin(), arrays.end()),
      offsets_(std::move(offsets)),
      flat_(geometry, arrays),
      pieces_(fd, threads_of(threads)) {}

int VtkhdfValues::write_plane(int z, std::span<const std::span<const float>> arrays) {
  const auto planes = flat_.doubled(arrays);
  blocks_.clear();
  std::uint64_t written = 0;
  for (int copy = 0; copy < flat_.copies(); ++copy) {
    const auto plane = static_cast<std::uint64_t>(z) + static_cast<std::uint64_t>(copy);
    for (std::size_t i = 0; i < planes.size(); ++i) {
      const std::uint64_t bytes =
          planes[i].size() * static_cast<std::uint64_t>(bytes_of(arrays_[i].precision));
      blocks_.push_back({planes[i], offsets_[i] + plane * bytes, arrays_[i].precision});
      written += bytes;
    }
  }
  if (const int error = pieces_.write(blocks_)) return error;
  writeback_.wrote(fd_, written);
  return 0;
}

VtkhdfImage::VtkhdfImage(const Place& place, const ImageGeometry& geometry,
                         std::span<const ArrayInfo> arrays, const FieldInfo& info,
                         const ImageOptions& options)
    : geometry_(geometry),
      arrays_(arrays.begin(), arrays.end()),
      seen_(geometry, arrays),
      bytes_(predicted_vtkhdf_bytes(geometry, arrays, info, options.compression)),
      flat_(geometry, arrays) {
  place_ = place;
  or_end([&] { make(info, options); });
}

void VtkhdfImage::make(const FieldInfo& info, const ImageOptions& options) {
  const Hdf5Section section;
  partial_ = std::make_unique<PartialFile>(place_);
  fd_ = partial_->take_fd();
  file_ = create_vtkhdf_file(partial_->path_of(fd_));
  datasets_ = create_vtkhdf_layout(file_, thickened(geometry_), arrays_, info, options.compression);
  if (options.compression > 0) {
    packer_.emplace(options.compression, threads_of(options.threads));
  } else {
    reserved_ = hdf5_reserve(file_, fd_.get());
    values_.emplace(fd_.get(), geometry_, arrays_, offsets(), options.threads);
  }
}

// A failure ends the writer.
template <class Work>
void VtkhdfImage::or_end(const Work& work) {
  try {
    work();
  } catch (const Hdf5Failure& failure) {
    end_with(failure.error);
  } catch (...) {
    drop();
    throw;
  }
}

void VtkhdfImage::require_open() const {
  if (!partial_)
    throw std::logic_error(fmt::format("{}: already closed, or failed", path().string()));
}

void VtkhdfImage::drop() {
  const Hdf5Section section;
  values_.reset();
  datasets_.clear();
  file_.reset();
  fd_.reset();
  partial_.reset();
}

void VtkhdfImage::end_with(int error) {
  drop();  // first, so that the message counts the space freed by the partial file
  throw_write_error(path(), error, bytes_);
}

void VtkhdfImage::write_plane(int z, std::span<const std::span<const float>> arrays) {
  require_open();
  seen_.check(z, arrays);
  or_end([&] {
    if (packer_) return write_packed(z, flat_.doubled(arrays));
    if (const int error = values_->write_plane(z, arrays)) throw Hdf5Failure{error};
  });
  seen_.add(z);
}

void VtkhdfImage::write_packed(int z, std::span<const std::span<const float>> planes) {
  const auto rows = static_cast<std::size_t>(thickened(geometry_).points[1]);
  chunks_.clear();
  for (std::size_t i = 0; i < planes.size(); ++i) {
    const std::size_t elements =
        planes[i].size() / rows * static_cast<std::size_t>(datasets_[i].chunk_rows);
    for (std::size_t at = 0; at < planes[i].size(); at += elements)
      chunks_.push_back({planes[i].subspan(at, std::min(elements, planes[i].size() - at)), elements,
                         arrays_[i].precision});
  }
  if (const int error = packer_->pack(chunks_)) throw Hdf5Failure{error};
  const Hdf5Section section;
  for (int copy = 0; copy < flat_.copies(); ++copy) {
    auto packed = packer_->packed().begin();
    for (const VtkhdfDataset& dataset : datasets_) {
      std::array<hsize_t, 4> at{static_cast<hsize_t>(z + copy), 0, 0, 0};
      for (; at[1] < rows; at[1] += static_cast<hsize_t>(dataset.chunk_rows), ++packed) {
        hdf5_check(H5Dwrite_chunk(dataset.handle.get(), H5P_DEFAULT, packed->filter_mask, at.data(),
                                  packed->bytes.size(), packed->bytes.data()));
        writeback_.wrote(fd_.get(), packed->bytes.size());
      }
    }
  }
}

std::vector<std::uint64_t> VtkhdfImage::offsets() const {
  std::vector<std::uint64_t> all;
  for (const VtkhdfDataset& dataset : datasets_) all.push_back(dataset.offset);
  return all;
}

// The token lies beyond the end known to HDF5, until the file is complete.
std::optional<ImagePlace> VtkhdfImage::share() {
  require_open();
  if (packer_) return std::nullopt;
  FileToken token;
  if (const int error = write_token(fd_.get(), reserved_, token)) end_with(error);
  shared_ = true;
  return ImagePlace{path_for_others(partial_->path()), token, offsets()};
}

void VtkhdfImage::add_plane(int z) {
  require_open();
  seen_.add_once(z);
}

void VtkhdfImage::close() {
  require_open();
  seen_.check_complete();
  or_end([&] {
    const Hdf5Section section;
    if (shared_ && ::ftruncate(fd_.get(), static_cast<off_t>(reserved_)) != 0) {
      throw Hdf5Failure{errno};
    }
    values_.reset();
    fd_.reset();
    for (auto& dataset : datasets_) hdf5_check(dataset.handle.reset());
    hdf5_check(file_.reset());
    partial_->commit(bytes_);
  });
  drop();
}

std::optional<VtkhdfPart> VtkhdfPart::open(const ImagePlace& place, const ImageGeometry& geometry,
                                           std::span<const ArrayInfo> arrays, int threads) {
  UniqueFd file = open_with_token(place.file, place.token);
  if (!file.valid() || place.offsets.size() != arrays.size()) return std::nullopt;
  VtkhdfPart part(std::move(file), geometry, arrays);
  part.values_ =
      std::make_unique<VtkhdfValues>(part.file_.get(), geometry, arrays, place.offsets, threads);
  return part;
}

int VtkhdfPart::write_plane(int z, std::span<const std::span<const float>> arrays) {
  seen_.check(z, arrays);
  if (const int error = values_->write_plane(z, arrays)) return error;
  seen_.add(z);
  return 0;
}

}  // namespace lbm::io
