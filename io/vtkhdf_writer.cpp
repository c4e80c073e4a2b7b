#include "io/vtkhdf_writer.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <optional>
#include <stdexcept>

#include "io/piece_writer.hpp"
#include "io/posix_file.hpp"
#include "io/vtkhdf_layout.hpp"

namespace lbm::io {
namespace fs = std::filesystem;

namespace {

// Where memory is large the system would keep gigabytes until the end, and closing would take as
// long as the disk needs for all of them.
constexpr std::uint64_t writeback_bytes = std::uint64_t{64} << 20;

void check(const ImageGeometry& geometry) {
  const auto [nx, ny, nz] = geometry.points;
  if (nx < 1 || ny < 1 || nz < 1)
    throw std::invalid_argument(fmt::format("VTKHDF: no image of {} x {} x {} points", nx, ny, nz));
}

}  // namespace

std::uint64_t predicted_file_bytes(const std::array<int, 3>& points, const FieldInfo& info) {
  std::uint64_t values = 4;  // density and three components
  for (const int n : points) values *= static_cast<std::uint64_t>(n);
  std::uint64_t metadata = 32768;
  for (const auto& [name, value] : info.attributes) {
    metadata += 256 + name.size();
    if (const auto* text = std::get_if<std::string>(&value)) metadata += text->size();
  }
  return values * sizeof(float) + metadata;
}

// The open HDF5 file. Removes the partial file when it was not committed. HDF5 makes the layout;
// the values go past it, straight to the places that it gave them, since it writes with one thread.
class VtkhdfWriter::File {
 public:
  File(fs::path partial, const ImageGeometry& geometry, const FieldInfo& info, int threads)
      : partial_(std::move(partial)), points_(geometry.points), written_(nz()) {
    try {
      file_ = create_vtkhdf_file(partial_);
      datasets_ = create_vtkhdf_layout(file_.get(), geometry, info);
      density_offset_ = offset_in_file(datasets_.density);
      velocity_offset_ = offset_in_file(datasets_.velocity);
      values_ = UniqueFd(::open(partial_.c_str(), O_WRONLY | O_CLOEXEC));
      if (!values_.valid()) throw Hdf5Failure{errno};
      reserve();
      pieces_.emplace(values_.get(), threads > 0 ? threads : writer_threads());
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

  // Returns 0 or an errno.
  int write_plane(int z, std::span<const float> density, std::span<const float> velocity,
                  float velocity_scale) {
    check_plane(z, density.size(), velocity.size());
    const auto index = static_cast<std::uint64_t>(z);
    const std::array<FloatBlock, 2> blocks{
        {{density, density_offset_ + index * density.size_bytes(), 1},
         {velocity, velocity_offset_ + index * velocity.size_bytes(), velocity_scale}}};
    if (const int error = pieces_->write(blocks)) return error;
    written_[static_cast<std::size_t>(z)] = true;
    waiting_bytes_ += density.size_bytes() + velocity.size_bytes();
    if (waiting_bytes_ >= writeback_bytes) {
      start_writeback(values_.get());
      waiting_bytes_ = 0;
    }
    return 0;
  }

  void check_complete() const {
    const auto missing = std::count(written_.begin(), written_.end(), false);
    if (missing == 0) return;
    const auto first = std::find(written_.begin(), written_.end(), false) - written_.begin();
    throw std::logic_error(
        fmt::format("VTKHDF: {} of {} planes never came, the first is {}", missing, nz(), first));
  }

  void commit(const fs::path& path, std::uint64_t bytes) {
    pieces_.reset();
    values_.reset();
    hdf5_check(datasets_.density.reset());
    hdf5_check(datasets_.velocity.reset());
    hdf5_check(file_.reset());
    commit_file(partial_, path, bytes);
    committed_ = true;
  }

 private:
  std::size_t nz() const { return static_cast<std::size_t>(points_[2]); }

  // HDF5 only moves the end of the file: the blocks are still to be had from the disk.
  void reserve() {
    hsize_t bytes = 0;
    hdf5_check(H5Fget_filesize(file_.get(), &bytes));
    if (const int error = reserve_bytes(values_.get(), bytes)) throw Hdf5Failure{error};
  }

  void check_plane(int z, std::size_t density, std::size_t velocity) const {
    const auto [nx, ny, planes] = points_;
    if (z < 0 || z >= planes)
      throw std::out_of_range(fmt::format("VTKHDF: plane {} of 0..{}", z, planes - 1));
    if (written_[static_cast<std::size_t>(z)])
      throw std::logic_error(fmt::format("VTKHDF: plane {} came twice", z));
    const auto cells = static_cast<std::size_t>(nx) * static_cast<std::size_t>(ny);
    if (density != cells || velocity != 3 * cells)
      throw std::invalid_argument(
          fmt::format("VTKHDF: plane of {} points got {} and {} values", cells, density, velocity));
  }

  void discard() {
    pieces_.reset();
    values_.reset();
    datasets_ = {};
    file_.reset();
    if (!committed_) ::unlink(partial_.c_str());
  }

  fs::path partial_;
  std::array<int, 3> points_;
  std::vector<bool> written_;
  Hdf5Handle file_;
  VtkhdfDatasets datasets_;
  std::uint64_t density_offset_ = 0, velocity_offset_ = 0;  // bytes
  UniqueFd values_;
  std::optional<PieceWriter> pieces_;  // writes to values_
  std::uint64_t waiting_bytes_ = 0;    // since the last start_writeback
  bool committed_ = false;
};

VtkhdfWriter::VtkhdfWriter(fs::path path, const ImageGeometry& geometry, const FieldInfo& info,
                           int threads)
    : path_(std::move(path)) {
  check(geometry);
  bytes_ = predicted_file_bytes(geometry.points, info);
  const Hdf5Section section;
  try {
    file_ = std::make_unique<File>(partial_name(path_), geometry, info, threads);
  } catch (const Hdf5Failure& failure) {
    fail(failure.error);
  }
}

VtkhdfWriter::~VtkhdfWriter() = default;
VtkhdfWriter::VtkhdfWriter(VtkhdfWriter&&) noexcept = default;
VtkhdfWriter& VtkhdfWriter::operator=(VtkhdfWriter&&) noexcept = default;

VtkhdfWriter::File& VtkhdfWriter::open_file() {
  if (!file_) throw std::logic_error(fmt::format("{}: already closed, or failed", path_.string()));
  return *file_;
}

void VtkhdfWriter::fail(int error) {
  file_.reset();  // first: the message should count the space that the partial file gives back
  throw_write_error(path_, error, bytes_);
}

void VtkhdfWriter::write_plane(int z, std::span<const float> density,
                               std::span<const float> velocity, float velocity_scale) {
  if (const int error = open_file().write_plane(z, density, velocity, velocity_scale)) fail(error);
}

void VtkhdfWriter::close() {
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
