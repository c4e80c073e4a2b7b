#include "io/checkpoint_writer.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <stdexcept>
#include <system_error>
#include <thread>

#include "io/checksum.hpp"
#include "io/hdf5_handle.hpp"
#include "io/piece_writer.hpp"

namespace lbm::io {
namespace fs = std::filesystem;
using namespace checkpoint;

namespace {

// As for fields: what the system keeps until the end, the sync has to wait for.
constexpr std::uint64_t writeback_bytes = std::uint64_t{64} << 20;
// A piece stays in a core's cache between its checksum and its way to the file.
constexpr std::size_t piece_bytes = std::size_t{1} << 18;
static_assert(piece_bytes % Checksum::block == 0);

hid_t file_type(ElementType type) {
  if (type == ElementType::uint16) return H5T_STD_U16LE;
  return type == ElementType::float32 ? H5T_IEEE_F32LE : H5T_IEEE_F64LE;
}

// Of what all versions from 1.10 on read, the one whose metadata has checksums of HDF5's own, too.
Hdf5Handle create_file_of_hdf5(const fs::path& path) {
  const auto access = hdf5_checked(H5Pcreate(H5P_FILE_ACCESS), H5Pclose);
  hdf5_check(H5Pset_fclose_degree(access.get(), H5F_CLOSE_STRONG));
  hdf5_check(H5Pset_libver_bounds(access.get(), H5F_LIBVER_V110, H5F_LIBVER_V110));
  const auto creation = hdf5_checked(H5Pcreate(H5P_FILE_CREATE), H5Pclose);
  hdf5_check(H5Pset_userblock(creation.get(), user_block_bytes));
  return hdf5_checked(H5Fcreate(path.c_str(), H5F_ACC_TRUNC, creation.get(), access.get()),
                      H5Fclose);
}

Hdf5Handle make_group(hid_t parent, const char* name) {
  return hdf5_checked(H5Gcreate2(parent, name, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT), H5Gclose);
}

// Contiguous, its place fixed now; no fill values: all of it is written.
Hdf5Handle make_dataset(hid_t parent, const std::string& name, hid_t type,
                        std::span<const hsize_t> shape) {
  const auto properties = hdf5_checked(H5Pcreate(H5P_DATASET_CREATE), H5Pclose);
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
  const auto dataset = hdf5_checked(H5Dcreate2(file, name.c_str(), type.get(), space.get(),
                                               H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT),
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

// HDF5 makes the layout; the values go past it, straight to the places that it gave them.
class CheckpointWriter::File {
 public:
  File(fs::path partial, const CheckpointTexts& texts, std::vector<PlaneArray> arrays, int threads)
      : partial_(std::move(partial)),
        threads_(threads > 0 ? threads : writer_threads()),
        arrays_(std::move(arrays)) {
    try {
      make_layout(texts);
      values_ = UniqueFd(::open(partial_.c_str(), O_RDWR | O_CLOEXEC));
      if (!values_.valid()) throw Hdf5Failure{errno};
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

  // Returns 0 or an errno.
  int write_planes(std::size_t array, std::int64_t first, std::span<const std::byte> bytes) {
    const std::size_t plane_bytes = arrays_.at(array).plane_bytes();
    const auto count = static_cast<std::int64_t>(bytes.size() / plane_bytes);
    if (bytes.size() % plane_bytes != 0 || first < 0 || first + count > arrays_[array].planes) {
      throw std::logic_error(fmt::format("checkpoint: {} has no planes {} to {}",
                                         arrays_[array].name, first, first + count - 1));
    }
    for (std::int64_t z = first; z < first + count; ++z) mark(array, z);
    // Groups, so that the disk gets to work early.
    const auto group = std::max<std::size_t>(1, writeback_bytes / plane_bytes) * plane_bytes;
    for (std::size_t at = 0; at < bytes.size(); at += group) {
      const auto part = bytes.subspan(at, std::min(group, bytes.size() - at));
      const auto begin = first + static_cast<std::int64_t>(at / plane_bytes);
      if (const int error = write_group(array, begin, part)) return error;
      waiting_bytes_ += part.size();
      if (waiting_bytes_ < writeback_bytes) continue;
      start_writeback(values_.get());
      waiting_bytes_ = 0;
    }
    return 0;
  }

  void check_complete() const {
    for (std::size_t a = 0; a < arrays_.size(); ++a) {
      const auto missing = std::count(written_[a].begin(), written_[a].end(), false);
      if (missing == 0) continue;
      throw std::logic_error(
          fmt::format("checkpoint: {} planes of {} never came", missing, arrays_[a].name));
    }
  }

  void commit(const fs::path& path, std::uint64_t bytes) {
    for (std::size_t a = 0; a < arrays_.size(); ++a) {
      hdf5_check(H5Dwrite(sum_sets_[a].get(), H5T_NATIVE_UINT64, H5S_ALL, H5S_ALL, H5P_DEFAULT,
                          sums_[a].data()));
      hdf5_check(sum_sets_[a].reset());
    }
    hdf5_check(file_.reset());
    seal();
    values_.reset();
    commit_file(partial_, path, bytes);
    committed_ = true;
  }

 private:
  void make_layout(const CheckpointTexts& texts) {
    file_ = create_file_of_hdf5(partial_);
    for (const auto& [name, text] : texts) write_text(file_.get(), name, text);
    const auto planes = make_group(file_.get(), "planes");
    const auto checksums = make_group(file_.get(), "checksums");
    for (const PlaneArray& array : arrays_) {
      const std::array<hsize_t, 2> shape{static_cast<hsize_t>(array.planes),
                                         static_cast<hsize_t>(array.values_per_plane)};
      const auto set = make_dataset(planes.get(), array.name, file_type(array.type), shape);
      const haddr_t offset = H5Dget_offset(set.get());
      if (offset == HADDR_UNDEF) throw Hdf5Failure{hdf5_errno()};
      block_.arrays.push_back({offset, offset + array.bytes()});
      sum_sets_.push_back(
          make_dataset(checksums.get(), array.name, H5T_STD_U64LE, std::span(shape).first<1>()));
      sums_.emplace_back(static_cast<std::size_t>(array.planes));
      written_.emplace_back(static_cast<std::size_t>(array.planes));
    }
    hdf5_check(H5Fflush(file_.get(), H5F_SCOPE_GLOBAL));
  }

  // HDF5 only moves the end of the file: the blocks are still to be had from the disk.
  void reserve() {
    hsize_t bytes = 0;
    hdf5_check(H5Fget_filesize(file_.get(), &bytes));
    if (const int error = reserve_bytes(values_.get(), bytes)) throw Hdf5Failure{error};
  }

  // The user block, when HDF5 has done with the file.
  void seal() {
    struct stat status {};
    if (::fstat(values_.get(), &status) != 0) throw Hdf5Failure{errno};
    block_.file_bytes = static_cast<std::uint64_t>(status.st_size);
    if (const int error = checksum_rest(values_.get(), block_, block_.rest_checksum)) {
      throw Hdf5Failure{std::max(error, 0)};
    }
    if (const int error = write_at(values_.get(), to_bytes(block_), 0)) throw Hdf5Failure{error};
  }

  void mark(std::size_t array, std::int64_t plane) {
    auto written = written_[array][static_cast<std::size_t>(plane)];
    if (written) {
      throw std::logic_error(
          fmt::format("checkpoint: plane {} of {} came twice", plane, arrays_[array].name));
    }
    written = true;
  }

  int write_group(std::size_t array, std::int64_t first, std::span<const std::byte> bytes) {
    const std::size_t plane_bytes = arrays_[array].plane_bytes();
    const std::size_t count = bytes.size() / plane_bytes;
    std::atomic<std::size_t> next = 0;
    std::atomic<int> failed = 0;
    const auto work = [&] {
      for (std::size_t i = next++; i < count && failed == 0; i = next++) {
        const auto plane = first + static_cast<std::int64_t>(i);
        if (const int error =
                write_plane(array, plane, bytes.subspan(i * plane_bytes, plane_bytes))) {
          failed = error;
        }
      }
    };
    std::vector<std::jthread> helpers;
    try {
      for (std::size_t i = 1; i < std::min<std::size_t>(count, static_cast<std::size_t>(threads_));
           ++i)
        helpers.emplace_back(work);
    } catch (const std::system_error&) {  // the system gives no more threads: fewer do as well
    }
    work();
    helpers.clear();  // waits
    return failed;
  }

  int write_plane(std::size_t array, std::int64_t plane, std::span<const std::byte> bytes) {
    Checksum sum;
    std::uint64_t offset =
        block_.arrays[array].begin + static_cast<std::uint64_t>(plane) * bytes.size();
    for (std::size_t at = 0; at < bytes.size(); at += piece_bytes) {
      const auto piece = bytes.subspan(at, std::min(piece_bytes, bytes.size() - at));
      sum.add(piece);
      if (const int error = write_at(values_.get(), piece, offset + at)) return error;
    }
    sums_[array][static_cast<std::size_t>(plane)] = sum.value();
    return 0;
  }

  void discard() {
    values_.reset();
    sum_sets_.clear();
    file_.reset();
    if (!committed_) ::unlink(partial_.c_str());
  }

  fs::path partial_;
  int threads_;
  std::vector<PlaneArray> arrays_;
  UserBlock block_;
  std::vector<std::vector<std::uint64_t>> sums_;  // by array and plane
  std::vector<std::vector<bool>> written_;
  Hdf5Handle file_;
  std::vector<Hdf5Handle> sum_sets_;
  UniqueFd values_;
  std::uint64_t waiting_bytes_ = 0;  // since the last start_writeback
  bool committed_ = false;
};

CheckpointWriter::CheckpointWriter(fs::path path, const CheckpointTexts& texts,
                                   std::vector<PlaneArray> arrays, int threads)
    : path_(std::move(path)) {
  check(texts, arrays);
  bytes_ = predicted_checkpoint_bytes(texts, arrays);
  const Hdf5Section section;
  try {
    file_ = std::make_unique<File>(partial_name(path_), texts, std::move(arrays), threads);
  } catch (const Hdf5Failure& failure) {
    fail(failure.error);
  }
}

CheckpointWriter::~CheckpointWriter() = default;
CheckpointWriter::CheckpointWriter(CheckpointWriter&&) noexcept = default;

CheckpointWriter::File& CheckpointWriter::open_file() {
  if (!file_) throw std::logic_error(fmt::format("{}: already closed, or failed", path_.string()));
  return *file_;
}

void CheckpointWriter::fail(int error) {
  file_.reset();  // first: the message should count the space that the partial file gives back
  throw_write_error(path_, error, bytes_);
}

void CheckpointWriter::write_planes(std::size_t array, std::int64_t first,
                                    std::span<const std::byte> bytes) {
  if (const int error = open_file().write_planes(array, first, bytes)) fail(error);
}

void CheckpointWriter::close() {
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
