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

#include "io/files/descriptor.hpp"
#include "io/files/place.hpp"

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

}  // namespace lbm::io
