// SPDX-License-Identifier: Apache-2.0

// Checkpoint files: their layout, the writer, which leaves a complete file or none, and the reader,
// which verifies everything.
//
// An HDF5 file behind a user block of 4096 bytes:
//   /NAME            texts, as strings of fixed length
//   /planes/NAME     arrays [planes][values], contiguous, without filters
//   /checksums/NAME  uint64 [planes]: the Checksum of each plane
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "io/files/place.hpp"
#include "io/hdf5/hdf5_handle.hpp"

namespace lbm::io {

enum class ElementType { uint16, float32, float64 };

constexpr std::size_t bytes_of(ElementType type) {
  return type == ElementType::uint16 ? 2 : type == ElementType::float32 ? 4 : 8;
}

// An array larger than memory: `planes` pieces of equal size.
struct PlaneArray {
  std::string name;  // letters, digits and `_`
  ElementType type = ElementType::float32;
  std::int64_t planes = 0, values_per_plane = 0;

  std::size_t plane_bytes() const {
    return static_cast<std::size_t>(values_per_plane) * bytes_of(type);
  }
  std::uint64_t bytes() const { return static_cast<std::uint64_t>(planes) * plane_bytes(); }
  bool operator==(const PlaneArray&) const = default;
};

// Internal to the sources of this room.
namespace checkpoint {

// Bytes that are written, or read, and checksummed at a time: they stay in a core's cache between
// both.
inline constexpr std::size_t piece_bytes = std::size_t{1} << 18;
inline constexpr std::size_t user_block_bytes = 4096;
inline constexpr std::size_t most_arrays = 100;
inline constexpr std::uint64_t format = 1;  // of the file format

struct ByteRange {
  std::uint64_t begin = 0, end = 0;
  bool operator==(const ByteRange&) const = default;
};

struct UserBlock {
  std::uint64_t format = checkpoint::format;
  std::uint64_t file_bytes = 0;
  std::uint64_t rest_checksum = 0;  // of all bytes outside of the user block and the arrays
  std::vector<ByteRange> arrays;    // in file order
};

using UserBlockBytes = std::array<std::byte, user_block_bytes>;

// Serialises the block, its own checksum last.
UserBlockBytes to_bytes(const UserBlock& block);
// Returns an error text, or "" after filling `block`.
std::string from_bytes(const UserBlockBytes& bytes, UserBlock& block);

// True if all arrays lie in the file behind the user block.
bool ranges_fit(const UserBlock& block);

// Checksum of the bytes outside of the user block and the array ranges. Returns 0 or an errno.
int checksum_rest(int fd, const UserBlock& block, std::uint64_t& sum);

}  // namespace checkpoint

// Place of an array in a partial file. Trivially copyable, so that it can be sent.
struct ArrayPlace {
  FileToken token;  // identifies the file until it is complete
  std::uint64_t offset = 0, plane_bytes = 0;
  std::int64_t planes = 0;
};

struct PlaneSum {
  std::int64_t plane = 0;
  std::uint64_t checksum = 0;
  bool operator==(const PlaneSum&) const = default;
};

namespace checkpoint {

class PlanesWriter {
 public:
  // file: open for writing. threads: writing threads, 0 for a suitable number.
  PlanesWriter(UniqueFd file, int threads);

  // Writes planes first, first + 1, ... of an array, contiguous in `bytes`, and appends their
  // checksums to `sums`. Returns 0 or an errno. Throws std::logic_error for planes outside the
  // array.
  int write(const ArrayPlace& array, std::int64_t first, std::span<const std::byte> bytes,
            std::vector<PlaneSum>& sums);

  int fd() const { return file_.get(); }

 private:
  UniqueFd file_;
  int threads_;
  EarlyWriteback writeback_;
};

}  // namespace checkpoint

// Opened from CheckpointWriter::partial and ::share, in any process that reaches the file. Memory:
// 16 bytes for each plane written.
class CheckpointPart {
 public:
  // Empty if the path leads to no writable file or to a different one. threads: writing threads, 0
  // for a suitable number.
  static std::optional<CheckpointPart> open(const std::filesystem::path& partial,
                                            const ArrayPlace& place, int threads = 0);

  // As PlanesWriter::write.
  int write_planes(std::int64_t first, std::span<const std::byte> bytes) {
    return values_.write(place_, first, bytes, sums_);
  }
  // Flushes all written planes to the disk, visible to every host. Returns 0 or an errno. The
  // process that created the file syncs its length, which is fixed.
  int sync() const { return sync_to_disk(values_.fd()); }
  // Checksums of all written planes, for CheckpointWriter::add_planes.
  std::span<const PlaneSum> sums() const { return sums_; }

 private:
  CheckpointPart(UniqueFd file, const ArrayPlace& place, int threads)
      : place_(place), values_(std::move(file), threads) {}

  ArrayPlace place_;
  checkpoint::PlanesWriter values_;
  std::vector<PlaneSum> sums_;
};

// Texts by name ("header", "state"); the caller defines their content.
using CheckpointTexts = std::map<std::string, std::string>;

// Upper bound of the file size in bytes.
std::uint64_t predicted_checkpoint_bytes(const CheckpointTexts& texts,
                                         std::span<const PlaneArray> arrays);

// Writes `<place>.partial` and renames it in close(), once it is safely on the disk. A writer that
// fails or is not closed leaves no file and keeps an older file there. Memory: 8 bytes per
// plane.
class CheckpointWriter {
 public:
  // Reserves the space of the whole file. threads: writing threads, 0 for a suitable number. Throws
  // ResourceError for a directory or disk that cannot take the file (with the bytes needed), and
  // std::invalid_argument for invalid or duplicate names and empty arrays.
  CheckpointWriter(Place place, const CheckpointTexts& texts, std::vector<PlaneArray> arrays,
                   int threads = 0);
  ~CheckpointWriter();
  CheckpointWriter(CheckpointWriter&&) noexcept = default;

  // Writes planes first, first + 1, ... of an array, contiguous in `bytes`, in any order, each
  // once. Several planes a call are shared among the threads. Throws ResourceError;
  // std::logic_error for a plane written before or outside the array.
  void write_planes(std::size_t array, std::int64_t first, std::span<const std::byte> bytes);

  // For other processes that write planes of an array (CheckpointPart): path of the partial file,
  // absolute if the working directory is known, and place of the array in it. share() throws
  // ResourceError.
  std::filesystem::path partial() const;
  ArrayPlace share(std::size_t array);
  // Registers planes that other processes have written and synced. Throws std::logic_error as
  // write_planes().
  void add_planes(std::size_t array, std::span<const PlaneSum> planes);
  // Fails with an errno met by another process, as if it had occurred here.
  [[noreturn]] void fail(int error);

  // Syncs and renames. Throws ResourceError; std::logic_error for missing planes.
  void close();

  std::uint64_t bytes() const { return bytes_; }

 private:
  template <class Work>
  void writing(const Work& work);
  void make_layout(const CheckpointTexts& texts, int threads);
  void seal();
  ArrayPlace place_of(std::size_t array) const;
  void require_open() const;
  void drop();

  Place place_;
  std::vector<PlaneArray> arrays_;
  std::uint64_t bytes_;                   // predicted
  std::unique_ptr<PartialFile> partial_;  // null after close or failure; removed after all below
  checkpoint::UserBlock block_;
  std::vector<std::vector<std::uint64_t>> sums_;  // by array and plane
  std::vector<std::vector<bool>> written_;
  // HDF5 creates the layout; values bypass it and go straight to the offsets it assigned.
  Hdf5Handle file_;
  std::vector<Hdf5Handle> sum_sets_;
  std::optional<checkpoint::PlanesWriter> values_;
  std::optional<FileToken> token_;  // only of a shared file
};

class CheckpointReader {
 public:
  // Checks everything except the planes. Throws UsageError, one line that starts with the path, for
  // a file that is missing, foreign, truncated or damaged.
  explicit CheckpointReader(std::filesystem::path path);

  const std::filesystem::path& path() const { return path_; }
  std::uint64_t bytes() const { return block_.file_bytes; }
  // A checksum of texts and of the checksums of all planes.
  std::uint64_t identity() const { return block_.rest_checksum; }
  // Empty if the file has no such text.
  std::string text(const std::string& name) const;
  const std::vector<PlaneArray>& arrays() const { return arrays_; }
  std::optional<std::size_t> find(const std::string& name) const;

  // Reads and verifies one plane; thread-safe. Throws UsageError if it is damaged or unreadable;
  // `to` is undefined then.
  void read_plane(std::size_t array, std::int64_t plane, std::span<std::byte> to) const;

 private:
  [[noreturn]] void refuse(const std::string& why) const;
  void read_user_block();
  void read_contents();

  std::filesystem::path path_;
  UniqueFd file_;
  checkpoint::UserBlock block_;
  CheckpointTexts texts_;
  std::vector<PlaneArray> arrays_;
  std::vector<std::vector<std::uint64_t>> sums_;  // by array and plane
};

}  // namespace lbm::io
