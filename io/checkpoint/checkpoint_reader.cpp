// SPDX-License-Identifier: Apache-2.0
#include "io/checkpoint/checkpoint.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <hdf5.h>
#include <sys/stat.h>

#include <algorithm>
#include <bit>
#include <cerrno>
#include <cstddef>
#include <cstring>
#include <span>

#include "io/files/checksum.hpp"
#include "io/files/place.hpp"
#include "solver/core/error.hpp"

namespace lbm::io::checkpoint {
namespace {

static_assert(std::endian::native == std::endian::little, "values go to the file as they are");

constexpr std::array magic{'l', 'b', 'm', ' ', 'c', 'h', 'e',  'c',
                           'k', 'p', 'o', 'i', 'n', 't', '\n', '\0'};

// The user block as it lies in the file.
struct Stored {
  std::array<char, 16> magic{};
  std::uint64_t format = 0, file_bytes = 0, rest_checksum = 0, arrays = 0;
  std::array<ByteRange, most_arrays> ranges{};
  std::array<std::uint64_t, 305> unused{};
  std::uint64_t checksum = 0;  // of all above

  std::uint64_t right_checksum() const {
    return io::checksum(std::as_bytes(std::span(this, 1)).first(offsetof(Stored, checksum)));
  }
};
static_assert(sizeof(Stored) == user_block_bytes);

}  // namespace

UserBlockBytes to_bytes(const UserBlock& block) {
  Stored stored{magic, block.format, block.file_bytes, block.rest_checksum, block.arrays.size()};
  std::copy(block.arrays.begin(), block.arrays.end(), stored.ranges.begin());
  stored.checksum = stored.right_checksum();
  return std::bit_cast<UserBlockBytes>(stored);
}

std::string from_bytes(const UserBlockBytes& bytes, UserBlock& block) {
  const auto stored = std::bit_cast<Stored>(bytes);
  if (stored.magic != magic) return "is no checkpoint of lbm";
  if (stored.checksum != stored.right_checksum()) {
    return "is damaged: the checksum of its first block is wrong";
  }
  if (stored.format != format) return "is a checkpoint of another version of lbm";
  const auto count = static_cast<long>(std::min<std::uint64_t>(stored.arrays, most_arrays));
  block = {stored.format, stored.file_bytes, stored.rest_checksum, {}};
  block.arrays.assign(stored.ranges.begin(), stored.ranges.begin() + count);
  return {};
}

bool ranges_fit(const UserBlock& block) {
  return std::all_of(block.arrays.begin(), block.arrays.end(), [&](const ByteRange& array) {
    return array.begin >= user_block_bytes && array.begin <= array.end &&
           array.end <= block.file_bytes;
  });
}

int checksum_rest(int fd, const UserBlock& block, std::uint64_t& sum) {
  std::vector<ByteRange> skipped = block.arrays;
  std::sort(skipped.begin(), skipped.end(),
            [](const ByteRange& a, const ByteRange& b) { return a.begin < b.begin; });
  skipped.push_back({block.file_bytes, block.file_bytes});
  // The buffer of a small file is small: it is cleared for each file.
  std::vector<std::byte> buffer(std::min<std::uint64_t>(block.file_bytes, piece_bytes));
  Checksum rest;
  std::uint64_t at = user_block_bytes;
  for (const ByteRange& next : skipped) {
    for (std::size_t count = 0; at < next.begin; at += count) {
      count = std::min<std::uint64_t>(next.begin - at, buffer.size());
      const auto piece = std::span(buffer).first(count);
      if (const int error = read_at(fd, piece, at)) return error;
      rest.add(piece);
    }
    at = std::max(at, next.end);
  }
  sum = rest.value();
  return 0;
}

}  // namespace lbm::io::checkpoint

namespace lbm::io {
using namespace checkpoint;

namespace {

constexpr std::uint64_t most_text = std::uint64_t{1} << 30;

// True if the array, of the size that the file states, fits in the file. Does not overflow.
bool fits(const PlaneArray& array, std::uint64_t file_bytes) {
  if (array.planes < 1 || array.values_per_plane < 1) return false;
  const std::uint64_t values = file_bytes / bytes_of(array.type);
  const auto planes = static_cast<std::uint64_t>(array.planes);
  return static_cast<std::uint64_t>(array.values_per_plane) <= values / planes;
}

std::vector<std::string> names_in(const Hdf5Handle& group) {
  std::vector<std::string> names;
  const auto add = [](hid_t, const char* name, const H5L_info_t*, void* list) -> herr_t {
    static_cast<std::vector<std::string>*>(list)->emplace_back(name);
    return 0;
  };
  hdf5_check(H5Literate(group.get(), H5_INDEX_NAME, H5_ITER_INC, nullptr, add, &names));
  return names;
}

std::string read_text(const Hdf5Handle& file, const std::string& name, std::uint64_t most) {
  const auto dataset = hdf5_dataset(file, name);
  const auto type = hdf5_type(dataset);
  const std::size_t size = H5Tget_size(type.get());
  if (H5Tget_class(type.get()) != H5T_STRING || size == 0 || size > most) throw Hdf5Failure{0};
  std::string text(size, '\0');
  hdf5_check(H5Dread(dataset.get(), type.get(), H5S_ALL, H5S_ALL, H5P_DEFAULT, text.data()));
  text.resize(std::min(text.size(), text.find_last_not_of('\0') + 1));
  return text;
}

ElementType element_type(const Hdf5Handle& dataset) {
  const auto type = hdf5_type(dataset);
  if (H5Tequal(type.get(), H5T_STD_U16LE) > 0) return ElementType::uint16;
  if (H5Tequal(type.get(), H5T_IEEE_F32LE) > 0) return ElementType::float32;
  if (H5Tequal(type.get(), H5T_IEEE_F64LE) > 0) return ElementType::float64;
  throw Hdf5Failure{0};
}

}  // namespace

CheckpointReader::CheckpointReader(std::filesystem::path path) : path_(std::move(path)) {
  file_ = UniqueFd(::open(path_.c_str(), O_RDONLY | O_CLOEXEC));
  if (!file_.valid()) refuse(fmt::format("cannot be read: {}", std::strerror(errno)));
  read_user_block();
  const Hdf5Section section;
  try {
    read_contents();
  } catch (const Hdf5Failure& failure) {
    refuse(failure.error != 0 ? fmt::format("cannot be read: {}", std::strerror(failure.error))
                              : "is damaged: HDF5 cannot read it");
  }
}

void CheckpointReader::refuse(const std::string& why) const {
  throw UsageError(fmt::format("{}: {}; give another checkpoint", path_.string(), why));
}

void CheckpointReader::read_user_block() {
  struct stat status {};
  if (::fstat(file_.get(), &status) != 0 || !S_ISREG(status.st_mode)) {
    refuse(S_ISDIR(status.st_mode) ? "is a directory, must be a checkpoint" : "is no regular file");
  }
  const auto size = static_cast<std::uint64_t>(status.st_size);
  UserBlockBytes bytes{};
  const auto there = std::min<std::uint64_t>(size, bytes.size());
  if (const int error = read_at(file_.get(), std::span(bytes).first(there), 0)) {
    refuse(fmt::format("cannot be read: {}", std::strerror(std::max(error, 0))));
  }
  const std::string wrong = from_bytes(bytes, block_);
  if (!wrong.empty()) refuse(wrong);
  if (size != block_.file_bytes) {
    refuse(fmt::format("is damaged: it has {} bytes of {}", size, block_.file_bytes));
  }
  if (!ranges_fit(block_)) refuse("is damaged: its first block names places outside the file");
  std::uint64_t sum = 0;
  if (const int error = checksum_rest(file_.get(), block_, sum)) {
    refuse(fmt::format("cannot be read: {}", std::strerror(std::max(error, 0))));
  }
  if (sum != block_.rest_checksum) {
    refuse("is damaged: the checksum of its metadata is wrong");
  }
}

// All checksums are right here: errors below were written into the file.
void CheckpointReader::read_contents() {
  const auto file = hdf5_checked(H5Fopen(path_.c_str(), H5F_ACC_RDONLY, H5P_DEFAULT), H5Fclose);
  for (const std::string& name : names_in(file)) {
    if (name != "planes" && name != "checksums") {
      texts_[name] = read_text(file, name, std::min(most_text, block_.file_bytes));
    }
  }
  const auto planes = hdf5_group(file, "planes");
  const auto checksums = hdf5_group(file, "checksums");
  arrays_.resize(block_.arrays.size());
  sums_.resize(block_.arrays.size());
  for (const std::string& name : names_in(planes)) {
    const auto dataset = hdf5_dataset(planes, name);
    const auto shape = hdf5_shape(dataset);
    if (shape.size() != 2) throw Hdf5Failure{0};
    const PlaneArray array{name, element_type(dataset), static_cast<std::int64_t>(shape[0]),
                           static_cast<std::int64_t>(shape[1])};
    if (!fits(array, block_.file_bytes)) throw Hdf5Failure{0};
    const haddr_t offset = H5Dget_offset(dataset.get());
    const auto place = std::find(block_.arrays.begin(), block_.arrays.end(),
                                 ByteRange{offset, offset + array.bytes()});
    const auto sums = hdf5_dataset(checksums, name);
    if (place == block_.arrays.end() || hdf5_shape(sums) != std::vector{shape[0]}) {
      throw Hdf5Failure{0};
    }
    const auto index = static_cast<std::size_t>(place - block_.arrays.begin());
    arrays_[index] = array;
    sums_[index].resize(shape[0]);
    hdf5_check(
        H5Dread(sums.get(), H5T_NATIVE_UINT64, H5S_ALL, H5S_ALL, H5P_DEFAULT, sums_[index].data()));
  }
  for (const PlaneArray& array : arrays_) {
    if (array.planes == 0) throw Hdf5Failure{0};
  }
}

std::string CheckpointReader::text(const std::string& name) const {
  const auto found = texts_.find(name);
  return found == texts_.end() ? std::string() : found->second;
}

std::optional<std::size_t> CheckpointReader::find(const std::string& name) const {
  for (std::size_t i = 0; i < arrays_.size(); ++i) {
    if (arrays_[i].name == name) return i;
  }
  return std::nullopt;
}

void CheckpointReader::read_plane(std::size_t array, std::int64_t plane,
                                  std::span<std::byte> to) const {
  Checksum sum;
  const std::uint64_t offset =
      block_.arrays.at(array).begin + static_cast<std::uint64_t>(plane) * to.size();
  for (std::size_t at = 0; at < to.size(); at += piece_bytes) {
    const auto piece = to.subspan(at, std::min(piece_bytes, to.size() - at));
    if (const int error = read_at(file_.get(), piece, offset + at)) {
      refuse(error < 0 ? std::string("became shorter while it was read")
                       : fmt::format("cannot be read: {}", std::strerror(error)));
    }
    sum.add(piece);
  }
  if (sum.value() == sums_[array].at(static_cast<std::size_t>(plane))) return;
  refuse(fmt::format("is damaged: the checksum of plane {} of {} is wrong", plane,
                     arrays_[array].name));
}

}  // namespace lbm::io
