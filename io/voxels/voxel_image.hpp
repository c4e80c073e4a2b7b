// SPDX-License-Identifier: Apache-2.0

// Images of voxels in files: where a file has its labels, and their reader.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "io/files/place.hpp"
#include "solver/core/time_limit.hpp"

namespace lbm::io {

enum class VoxelType : std::uint8_t { uint8, int8, uint16, int16, uint32, int32 };

constexpr auto enum_names(VoxelType) {
  return std::array{"uint8", "int8", "uint16", "int16", "uint32", "int32"};
}

constexpr std::size_t bytes_of(VoxelType type) {
  return type == VoxelType::uint8 || type == VoxelType::int8     ? 1
         : type == VoxelType::uint16 || type == VoxelType::int16 ? 2
                                                                 : 4;
}

// Edges of a voxel along x, y, z as a file tells them; an edge of 0 is not told.
struct VoxelEdges {
  std::array<double, 3> lengths{};
  std::string unit{};  // such as "um"; empty: not told
  double metres = 0;   // of the unit; 0: not told
};

// x is the axis that runs fastest in the file, z the slowest.
struct VoxelFormat {
  // That has the labels: a header may name another one. A folder or a pattern of names for planes
  // in files of their own.
  std::filesystem::path file;
  std::array<std::int64_t, 3> voxels{};  // along x, y, z
  VoxelType type = VoxelType::uint8;
  bool big_endian = false;   // in the file
  std::uint64_t offset = 0;  // of the first label, in bytes
  // Set where the labels do not lie in one file one after the other. Reads the numbers of the plane
  // at z, x fastest, in the type of the image and the byte order of this machine. plane: exactly as
  // many bytes. Any thread may call it. Throws UsageError, one line that begins with the path, if a
  // file has become shorter, has changed or cannot be read.
  std::function<void(std::int64_t z, std::span<std::byte> plane)> source{};
  VoxelEdges edges{};
};

// The largest images that are read.
constexpr std::int64_t most_voxels = std::int64_t{1} << 20;    // along an axis
constexpr std::int64_t most_in_plane = std::int64_t{1} << 28;  // a plane is held in memory

// Voxels of an image: from `first` to before `last`, along x, y, z.
struct VoxelRange {
  std::array<std::int64_t, 3> first{}, last{};
  std::array<std::int64_t, 3> size() const {
    return {last[0] - first[0], last[1] - first[1], last[2] - first[2]};
  }
};

// "0.002 x 0.006 x 0.002 mm"; "?" for an edge that is not told; empty if none is.
std::string text_of(const VoxelEdges& edges);

// Format of a file as the user gives it; the header of the file has the rest. A raw file has no
// header: it needs `voxels`.
struct VoxelHints {
  std::optional<std::array<std::int64_t, 3>> voxels;
  std::optional<VoxelType> type;        // raw: uint8 if empty
  std::optional<bool> big_endian;       // raw: false if empty
  std::optional<std::uint64_t> offset;  // raw: 0 if empty
  std::string dataset{};                // of an HDF5 file; empty: its only one of labels
};

// Calls action(i, label) for each number of `bytes`, in the byte order of this machine.
template <class Action>
void visit_labels(VoxelType type, std::span<const std::byte> bytes, const Action& action) {
  const auto each = [&](auto number) {
    for (std::size_t i = 0; i < bytes.size() / sizeof number; ++i) {
      std::memcpy(&number, bytes.data() + i * sizeof number, sizeof number);
      // The sign of a signed char is meant.
      action(i, static_cast<std::int64_t>(number));  // NOLINT(bugprone-signed-char-misuse)
    }
  };
  switch (type) {
    case VoxelType::uint8:
      return each(std::uint8_t{});
    case VoxelType::int8:
      return each(std::int8_t{});
    case VoxelType::uint16:
      return each(std::uint16_t{});
    case VoxelType::int16:
      return each(std::int16_t{});
    case VoxelType::uint32:
      return each(std::uint32_t{});
    case VoxelType::int32:
      return each(std::int32_t{});
  }
}

// The format of a file: HDF5 if `dataset` is given, else by the ending of its name and by its
// header, else raw, by the hints. A folder, or a pattern such as rock_*.tif, names a stack of
// files. Compares the size of the files with that of the image. Throws UsageError, one line that
// begins with the path, if a file cannot be read, if a hint contradicts the header, or if a file
// has another size than its image.
VoxelFormat find_voxel_format(const std::filesystem::path& path, const VoxelHints& hints);

// A folder, or a name with * or ? in its last part that is not itself the name of a file: names
// files that hold one plane of an image each.
bool names_plane_files(const std::filesystem::path& path);

// True if the program was built with libtiff.
bool reads_tiff();

// The labels of an image, read plane by plane.
class VoxelImage {
 public:
  // Opens the file. Throws UsageError.
  explicit VoxelImage(VoxelFormat format);

  const VoxelFormat& format() const { return format_; }
  // Labels of the plane at z, x fastest: voxels[0] * voxels[1] numbers. May be called from many
  // threads. Throws UsageError, with the path, if the file has become shorter or cannot be read.
  void plane(std::int64_t z, std::span<std::int64_t> labels) const;
  // The same in the type of the image and the byte order of this machine.
  std::vector<std::byte> bytes_of_plane(std::int64_t z) const;
  // The label of one voxel. May be called from many threads. If the format has a source: reads the
  // whole plane, and keeps it until a call for another plane. Throws UsageError.
  std::int64_t label(std::int64_t x, std::int64_t y, std::int64_t z) const;

  // plane: the numbers of the plane at z of the file, as of bytes_of_plane().
  using TakePlane = std::function<void(std::int64_t z, std::span<const std::byte> plane)>;
  // How many voxels of a part have each label. part: not empty, and within the image. Reads each of
  // its planes once, on all threads, and calls take, if there is one, for each, on any of them.
  // Throws UsageError for more than 65,536 labels (an image of grey values), and TimeLimitReached.
  std::map<std::int64_t, std::int64_t> count(const VoxelRange& part, const TimeLimit& limit,
                                             const TakePlane& take = {}) const;
  // The same for the whole image.
  std::map<std::int64_t, std::int64_t> count(const TimeLimit& limit) const {
    return count({{}, format_.voxels}, limit);
  }

 private:
  // So many numbers from that one on, in the byte order of this machine. Throws UsageError.
  std::vector<std::byte> bytes_at(std::uint64_t first, std::size_t count) const;
  // The plane of the last call of label().
  struct Kept {
    std::mutex mutex;
    std::int64_t z = -1;
    std::vector<std::byte> bytes;
  };

  VoxelFormat format_;
  UniqueFd fd_;  // unless the format has a source
  std::unique_ptr<Kept> kept_ = std::make_unique<Kept>();
};

// For the files of this room. All throw UsageError, one line that begins with the path.

// Refuses a plane beyond the limits.
void check_plane(const std::filesystem::path& path, std::uint64_t width, std::uint64_t height);

// lengths: along x, y, z; nan: not told, as in NRRD. unit: as the file writes it, such as "micron";
// a word that is no unit of length, such as "pixel", counts as not told. Refuses other lengths than
// three numbers > 0.
VoxelEdges voxel_edges(const std::filesystem::path& path, std::string_view key,
                       const std::vector<double>& lengths, std::string_view unit);

// The files of a pattern, or all .tif and .tiff files of a folder, hidden files never. Sorted by
// name, in which numbers count as numbers: rock_9.tif comes before rock_10.tif. Refuses none, more
// than an image may have planes, and names whose last numbers do not follow each other evenly: then
// a plane is missing.
std::vector<std::filesystem::path> plane_files(const std::filesystem::path& path);

// The image whose planes are the pages of these TIFF files, in their order; previews and masks do
// not count. The description of the first page, as written by ImageJ, in OME-XML, or by tifffile,
// tells the size of a voxel and how many planes there are. A stack of ImageJ beyond 4 GB has one
// page only, and its planes follow each other behind that page. name: of the image, in messages
// about all files. Refuses images of more than three axes (such as slices and channels), pages of
// different sizes or types, pages without labels, and all where the program was built without
// libtiff.
VoxelFormat tiff_format(const std::filesystem::path& name,
                        const std::vector<std::filesystem::path>& files);

// The dataset of that path in an HDF5 file, such as /labels; empty: the only one of labels. It has
// three axes [z, y, x], or a fourth one of length 1 behind them, and whole numbers of 1, 2 or 4
// bytes, booleans included. In chunks and compressed it is read some planes at a time: at most 128
// MiB of them, and one chunk, are in memory. file_bytes: of the file, which is untrusted: links to
// other files are refused, and sizes compared. Lists the datasets of the file where the path is not
// that of labels.
VoxelFormat hdf5_format(const std::filesystem::path& path, const std::string& dataset,
                        std::uint64_t file_bytes);

}  // namespace lbm::io
