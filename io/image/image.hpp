// SPDX-License-Identifier: Apache-2.0

// Images (fields on a regular grid of points) as files for ParaView, and what all writers of them
// share. One file, or one set of pieces, holds one time of one output.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "io/files/place.hpp"
#include "io/files/worker_team.hpp"

namespace lbm::io {

// A regular grid of points, in x, y, z order. Lengths in units of the case.
struct ImageGeometry {
  std::array<int, 3> points;     // at least 1 each; 1: a slice
  std::array<double, 3> origin;  // position of point (0, 0, 0)
  std::array<double, 3> spacing;
};

struct FieldInfo {
  using Attribute = std::pair<std::string, std::variant<std::string, double>>;
  double time = 0;
  std::int64_t step = 0;
  std::vector<Attribute> attributes;  // stored beside `time` and `step`; of any length
};

// Stored type of values. float16: IEEE half precision, rounded to nearest even, 11 bits, infinity
// beyond +-65504. uint8: rounded and clamped to 0 .. 255.
enum class Precision { float32, float16, uint8 };

struct ArrayInfo {
  std::string name;
  int components = 1;
  Precision precision = Precision::float32;
  std::string unit;  // for display; may be empty
};

struct ImageOptions {
  int compression = 0;  // deflate level: 0 none, 1 fast ... 9 small
  int threads = 0;      // to write or compress, including the caller; 0: suitable number
};

// Place in a partial image file where other processes may write planes (VtkhdfPart).
struct ImagePlace {
  std::filesystem::path file;  // absolute path
  FileToken token;
  std::vector<std::uint64_t> offsets;  // of the arrays, in bytes
};

// Writes one image plane by plane. Files grow as `<name>.partial` and are renamed in close(). A
// writer that failed or is destroyed unclosed leaves no files and keeps older ones of these names.
// Memory: a few planes (surfaces: one slab). Throws ResourceError for the disk, std::logic_error
// for wrong calls. Calls to one writer must not overlap; different writers may run in different
// threads.
class ImageWriter {
 public:
  ImageWriter() = default;
  ImageWriter(const ImageWriter&) = delete;
  ImageWriter& operator=(const ImageWriter&) = delete;
  virtual ~ImageWriter() = default;

  // Writes plane z of every array, in the order of ArrayInfo: values[y][x][component], in units of
  // the file. Each z once, in any order. The spans may be reused on return.
  virtual void write_plane(int z, std::span<const std::span<const float>> arrays) = 0;

  // Lets other processes write planes; empty if one process must write the file (surfaces,
  // compression). Throws as write_plane().
  virtual std::optional<ImagePlace> share() { return std::nullopt; }
  // Shared files: another process has written and synced plane z.
  virtual void add_plane([[maybe_unused]] int z) { throw std::logic_error("no shared image"); }
  // Fails with an errno met by another process. Throws ResourceError.
  virtual void end_with([[maybe_unused]] int error) { throw std::logic_error("no shared image"); }

  // Checks that every plane was written, flushes to the disk and renames.
  virtual void close() = 0;

  // The file to open and to list in a series; its pieces lie beside it.
  const std::filesystem::path& path() const { return place_.path(); }

 protected:
  Place place_;
};

// Bytes of one value in a file.
int bytes_of(Precision precision);

// Checks calls to an ImageWriter; throws std::logic_error and its subclasses.
class PlanesSeen {
 public:
  PlanesSeen(const ImageGeometry& geometry, std::span<const ArrayInfo> arrays);

  // Checks plane z before it is written: its index and the size of each array.
  void check(int z, std::span<const std::span<const float>> arrays) const;
  // Checks the index of a plane without data, and adds it.
  void add_once(int z);
  void add(int z) { seen_[static_cast<std::size_t>(z)] = true; }
  void check_complete() const;

 private:
  void check_number(int z) const;

  std::size_t points_;  // of one plane
  std::vector<ArrayInfo> arrays_;
  std::vector<bool> seen_;
};

// Stores contiguous values at `to`: values.size() * bytes_of(precision) bytes.
void store(std::span<const float> values, Precision precision, std::byte* to);

// VTKHDF readers disagree about images that are one point thick: VTK 9.1 and ParaView 5.11 crash on
// most, later ones expect another array shape. A slice is therefore written as one layer of cells:
// two points with equal values, half a spacing before and behind it.

// Geometry of the file; unchanged if no axis has one point only.
ImageGeometry thickened(ImageGeometry geometry);

// Doubles single columns and rows of all arrays [ny][nx][components] of a plane.
class FlatPlanes {
 public:
  FlatPlanes(const ImageGeometry& geometry, std::span<const ArrayInfo> arrays);
  // Valid until the next call, and no longer than `arrays`, which are returned themselves if
  // nothing is to be doubled.
  std::span<const std::span<const float>> doubled(std::span<const std::span<const float>> arrays);
  // Copies of each plane in the file: 2 for an image of one plane, else 1.
  int copies() const { return points_[2] == 1 ? 2 : 1; }

 private:
  std::span<const float> doubled(std::size_t array, std::span<const float> values);

  std::array<int, 3> points_;
  std::vector<int> components_;
  std::vector<std::vector<float>> doubled_;
  std::vector<std::span<const float>> planes_;
};

// Values to store from byte `offset` of the file on, little endian.
struct FloatBlock {
  std::span<const float> values;
  std::uint64_t offset = 0;
  Precision precision = Precision::float32;
};

// Cuts blocks into pieces, which the caller of write() and the helpers convert and write one at a
// time. Several threads write to the file as mapped memory where it may be mapped: most file
// systems serialise other writes to one file.
class PieceWriter {
 public:
  // fd must outlive the writer. threads: at least 1, including the caller.
  PieceWriter(int fd, int threads);

  // Returns when all is written: 0, or the errno of the first failure.
  int write(std::span<const FloatBlock> blocks);

 private:
  struct Piece {
    FloatBlock block;
    std::byte* mapped;  // its place; null: not mapped
  };
  int write_piece(const Piece& piece, std::vector<std::byte>& stored) const;

  int fd_;
  std::vector<Piece> pieces_;                   // of the current call
  std::vector<std::vector<std::byte>> stored_;  // one per worker
  WorkerTeam team_;
};

// A range of a file in memory, to be written there: unlike write(), which most file systems do one
// at a time for a file, threads and processes write to it side by side.
class MappedRange {
 public:
  // Empty where writing to the memory could fail later, which would end the program: unless all
  // blocks of the file, which reaches to the end of the range, are reserved on a local disk (ext4,
  // XFS) or in memory (tmpfs). Also where the system refuses.
  static std::optional<MappedRange> open(int fd, std::uint64_t offset, std::size_t bytes);

  // Address of the first byte of the range.
  std::byte* data() const { return pages_.get() + before_; }

 private:
  struct Unmap {
    std::size_t bytes;
    void operator()(std::byte* pages) const;
  };
  MappedRange(std::byte* pages, std::size_t before, std::size_t bytes)
      : pages_(pages, Unmap{before + bytes}), before_(before) {}

  std::unique_ptr<std::byte, Unmap> pages_;
  std::size_t before_;  // bytes of the first page before the range
};

// A chunk of `elements` values: `values`, then zeros (beyond the edge of the dataset).
struct Chunk {
  std::span<const float> values;
  std::size_t elements = 0;
  Precision precision = Precision::float32;
};

struct PackedChunk {
  std::vector<std::byte> bytes;
  std::uint32_t filter_mask = 0;  // for H5Dwrite_chunk
};

// Applies HDF5's filters shuffle and deflate, in this order, which HDF5 runs in one thread.
class ChunkPacker {
 public:
  // level: 1 to 9. threads: at least 1, including the caller.
  ChunkPacker(int level, int threads);

  // Packs each chunk; packed() is valid until the next call. Chunks that deflate would enlarge are
  // only shuffled. Returns 0 or an errno.
  int pack(std::span<const Chunk> chunks);
  std::span<const PackedChunk> packed() const { return {packed_.data(), count_}; }

 private:
  struct Scratch {
    std::vector<std::byte> stored, shuffled;
  };
  int pack_one(const Chunk& chunk, Scratch& scratch, PackedChunk& packed) const;

  int level_;
  std::size_t count_ = 0;
  std::vector<PackedChunk> packed_;
  std::vector<Scratch> scratch_;  // one per worker
  WorkerTeam team_;
};

}  // namespace lbm::io
