// SPDX-License-Identifier: Apache-2.0

// Images (fields on a regular grid of points) as files for ParaView. One file, or one set of
// pieces, holds one time of one output.
#pragma once

#include <array>
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

#include "io/files/file_token.hpp"
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

}  // namespace lbm::io
