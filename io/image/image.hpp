// Images (fields on a regular grid of points) as files that ParaView opens: one file, or one set of
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

namespace lbm::io {

// A regular grid of points in x, y, z order. Lengths are in the units of the case.
struct ImageGeometry {
  std::array<int, 3> points;     // each at least 1; one of them 1: a slice
  std::array<double, 3> origin;  // position of point (0, 0, 0)
  std::array<double, 3> spacing;
};

struct FieldInfo {
  using Attribute = std::pair<std::string, std::variant<std::string, double>>;
  double time = 0;
  std::int64_t step = 0;
  std::vector<Attribute> attributes;  // any length; stored beside `time` and `step`
};

// How values are stored. float16 is IEEE half precision, rounded to nearest even: 11 bits, nothing
// beyond +-65504 (infinity there); vti has no such type and stores these rounded values as float32,
// which only compression makes smaller. uint8 is rounded, and cut off at 0 and 255.
enum class Precision { float32, float16, uint8 };

struct ArrayInfo {
  std::string name;
  int components = 1;
  Precision precision = Precision::float32;
  std::string unit;  // for people; may be empty
};

enum class ImageFormat { vtkhdf, vti };

struct ImageOptions {
  ImageFormat format = ImageFormat::vtkhdf;
  int compression = 0;  // level of deflate: 0 none, 1 fast ... 9 small
  int threads = 0;      // that write or compress, with the caller; 0: as many as suit the machine
  // vti: images of more bytes are written in pieces of about this size (two planes at least). Up
  // to two of them are in memory, and a third while planes begin in the middle of one.
  std::uint64_t piece_bytes = std::uint64_t{256} << 20;
};

// Where other processes may write planes of an image under way (VtkhdfPart).
struct ImagePlace {
  std::filesystem::path file;  // as they understand it
  FileToken token;
  std::vector<std::uint64_t> offsets;  // of the arrays, in bytes
};

// Takes one image, plane by plane. Files grow under `<name>.partial` and get their names in
// close(); a writer that is destroyed unclosed, or that failed, leaves nothing behind and older
// files of these names untouched. Memory: a few planes (vti: one piece). Errors: ResourceError
// from the disk; std::logic_error for wrong calls. Calls to one writer must not overlap; different
// writers may live in different threads.
class ImageWriter {
 public:
  ImageWriter() = default;
  ImageWriter(const ImageWriter&) = delete;
  ImageWriter& operator=(const ImageWriter&) = delete;
  virtual ~ImageWriter() = default;

  // Plane z of every array, in the order of ArrayInfo: values[y][x][component], in the units that
  // the file is to have. Any order of z, each z once. The spans are free again on return.
  virtual void write_plane(int z, std::span<const std::span<const float>> arrays) = 0;

  // Lets other processes write planes; nothing for files that one process has to write (vti,
  // compressed ones). Throws as write_plane() does.
  virtual std::optional<ImagePlace> share() { return std::nullopt; }
  // Of a file that is shared: another process has written and synced plane z.
  virtual void add_plane([[maybe_unused]] int z) { throw std::logic_error("no shared image"); }
  // Ends the writer with an errno that another process met. Throws ResourceError.
  virtual void end_with([[maybe_unused]] int error) { throw std::logic_error("no shared image"); }

  // Checks that every plane came, flushes to the disk and renames.
  virtual void close() = 0;

  // The file to open and to list in a series; pieces lie beside it.
  const std::filesystem::path& path() const { return path_; }

 protected:
  std::filesystem::path path_;
};

// Bytes that one value takes in a file.
int bytes_of(Precision precision);

}  // namespace lbm::io
