// SPDX-License-Identifier: Apache-2.0
#include "io/checkpoint/checkpoint_writer.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <stdexcept>

#include "io/checkpoint/checkpoint_planes.hpp"
#include "io/hdf5/hdf5_handle.hpp"

namespace lbm::io {
namespace fs = std::filesystem;
using namespace checkpoint;

namespace {

hid_t file_type(ElementType type) {
  if (type == ElementType::uint16) return H5T_STD_U16LE;
  return type == ElementType::float32 ? H5T_IEEE_F32LE : H5T_IEEE_F64LE;
}

// Properties of groups, datasets and files without time stamps: the same state gives the same
// bytes.
Hdf5Handle creation_of(hid_t type) {
  auto properties = hdf5_checked(H5Pcreate(type), H5Pclose);
  hdf5_check(H5Pset_obj_track_times(properties.get(), false));
  return properties;
}

// The newest format that every HDF5 from 1.10 on reads; its metadata carry checksums of HDF5.
Hdf5Handle create_file_of_hdf5(const fs::path& path) {
  const auto access = hdf5_checked(H5Pcreate(H5P_FILE_ACCESS), H5Pclose);
  hdf5_check(H5Pset_fclose_degree(access.get(), H5F_CLOSE_STRONG));
  hdf5_check(H5Pset_libver_bounds(access.get(), H5F_LIBVER_V110, H5F_LIBVER_V110));
  const auto creation = creation_of(H5P_FILE_CREATE);
  hdf5_check(H5Pset_userblock(creation.get(), user_block_bytes));
  return hdf5_checked(H5Fcreate(path.c_str(), H5F_ACC_TRUNC, creation.get(), access.get()),
                      H5Fclose);
}

Hdf5Handle make_group(hid_t parent, const char* name) {
  const auto properties = creation_of(H5P_GROUP_CREATE);
  return hdf5_checked(H5Gcreate2(parent, name, H5P_DEFAULT, properties.get(), H5P_DEFAULT),
                      H5Gclose);
}

// Contiguous, allocated now, without fill values, since every byte is written.
Hdf5Handle make_dataset(hid_t parent, const std::string& name, hid_t type,
                        std::span<const hsize_t> shape) {
  const auto properties = creation_of(H5P_DATASET_CREATE);
  hdf5_check(H5Pset_alloc_time(properties.get(), H5D_ALLOC_TIME_EARLY));
  hdf5_check(H5Pset_fill_time(properties.get(), H5D_FILL_TIME_NEVER));
  const auto space = hdf5_checked(
      H5Screate_simple(static_cast<int>(shape.size()), shape.data(), nullptr), H5Sclose);
  return hdf5_checked(H5Dcreate2(parent, name.c_str(), type, space.get(), H5P_DEFAULT,
                                 properties.get(), H5P_DEFAULT),
                      H5Dclose);
}

void write_text(hid_t file, const std::string& name, const std::string& text) {
  const auto type = hdf5_checked(H5Tcopy(H5T_C_S1), H5Tclose);
  hdf5_check(H5Tset_size(type.get(), std::max<std::size_t>(text.size(), 1)));
  hdf5_check(H5Tset_strpad(type.get(), H5T_STR_NULLPAD));
  hdf5_check(H5Tset_cset(type.get(), H5T_CSET_UTF8));
  const auto space = hdf5_checked(H5Screate(H5S_SCALAR), H5Sclose);
  const auto properties = creation_of(H5P_DATASET_CREATE);
  const auto dataset = hdf5_checked(H5Dcreate2(file, name.c_str(), type.get(), space.get(),
                                               H5P_DEFAULT, properties.get(), H5P_DEFAULT),
                                    H5Dclose);
  hdf5_check(H5Dwrite(dataset.get(), type.get(), H5S_ALL, H5S_ALL, H5P_DEFAULT, text.c_str()));
}

bool is_name(const std::string& name) {
  return !name.empty() && name.size() <= 64 && std::all_of(name.begin(), name.end(), [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
  });
}

void check(const CheckpointTexts& texts, const std::vector<PlaneArray>& arrays) {
  const auto refuse = [](const std::string& name, const char* why) {
    throw std::invalid_argument(fmt::format("checkpoint: `{}` {}", name, why));
  };
  for (const auto& [name, text] : texts) {
    if (!is_name(name) || name == "planes" || name == "checksums") refuse(name, "is no name");
  }
  if (arrays.size() > most_arrays) refuse(arrays.back().name, "is one array too many");
  for (const PlaneArray& array : arrays) {
    if (!is_name(array.name)) refuse(array.name, "is no name");
    if (array.planes < 1 || array.values_per_plane < 1) refuse(array.name, "has no values");
    if (std::count_if(arrays.begin(), arrays.end(),
                      [&](const PlaneArray& other) { return other.name == array.name; }) > 1) {
      refuse(array.name, "comes twice");
    }
  }
}

}  // namespace

std::uint64_t predicted_checkpoint_bytes(const CheckpointTexts& texts,
                                         std::span<const PlaneArray> arrays) {
  std::uint64_t bytes = user_block_bytes + 8192;
  for (const auto& [name, text] : texts) bytes += 1024 + name.size() + text.size();
  for (const PlaneArray& array : arrays) {
    bytes += 8192 + array.bytes() + static_cast<std::uint64_t>(array.planes) * 8;
  }
  return bytes;
}

// HDF5 creates the layout; values bypass it and go straight to the offsets it assigned.
class CheckpointWriter::File {
 public:
  File(const Place& place, const CheckpointTexts& texts, std::vector<PlaneArray> arrays,
       int threads)
      : partial_(place), arrays_(std::move(arrays)) {
    UniqueFd file = partial_.take_fd();
    make_layout(partial_.path_of(file), texts);
    values_.emplace(std::move(file), threads);
    hdf5_reserve(file_, values_->fd());
  }

  // Returns 0 or an errno.
  int write_planes(std::size_t array, std::int64_t first, std::span<const std::byte> bytes) {
    const std::size_t plane_bytes = arrays_.at(array).plane_bytes();
    const auto count = static_cast<std::int64_t>(bytes.size() / plane_bytes);
    if (bytes.size() % plane_bytes != 0 || first < 0 || first + count > arrays_[array].planes) {
      throw std::logic_error(fmt::format("checkpoint: {} has no planes {} to {}",
                                         arrays_[array].name, first, first + count - 1));
    }
    for (std::int64_t z = first; z < first + count; ++z) mark(array, z);
    return values_->write(
        block_.arrays[array].begin + static_cast<std::uint64_t>(first) * plane_bytes, plane_bytes,
        bytes,
        std::span(sums_[array])
            .subspan(static_cast<std::size_t>(first), static_cast<std::size_t>(count)));
  }

  // Other processes see the file with its token and at its full length.
  ArrayPlace share(std::size_t array) {
    if (!token_) {
      token_.emplace();
      // The token takes the place of the user block.
      if (const int error = write_token(values_->fd(), 0, *token_)) throw Hdf5Failure{error};
    }
    return {*token_, block_.arrays.at(array).begin, arrays_[array].plane_bytes(),
            arrays_[array].planes};
  }

  void add_planes(std::size_t array, std::span<const PlaneSum> planes) {
    for (const auto& [plane, checksum] : planes) {
      if (plane < 0 || plane >= arrays_.at(array).planes) {
        throw std::logic_error(
            fmt::format("checkpoint: {} has no plane {}", arrays_[array].name, plane));
      }
      mark(array, plane);
      sums_[array][static_cast<std::size_t>(plane)] = checksum;
    }
  }

  void check_complete() const {
    for (std::size_t a = 0; a < arrays_.size(); ++a) {
      const auto missing = std::count(written_[a].begin(), written_[a].end(), false);
      if (missing == 0) continue;
      throw std::logic_error(
          fmt::format("checkpoint: missing: {} planes of {}", missing, arrays_[a].name));
    }
  }

  void commit(std::uint64_t bytes) {
    for (std::size_t a = 0; a < arrays_.size(); ++a) {
      hdf5_check(H5Dwrite(sum_sets_[a].get(), H5T_NATIVE_UINT64, H5S_ALL, H5S_ALL, H5P_DEFAULT,
                          sums_[a].data()));
      hdf5_check(sum_sets_[a].reset());
    }
    hdf5_check(file_.reset());
    seal();
    values_.reset();
    partial_.commit(bytes);
  }

 private:
  void make_layout(const fs::path& path, const CheckpointTexts& texts) {
    file_ = create_file_of_hdf5(path);
    for (const auto& [name, text] : texts) write_text(file_.get(), name, text);
    const auto planes = make_group(file_.get(), "planes");
    const auto checksums = make_group(file_.get(), "checksums");
    for (const PlaneArray& array : arrays_) {
      const std::array<hsize_t, 2> shape{static_cast<hsize_t>(array.planes),
                                         static_cast<hsize_t>(array.values_per_plane)};
      const auto set = make_dataset(planes.get(), array.name, file_type(array.type), shape);
      const std::uint64_t offset = hdf5_offset(set);
      block_.arrays.push_back({offset, offset + array.bytes()});
      sum_sets_.push_back(
          make_dataset(checksums.get(), array.name, H5T_STD_U64LE, std::span(shape).first<1>()));
      sums_.emplace_back(static_cast<std::size_t>(array.planes));
      written_.emplace_back(static_cast<std::size_t>(array.planes));
    }
    hdf5_check(H5Fflush(file_.get(), H5F_SCOPE_GLOBAL));
  }

  // Writes the user block after HDF5 has closed the file.
  void seal() {
    struct stat status {};
    if (::fstat(values_->fd(), &status) != 0) throw Hdf5Failure{errno};
    block_.file_bytes = static_cast<std::uint64_t>(status.st_size);
    if (const int error = checksum_rest(values_->fd(), block_, block_.rest_checksum)) {
      throw Hdf5Failure{std::max(error, 0)};
    }
    if (const int error = write_at(values_->fd(), to_bytes(block_), 0)) throw Hdf5Failure{error};
  }

  void mark(std::size_t array, std::int64_t plane) {
    auto written = written_[array][static_cast<std::size_t>(plane)];
    if (written) {
      throw std::logic_error(
          fmt::format("checkpoint: plane {} of {} came twice", plane, arrays_[array].name));
    }
    written = true;
  }

  PartialFile partial_;  // first member: removed when all others are closed
  std::vector<PlaneArray> arrays_;
  UserBlock block_;
  std::vector<std::vector<std::uint64_t>> sums_;  // by array and plane
  std::vector<std::vector<bool>> written_;
  Hdf5Handle file_;
  std::vector<Hdf5Handle> sum_sets_;
  std::optional<PlanesWriter> values_;
  std::optional<FileToken> token_;  // only of a shared file
};

CheckpointWriter::CheckpointWriter(Place place, const CheckpointTexts& texts,
                                   std::vector<PlaneArray> arrays, int threads)
    : place_(std::move(place)) {
  check(texts, arrays);
  bytes_ = predicted_checkpoint_bytes(texts, arrays);
  const Hdf5Section section;
  try {
    file_ = std::make_unique<File>(place_, texts, std::move(arrays), threads);
  } catch (const Hdf5Failure& failure) {
    fail(failure.error);
  }
}

CheckpointWriter::~CheckpointWriter() {
  const Hdf5Section section;
  file_.reset();
}
CheckpointWriter::CheckpointWriter(CheckpointWriter&&) noexcept = default;

CheckpointWriter::File& CheckpointWriter::open_file() {
  if (!file_)
    throw std::logic_error(fmt::format("{}: already closed, or failed", place_.path().string()));
  return *file_;
}

void CheckpointWriter::fail(int error) {
  const Hdf5Section section;
  file_.reset();  // first, so that the message counts the space freed by the partial file
  throw_write_error(place_.path(), error, bytes_);
}

void CheckpointWriter::write_planes(std::size_t array, std::int64_t first,
                                    std::span<const std::byte> bytes) {
  if (const int error = open_file().write_planes(array, first, bytes)) fail(error);
}

fs::path CheckpointWriter::partial() const { return path_for_others(partial_name(place_.path())); }

ArrayPlace CheckpointWriter::share(std::size_t array) {
  try {
    return open_file().share(array);
  } catch (const Hdf5Failure& failure) {
    fail(failure.error);
  }
}

void CheckpointWriter::add_planes(std::size_t array, std::span<const PlaneSum> planes) {
  open_file().add_planes(array, planes);
}

void CheckpointWriter::close() {
  const Hdf5Section section;
  open_file().check_complete();
  auto file = std::move(file_);
  try {
    file->commit(bytes_);
  } catch (const Hdf5Failure& failure) {
    file.reset();
    fail(failure.error);
  }
}

}  // namespace lbm::io
