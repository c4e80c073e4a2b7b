// SPDX-License-Identifier: Apache-2.0
#include "io/hdf5/vtkhdf_image.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <optional>
#include <stdexcept>

#include "io/files/posix_file.hpp"
#include "io/hdf5/vtkhdf_layout.hpp"
#include "io/hdf5/vtkhdf_values.hpp"
#include "io/image/chunk_packer.hpp"
#include "io/image/flat_image.hpp"
#include "io/image/planes_seen.hpp"

namespace lbm::io {
namespace fs = std::filesystem;

namespace {

std::uint64_t chunk_index_bytes(const ImageGeometry& file, const ArrayInfo& array) {
  const int rows = vtkhdf_chunk_rows(file, array);
  const int chunks = (file.points[1] + rows - 1) / rows;
  return 8192 + std::uint64_t{192} * static_cast<std::uint64_t>(chunks) *
                    static_cast<std::uint64_t>(file.points[2]);
}

}  // namespace

std::uint64_t predicted_vtkhdf_bytes(const ImageGeometry& geometry,
                                     std::span<const ArrayInfo> arrays, const FieldInfo& info,
                                     int compression) {
  const ImageGeometry file = thickened(geometry);
  std::uint64_t bytes = 32768;
  for (const auto& [name, value] : info.attributes) {
    bytes += 256 + name.size();
    if (const auto* text = std::get_if<std::string>(&value)) bytes += text->size();
  }
  for (const ArrayInfo& array : arrays) {
    std::uint64_t rows = static_cast<std::uint64_t>(file.points[1]);
    if (compression > 0) {  // every chunk is stored whole
      const auto chunk = static_cast<std::uint64_t>(vtkhdf_chunk_rows(file, array));
      rows = (rows + chunk - 1) / chunk * chunk;
      bytes += chunk_index_bytes(file, array);
    }
    bytes += 1024 + array.unit.size() +
             rows * static_cast<std::uint64_t>(file.points[0]) *
                 static_cast<std::uint64_t>(file.points[2]) *
                 static_cast<std::uint64_t>(array.components * bytes_of(array.precision));
  }
  return bytes;
}

// The open HDF5 file. HDF5 creates the layout. Values
// bypass HDF5, which would write and compress them in one thread: they go straight to their
// offsets, or with compression as packed chunks.
class VtkhdfImage::File {
 public:
  File(const Place& place, const ImageGeometry& geometry, std::span<const ArrayInfo> arrays,
       const FieldInfo& info, const ImageOptions& options)
      : partial_(place),
        values_(partial_.take_fd()),
        image_(thickened(geometry)),
        arrays_(arrays.begin(), arrays.end()),
        seen_(geometry, arrays),
        flat_(geometry, arrays) {
    const int threads = options.threads > 0 ? options.threads : writer_threads();
    file_ = create_vtkhdf_file(partial_.path_of(values_));
    datasets_ = create_vtkhdf_layout(file_.get(), image_, arrays, info, options.compression);
    if (options.compression > 0) {
      packer_.emplace(options.compression, threads);
    } else {
      bytes_ = hdf5_reserve(file_, values_.get());
      blocks_.emplace(values_.get(), geometry, arrays, offsets(), threads);
    }
  }

  // Returns 0 or an errno. Throws Hdf5Failure.
  int write_plane(int z, std::span<const std::span<const float>> arrays) {
    seen_.check(z, arrays);
    if (const int error = packer_ ? write_packed(z, arrays) : blocks_->write_plane(z, arrays)) {
      return error;
    }
    seen_.add(z);
    return 0;
  }

  // The token lies beyond the end known to HDF5, until the file is complete.
  std::optional<ImagePlace> share() {
    if (packer_) return std::nullopt;
    FileToken token;
    if (const int error = write_token(values_.get(), bytes_, token)) throw Hdf5Failure{error};
    shared_ = true;
    return ImagePlace{path_for_others(partial_.path()), token, offsets()};
  }

  void add_plane(int z) { seen_.add_once(z); }

  void check_complete() const { seen_.check_complete(); }

  void commit(std::uint64_t bytes) {
    if (shared_ && ::ftruncate(values_.get(), static_cast<off_t>(bytes_)) != 0) {
      throw Hdf5Failure{errno};
    }
    blocks_.reset();
    values_.reset();
    for (auto& dataset : datasets_) hdf5_check(dataset.handle.reset());
    hdf5_check(file_.reset());
    partial_.commit(bytes);
  }

 private:
  std::vector<std::uint64_t> offsets() const {
    std::vector<std::uint64_t> all;
    for (const VtkhdfDataset& dataset : datasets_) all.push_back(dataset.offset);
    return all;
  }

  int write_packed(int z, std::span<const std::span<const float>> arrays) {
    const auto planes = flat_.doubled(arrays);
    for (int copy = 0; copy < flat_.copies(); ++copy) {
      const auto plane = static_cast<std::uint64_t>(z) + static_cast<std::uint64_t>(copy);
      if (const int error = write_chunks(plane, planes)) return error;
    }
    return 0;
  }

  int write_chunks(std::uint64_t plane, std::span<const std::span<const float>> planes) {
    chunks_.clear();
    for (std::size_t i = 0; i < planes.size(); ++i) {
      const std::size_t row = planes[i].size() / static_cast<std::size_t>(image_.points[1]);
      const std::size_t elements = row * static_cast<std::size_t>(datasets_[i].chunk_rows);
      for (std::size_t at = 0; at < planes[i].size(); at += elements)
        chunks_.push_back({planes[i].subspan(at, std::min(elements, planes[i].size() - at)),
                           elements, arrays_[i].precision});
    }
    if (const int error = packer_->pack(chunks_)) return error;
    const Hdf5Section section;
    auto packed = packer_->packed().begin();
    for (const VtkhdfDataset& dataset : datasets_) {
      std::array<hsize_t, 4> at{plane, 0, 0, 0};
      for (; at[1] < static_cast<hsize_t>(image_.points[1]);
           at[1] += static_cast<hsize_t>(dataset.chunk_rows), ++packed) {
        hdf5_check(H5Dwrite_chunk(dataset.handle.get(), H5P_DEFAULT, packed->filter_mask, at.data(),
                                  packed->bytes.size(), packed->bytes.data()));
        writeback_.wrote(values_.get(), packed->bytes.size());
      }
    }
    return 0;
  }

  PartialFile partial_;  // first member: removed when all others are closed
  UniqueFd values_;
  ImageGeometry image_;  // geometry in the file
  std::vector<ArrayInfo> arrays_;
  PlanesSeen seen_;
  FlatPlanes flat_;  // only for chunks
  Hdf5Handle file_;
  std::vector<VtkhdfDataset> datasets_;
  std::optional<VtkhdfValues> blocks_;  // writes to values_
  std::optional<ChunkPacker> packer_;
  EarlyWriteback writeback_;
  std::uint64_t bytes_ = 0;  // of the file, without compression
  bool shared_ = false;
  std::vector<Chunk> chunks_;  // of the current call
};

VtkhdfImage::VtkhdfImage(const Place& place, const ImageGeometry& geometry,
                         std::span<const ArrayInfo> arrays, const FieldInfo& info,
                         const ImageOptions& options) {
  place_ = place;
  const PlanesSeen checked(geometry, arrays);
  bytes_ = predicted_vtkhdf_bytes(geometry, arrays, info, options.compression);
  const Hdf5Section section;
  try {
    file_ = std::make_unique<File>(place_, geometry, arrays, info, options);
  } catch (const Hdf5Failure& failure) {
    end_with(failure.error);
  }
}

VtkhdfImage::~VtkhdfImage() {
  const Hdf5Section section;
  file_.reset();
}

VtkhdfImage::File& VtkhdfImage::open_file() {
  if (!file_) throw std::logic_error(fmt::format("{}: already closed, or failed", path().string()));
  return *file_;
}

void VtkhdfImage::end_with(int error) {
  const Hdf5Section section;
  file_.reset();  // first, so that the message counts the space freed by the partial file
  throw_write_error(path(), error, bytes_);
}

void VtkhdfImage::write_plane(int z, std::span<const std::span<const float>> arrays) {
  try {
    if (const int error = open_file().write_plane(z, arrays)) end_with(error);
  } catch (const Hdf5Failure& failure) {
    end_with(failure.error);
  }
}

std::optional<ImagePlace> VtkhdfImage::share() {
  try {
    return open_file().share();
  } catch (const Hdf5Failure& failure) {
    end_with(failure.error);
  }
}

void VtkhdfImage::add_plane(int z) { open_file().add_plane(z); }

void VtkhdfImage::close() {
  const Hdf5Section section;
  open_file().check_complete();
  auto file = std::move(file_);
  try {
    file->commit(bytes_);
  } catch (const Hdf5Failure& failure) {
    file.reset();
    end_with(failure.error);
  }
}

}  // namespace lbm::io
