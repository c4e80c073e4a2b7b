// SPDX-License-Identifier: Apache-2.0

// Writes the state of a run into a file that is complete or absent.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "io/checkpoint/checkpoint_layout.hpp"
#include "io/files/place.hpp"
#include "io/hdf5/hdf5_handle.hpp"

namespace lbm::io {

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

}  // namespace lbm::io
