#include "io/vtkhdf_writer.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <stdexcept>

#include "io/posix_file.hpp"
#include "io/vtkhdf_layout.hpp"

namespace lbm::io {
namespace fs = std::filesystem;

namespace {

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

// The open HDF5 file. Removes the partial file when it was not committed.
class VtkhdfWriter::File {
 public:
  File(fs::path partial, const ImageGeometry& geometry, const FieldInfo& info)
      : partial_(std::move(partial)), points_(geometry.points), written_(nz()) {
    try {
      file_ = create_vtkhdf_file(partial_);
      datasets_ = create_vtkhdf_layout(file_.get(), geometry, info);
      reserve();
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

  void write_plane(int z, std::span<const float> density, std::span<const float> velocity) {
    check_plane(z, density.size(), velocity.size());
    write_values(datasets_.density, z, density, 3);
    write_values(datasets_.velocity, z, velocity, 4);
    written_[static_cast<std::size_t>(z)] = true;
  }

  void check_complete() const {
    const auto missing = std::count(written_.begin(), written_.end(), false);
    if (missing == 0) return;
    const auto first = std::find(written_.begin(), written_.end(), false) - written_.begin();
    throw std::logic_error(
        fmt::format("VTKHDF: {} of {} planes never came, the first is {}", missing, nz(), first));
  }

  void commit(const fs::path& path, std::uint64_t bytes) {
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
    if (const int error = reserve_bytes(partial_, bytes)) throw Hdf5Failure{error};
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

  void write_values(const Hdf5Handle& dataset, int z, std::span<const float> values, int rank) {
    const std::array<hsize_t, 4> start{static_cast<hsize_t>(z), 0, 0, 0};
    const std::array<hsize_t, 4> count{1, static_cast<hsize_t>(points_[1]),
                                       static_cast<hsize_t>(points_[0]), 3};
    const auto in_file = hdf5_checked(H5Dget_space(dataset.get()), H5Sclose);
    hdf5_check(H5Sselect_hyperslab(in_file.get(), H5S_SELECT_SET, start.data(), nullptr,
                                   count.data(), nullptr));
    const auto in_memory = hdf5_checked(H5Screate_simple(rank, count.data(), nullptr), H5Sclose);
    hdf5_check(H5Dwrite(dataset.get(), H5T_NATIVE_FLOAT, in_memory.get(), in_file.get(),
                        H5P_DEFAULT, values.data()));
  }

  void discard() {
    datasets_ = {};
    file_.reset();
    if (!committed_) ::unlink(partial_.c_str());
  }

  fs::path partial_;
  std::array<int, 3> points_;
  std::vector<bool> written_;
  Hdf5Handle file_;
  VtkhdfDatasets datasets_;
  bool committed_ = false;
};

VtkhdfWriter::VtkhdfWriter(fs::path path, const ImageGeometry& geometry, const FieldInfo& info)
    : path_(std::move(path)) {
  check(geometry);
  bytes_ = predicted_file_bytes(geometry.points, info);
  const Hdf5Section section;
  try {
    file_ = std::make_unique<File>(partial_name(path_), geometry, info);
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
                               std::span<const float> velocity) {
  const Hdf5Section section;
  try {
    open_file().write_plane(z, density, velocity);
  } catch (const Hdf5Failure& failure) {
    fail(failure.error);
  }
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
