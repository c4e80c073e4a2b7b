#include "io/vtkhdf_image.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <optional>
#include <stdexcept>

#include "io/chunk_packer.hpp"
#include "io/flat_image.hpp"
#include "io/piece_writer.hpp"
#include "io/planes_seen.hpp"
#include "io/posix_file.hpp"
#include "io/vtkhdf_layout.hpp"

namespace lbm::io {
namespace fs = std::filesystem;

namespace {

// Where memory is large the system would keep gigabytes until the end, and closing would take as
// long as the disk needs for all of them.
constexpr std::uint64_t writeback_bytes = std::uint64_t{64} << 20;

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
    if (compression > 0) {  // the last chunk of a plane is whole
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

// The open HDF5 file. Removes the partial file when it was not committed. HDF5 makes the layout;
// without compression the values go past it, straight to the places that it gave them, and with
// compression it gets packed chunks, since it does either with one thread.
class VtkhdfImage::File {
 public:
  File(fs::path partial, const ImageGeometry& geometry, std::span<const ArrayInfo> arrays,
       const FieldInfo& info, const ImageOptions& options)
      : partial_(std::move(partial)),
        image_(thickened(geometry)),
        copies_(copies_of_planes(geometry)),
        arrays_(arrays.begin(), arrays.end()),
        seen_(geometry, arrays) {
    for (const ArrayInfo& array : arrays) flat_.emplace_back(geometry, array.components);
    const int threads = options.threads > 0 ? options.threads : writer_threads();
    try {
      file_ = create_vtkhdf_file(partial_);
      datasets_ = create_vtkhdf_layout(file_.get(), image_, arrays, info, options.compression);
      values_ = UniqueFd(::open(partial_.c_str(), O_WRONLY | O_CLOEXEC));
      if (!values_.valid()) throw Hdf5Failure{errno};
      if (options.compression > 0) {
        packer_.emplace(options.compression, threads);
      } else {
        reserve();
        pieces_.emplace(values_.get(), threads);
      }
    } catch (const Hdf5Failure&) {
      discard();
      throw;
    }
  }
  File(const File&) = delete;
  File& operator=(const File&) = delete;
  ~File() {
    const Hdf5Section section;
    discard();
  }

  // Returns 0 or an errno. Throws Hdf5Failure.
  int write_plane(int z, std::span<const std::span<const float>> arrays) {
    seen_.check(z, arrays);
    planes_.clear();
    for (std::size_t i = 0; i < arrays.size(); ++i) planes_.push_back(flat_[i].doubled(arrays[i]));
    for (int copy = 0; copy < copies_; ++copy) {
      const auto plane = static_cast<std::uint64_t>(z) + static_cast<std::uint64_t>(copy);
      if (const int error = packer_ ? write_chunks(plane) : write_blocks(plane)) return error;
    }
    seen_.add(z);
    if (waiting_bytes_ >= writeback_bytes) {
      start_writeback(values_.get());
      waiting_bytes_ = 0;
    }
    return 0;
  }

  void check_complete() const { seen_.check_complete(); }

  void commit(const fs::path& path, std::uint64_t bytes) {
    pieces_.reset();
    values_.reset();
    for (auto& dataset : datasets_) hdf5_check(dataset.handle.reset());
    hdf5_check(file_.reset());
    commit_file(partial_, path, bytes);
    committed_ = true;
  }

 private:
  // HDF5 only moves the end of the file: the blocks are still to be had from the disk.
  void reserve() {
    hsize_t bytes = 0;
    hdf5_check(H5Fget_filesize(file_.get(), &bytes));
    if (const int error = reserve_bytes(values_.get(), bytes)) throw Hdf5Failure{error};
  }

  int write_blocks(std::uint64_t plane) {
    blocks_.clear();
    for (std::size_t i = 0; i < planes_.size(); ++i) {
      const std::uint64_t bytes =
          planes_[i].size() * static_cast<std::uint64_t>(bytes_of(arrays_[i].precision));
      blocks_.push_back({planes_[i], datasets_[i].offset + plane * bytes, arrays_[i].precision});
      waiting_bytes_ += bytes;
    }
    return pieces_->write(blocks_);
  }

  int write_chunks(std::uint64_t plane) {
    chunks_.clear();
    for (std::size_t i = 0; i < planes_.size(); ++i) {
      const std::size_t row = planes_[i].size() / static_cast<std::size_t>(image_.points[1]);
      const std::size_t elements = row * static_cast<std::size_t>(datasets_[i].chunk_rows);
      for (std::size_t at = 0; at < planes_[i].size(); at += elements)
        chunks_.push_back({planes_[i].subspan(at, std::min(elements, planes_[i].size() - at)),
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
        waiting_bytes_ += packed->bytes.size();
      }
    }
    return 0;
  }

  void discard() {
    pieces_.reset();
    values_.reset();
    datasets_.clear();
    file_.reset();
    if (!committed_) ::unlink(partial_.c_str());
  }

  fs::path partial_;
  ImageGeometry image_;  // as in the file
  int copies_;
  std::vector<ArrayInfo> arrays_;
  PlanesSeen seen_;
  Hdf5Handle file_;
  std::vector<VtkhdfDataset> datasets_;
  UniqueFd values_;
  std::optional<PieceWriter> pieces_;  // writes to values_
  std::optional<ChunkPacker> packer_;
  std::uint64_t waiting_bytes_ = 0;  // since the last start_writeback
  bool committed_ = false;
  std::vector<FlatPlane> flat_;
  std::vector<std::span<const float>> planes_;  // of the call under way, as are those below
  std::vector<FloatBlock> blocks_;
  std::vector<Chunk> chunks_;
};

VtkhdfImage::VtkhdfImage(fs::path path, const ImageGeometry& geometry,
                         std::span<const ArrayInfo> arrays, const FieldInfo& info,
                         const ImageOptions& options) {
  path_ = std::move(path);
  const PlanesSeen checked(geometry, arrays);
  bytes_ = predicted_vtkhdf_bytes(geometry, arrays, info, options.compression);
  const Hdf5Section section;
  try {
    file_ = std::make_unique<File>(partial_name(path_), geometry, arrays, info, options);
  } catch (const Hdf5Failure& failure) {
    fail(failure.error);
  }
}

VtkhdfImage::~VtkhdfImage() = default;

VtkhdfImage::File& VtkhdfImage::open_file() {
  if (!file_) throw std::logic_error(fmt::format("{}: already closed, or failed", path_.string()));
  return *file_;
}

void VtkhdfImage::fail(int error) {
  file_.reset();  // first: the message should count the space that the partial file gives back
  throw_write_error(path_, error, bytes_);
}

void VtkhdfImage::write_plane(int z, std::span<const std::span<const float>> arrays) {
  try {
    if (const int error = open_file().write_plane(z, arrays)) fail(error);
  } catch (const Hdf5Failure& failure) {
    fail(failure.error);
  }
}

void VtkhdfImage::close() {
  const Hdf5Section section;
  open_file().check_complete();
  try {
    file_->commit(path_, bytes_);
  } catch (const Hdf5Failure& failure) {
    fail(failure.error);
  } catch (...) {
    file_.reset();
    throw;
  }
  file_.reset();
}

}  // namespace lbm::io
