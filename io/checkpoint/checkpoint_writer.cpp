// SPDX-License-Identifier: Apache-2.0
#include "io/checkpoint/checkpoint.hpp"

#include <fmt/format.h>
#include <hdf5.h>
#include <sys/stat.h>

#include <algorithm>
#include <cerrno>
#include <stdexcept>

#include "io/files/checksum.hpp"
#include "io/files/worker_team.hpp"

namespace lbm::io {
namespace fs = std::filesystem;
using namespace checkpoint;

namespace {

// Returns 0 or an errno.
int write_plane(int fd, std::uint64_t offset, std::span<const std::byte> bytes,
                std::uint64_t& sum) {
  Checksum checksum;
  for (std::size_t at = 0; at < bytes.size(); at += checkpoint::piece_bytes) {
    const auto piece = bytes.subspan(at, std::min(checkpoint::piece_bytes, bytes.size() - at));
    checksum.add(piece);
    if (const int error = write_at(fd, piece, offset + at)) return error;
  }
  sum = checksum.value();
  return 0;
}

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

Hdf5Handle make_group(const Hdf5Handle& parent, const char* name) {
  const auto properties = creation_of(H5P_GROUP_CREATE);
  return hdf5_checked(H5Gcreate2(parent.get(), name, H5P_DEFAULT, properties.get(), H5P_DEFAULT),
                      H5Gclose);
}

// Contiguous, allocated now, without fill values, since every byte is written.
Hdf5Handle make_dataset(const Hdf5Handle& parent, const std::string& name, hid_t type,
                        const std::vector<std::uint64_t>& shape) {
  const auto properties = creation_of(H5P_DATASET_CREATE);
  hdf5_check(H5Pset_alloc_time(properties.get(), H5D_ALLOC_TIME_EARLY));
  hdf5_check(H5Pset_fill_time(properties.get(), H5D_FILL_TIME_NEVER));
  return hdf5_new_dataset(parent, name, type, shape, properties);
}

void write_text(const Hdf5Handle& file, const std::string& name, const std::string& text) {
  const auto type = hdf5_checked(H5Tcopy(H5T_C_S1), H5Tclose);
  hdf5_check(H5Tset_size(type.get(), std::max<std::size_t>(text.size(), 1)));
  hdf5_check(H5Tset_strpad(type.get(), H5T_STR_NULLPAD));
  hdf5_check(H5Tset_cset(type.get(), H5T_CSET_UTF8));
  const auto dataset =
      hdf5_new_dataset(file, name, type.get(), {}, creation_of(H5P_DATASET_CREATE));
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

checkpoint::PlanesWriter::PlanesWriter(UniqueFd file, int threads)
    : file_(std::move(file)), threads_(threads > 0 ? threads : writer_threads()) {}

int checkpoint::PlanesWriter::write(const ArrayPlace& array, std::int64_t first,
                                    std::span<const std::byte> bytes, std::vector<PlaneSum>& sums) {
  const auto planes = static_cast<std::int64_t>(bytes.size() / array.plane_bytes);
  if (bytes.size() % array.plane_bytes != 0 || first < 0 || first + planes > array.planes) {
    throw std::logic_error(fmt::format("checkpoint: no planes {} to {} of {}", first,
                                       first + planes - 1, array.planes));
  }
  const std::size_t before = sums.size(), count = static_cast<std::size_t>(planes);
  for (std::int64_t z = first; z < first + planes; ++z) sums.push_back({z, 0});
  WorkerTeam team(static_cast<int>(std::min(count, static_cast<std::size_t>(threads_))));
  // In groups, so that the disk starts early.
  const auto group = std::max<std::size_t>(1, EarlyWriteback::interval / array.plane_bytes);
  for (std::size_t begin = 0; begin < count; begin += group) {
    const std::size_t part = std::min(group, count - begin);
    const int error = team.run(part, [&](std::size_t i, std::size_t) {
      PlaneSum& sum = sums[before + begin + i];
      return write_plane(
          fd(), array.offset + static_cast<std::uint64_t>(sum.plane) * array.plane_bytes,
          bytes.subspan((begin + i) * array.plane_bytes, array.plane_bytes), sum.checksum);
    });
    if (error != 0) {
      sums.resize(before);
      return error;
    }
    writeback_.wrote(fd(), part * array.plane_bytes);
  }
  return 0;
}

std::optional<CheckpointPart> CheckpointPart::open(const std::filesystem::path& partial,
                                                   const ArrayPlace& place, int threads) {
  UniqueFd file = open_with_token(partial, place.token);
  if (!file.valid()) return std::nullopt;
  return CheckpointPart(std::move(file), place, threads);
}

std::uint64_t predicted_checkpoint_bytes(const CheckpointTexts& texts,
                                         std::span<const PlaneArray> arrays) {
  std::uint64_t bytes = user_block_bytes + 8192;
  for (const auto& [name, text] : texts) bytes += 1024 + name.size() + text.size();
  for (const PlaneArray& array : arrays) {
    bytes += 8192 + array.bytes() + static_cast<std::uint64_t>(array.planes) * 8;
  }
  return bytes;
}

CheckpointWriter::CheckpointWriter(Place place, const CheckpointTexts& texts,
                                   std::vector<PlaneArray> arrays, int threads)
    : place_(std::move(place)),
      arrays_(std::move(arrays)),
      bytes_(predicted_checkpoint_bytes(texts, arrays_)) {
  check(texts, arrays_);
  writing([&] { make_layout(texts, threads); });
}

CheckpointWriter::~CheckpointWriter() { drop(); }

void CheckpointWriter::make_layout(const CheckpointTexts& texts, int threads) {
  partial_ = std::make_unique<PartialFile>(place_);
  UniqueFd file = partial_->take_fd();
  file_ = create_file_of_hdf5(partial_->path_of(file));
  for (const auto& [name, text] : texts) write_text(file_, name, text);
  const auto planes = make_group(file_, "planes");
  const auto checksums = make_group(file_, "checksums");
  for (const PlaneArray& array : arrays_) {
    const auto count = static_cast<std::uint64_t>(array.planes);
    const auto set = make_dataset(planes, array.name, file_type(array.type),
                                  {count, static_cast<std::uint64_t>(array.values_per_plane)});
    const std::uint64_t offset = hdf5_offset(set);
    block_.arrays.push_back({offset, offset + array.bytes()});
    sum_sets_.push_back(make_dataset(checksums, array.name, H5T_STD_U64LE, {count}));
    sums_.emplace_back(count);
    written_.emplace_back(count);
  }
  hdf5_check(H5Fflush(file_.get(), H5F_SCOPE_GLOBAL));
  values_.emplace(std::move(file), threads);
  hdf5_reserve(file_, values_->fd());
}

// A failure ends the writer.
template <class Work>
void CheckpointWriter::writing(const Work& work) {
  const Hdf5Section section;
  try {
    work();
  } catch (const Hdf5Failure& failure) {
    fail(failure.error);
  } catch (...) {
    drop();
    throw;
  }
}

void CheckpointWriter::require_open() const {
  if (!partial_)
    throw std::logic_error(fmt::format("{}: already closed, or failed", place_.path().string()));
}

void CheckpointWriter::drop() {
  const Hdf5Section section;
  values_.reset();
  sum_sets_.clear();
  file_.reset();
  partial_.reset();
}

void CheckpointWriter::fail(int error) {
  drop();  // first, so that the message counts the space freed by the partial file
  throw_write_error(place_.path(), error, bytes_);
}

void CheckpointWriter::write_planes(std::size_t array, std::int64_t first,
                                    std::span<const std::byte> bytes) {
  require_open();
  std::vector<PlaneSum> sums;
  if (const int error = values_->write(place_of(array), first, bytes, sums)) fail(error);
  add_planes(array, sums);
}

ArrayPlace CheckpointWriter::place_of(std::size_t array) const {
  return {token_.value_or(FileToken{}), block_.arrays.at(array).begin, arrays_[array].plane_bytes(),
          arrays_[array].planes};
}

fs::path CheckpointWriter::partial() const {
  require_open();
  return path_for_others(partial_->path());
}

// Other processes see the file with its token and at its full length.
ArrayPlace CheckpointWriter::share(std::size_t array) {
  require_open();
  if (!token_) {
    token_.emplace();
    // The token takes the place of the user block.
    if (const int error = write_token(values_->fd(), 0, *token_)) fail(error);
  }
  return place_of(array);
}

void CheckpointWriter::add_planes(std::size_t array, std::span<const PlaneSum> planes) {
  require_open();
  for (const auto& [plane, checksum] : planes) {
    if (plane < 0 || plane >= arrays_.at(array).planes) {
      throw std::logic_error(
          fmt::format("checkpoint: {} has no plane {}", arrays_[array].name, plane));
    }
    const auto z = static_cast<std::size_t>(plane);
    if (written_[array][z]) {
      throw std::logic_error(
          fmt::format("checkpoint: plane {} of {} came twice", plane, arrays_[array].name));
    }
    written_[array][z] = true;
    sums_[array][z] = checksum;
  }
}

void CheckpointWriter::close() {
  require_open();
  for (std::size_t a = 0; a < arrays_.size(); ++a) {
    const auto missing = std::count(written_[a].begin(), written_[a].end(), false);
    if (missing == 0) continue;
    throw std::logic_error(
        fmt::format("checkpoint: missing: {} planes of {}", missing, arrays_[a].name));
  }
  writing([&] {
    for (std::size_t a = 0; a < arrays_.size(); ++a) {
      hdf5_check(H5Dwrite(sum_sets_[a].get(), H5T_NATIVE_UINT64, H5S_ALL, H5S_ALL, H5P_DEFAULT,
                          sums_[a].data()));
      hdf5_check(sum_sets_[a].reset());
    }
    hdf5_check(file_.reset());
    seal();
    values_.reset();
    partial_->commit(bytes_);
  });
  drop();
}

// Writes the user block after HDF5 has closed the file.
void CheckpointWriter::seal() {
  struct stat status {};
  if (::fstat(values_->fd(), &status) != 0) throw Hdf5Failure{errno};
  block_.file_bytes = static_cast<std::uint64_t>(status.st_size);
  if (const int error = checksum_rest(values_->fd(), block_, block_.rest_checksum)) {
    throw Hdf5Failure{std::max(error, 0)};
  }
  if (const int error = write_at(values_->fd(), to_bytes(block_), 0)) throw Hdf5Failure{error};
}

}  // namespace lbm::io
