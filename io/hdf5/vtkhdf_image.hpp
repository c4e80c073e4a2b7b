// SPDX-License-Identifier: Apache-2.0

// VTKHDF image files: written by one process or by several, and read plane by plane, those of lbm
// and those of other programs; the HDF5 library that makes them.
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

#include "io/files/place.hpp"
#include "io/hdf5/hdf5_handle.hpp"
#include "io/image/image.hpp"

namespace lbm::io {

// An array in the file, little endian: contiguous, or in shuffled and deflated chunks of rows of a
// plane.
struct VtkhdfDataset {
  Hdf5Handle handle;
  int chunk_rows = 0;        // rows per chunk; 0: contiguous
  std::uint64_t offset = 0;  // bytes from the start of the file; contiguous arrays only
};

// Creates the file (replacing another), its groups, attributes and datasets, and flushes;
// afterwards only values are written. Contiguous datasets are allocated. geometry: as in the file
// (thickened()). Throws Hdf5Failure.
Hdf5Handle create_vtkhdf_file(const std::filesystem::path& path);
std::vector<VtkhdfDataset> create_vtkhdf_layout(const Hdf5Handle& file,
                                                const ImageGeometry& geometry,
                                                std::span<const ArrayInfo> arrays,
                                                const FieldInfo& info, int compression);

// Rows per chunk, about 256 KiB: planes of any size give every thread something to compress, and
// readers of a part unpack little more than that part.
int vtkhdf_chunk_rows(const ImageGeometry& geometry, const ArrayInfo& array);

// Upper bound of the file size in bytes; without compression within 64 KiB of it.
std::uint64_t predicted_vtkhdf_bytes(const ImageGeometry& geometry,
                                     std::span<const ArrayInfo> arrays, const FieldInfo& info,
                                     int compression);

// Such as "1.10.8".
std::string hdf5_version();

// Writes planes of an uncompressed image to the offsets of its arrays.
class VtkhdfValues {
 public:
  // fd must outlive the object; offsets: of the arrays in the file; threads: 0 for a suitable
  // number.
  VtkhdfValues(int fd, const ImageGeometry& geometry, std::span<const ArrayInfo> arrays,
               std::vector<std::uint64_t> offsets, int threads);

  // Returns 0 or an errno. Checks nothing; PlanesSeen does.
  int write_plane(int z, std::span<const std::span<const float>> arrays);

 private:
  int fd_;
  std::vector<ArrayInfo> arrays_;
  std::vector<std::uint64_t> offsets_;
  FlatPlanes flat_;
  PieceWriter pieces_;
  std::vector<FloatBlock> blocks_;  // of the current call
  EarlyWriteback writeback_;
};

// ImageWriter for `place`. Flat images are thickened (io/image/image.hpp). HDF5 creates the layout.
// Values bypass HDF5, which would write and compress them in one thread: they go straight to their
// offsets, or with compression as packed chunks.
class VtkhdfImage final : public ImageWriter {
 public:
  VtkhdfImage(const Place& place, const ImageGeometry& geometry, std::span<const ArrayInfo> arrays,
              const FieldInfo& info, const ImageOptions& options);
  ~VtkhdfImage() override { drop(); }

  void write_plane(int z, std::span<const std::span<const float>> arrays) override;
  std::optional<ImagePlace> share() override;
  void add_plane(int z) override;
  [[noreturn]] void end_with(int error) override;
  void close() override;

 private:
  template <class Work>
  void or_end(const Work& work);
  void make(const FieldInfo& info, const ImageOptions& options);
  void write_packed(int z, std::span<const std::span<const float>> planes);
  std::vector<std::uint64_t> offsets() const;
  void require_open() const;
  void drop();

  ImageGeometry geometry_;
  std::vector<ArrayInfo> arrays_;
  PlanesSeen seen_;
  std::uint64_t bytes_;                   // predicted
  std::unique_ptr<PartialFile> partial_;  // null after close or failure; removed after all below
  UniqueFd fd_;
  Hdf5Handle file_;
  std::vector<VtkhdfDataset> datasets_;
  std::uint64_t reserved_ = 0;  // bytes of the file, without compression
  bool shared_ = false;
  std::optional<VtkhdfValues> values_;  // without compression
  std::optional<ChunkPacker> packer_;   // with compression; and these, too
  FlatPlanes flat_;
  std::vector<Chunk> chunks_;  // of the current call
  EarlyWriteback writeback_;
};

// Writes planes into an image file that another process has created.
class VtkhdfPart {
 public:
  // Opened from ImageWriter::share. Empty if the path leads to no writable file or to a different
  // one. geometry, arrays: those of the image. threads: as in ImageOptions.
  static std::optional<VtkhdfPart> open(const ImagePlace& place, const ImageGeometry& geometry,
                                        std::span<const ArrayInfo> arrays, int threads = 0);

  // As ImageWriter::write_plane, but returns 0 or an errno.
  int write_plane(int z, std::span<const std::span<const float>> arrays);
  // Flushes all written planes to the disk, visible to every host. Returns 0 or an errno.
  int sync() const { return sync_to_disk(file_.get()); }

 private:
  VtkhdfPart(UniqueFd file, const ImageGeometry& geometry, std::span<const ArrayInfo> arrays)
      : file_(std::move(file)), seen_(geometry, arrays) {}

  UniqueFd file_;
  PlanesSeen seen_;
  std::unique_ptr<VtkhdfValues> values_;
};

// An open image file. The file is untrusted: sizes that it claims are compared with its own size
// before memory is taken, and links to other files are refused. All functions throw UsageError, one
// line with the path, for a file that is no VTKHDF image or that cannot be read. Any thread may
// call them; HDF5 lets one work at a time.
class VtkhdfReader {
 public:
  // Opens the file, which stays open as long as the object lives, and reads its geometry.
  explicit VtkhdfReader(std::filesystem::path path);
  ~VtkhdfReader();
  VtkhdfReader(const VtkhdfReader&) = delete;
  VtkhdfReader& operator=(const VtkhdfReader&) = delete;

  const std::filesystem::path& path() const { return path_; }
  // As in the file: a slice has two points across (io/image/image.hpp). Each axis has at most
  // 2^31 - 1 points.
  const ImageGeometry& geometry() const { return geometry_; }

  // Attributes of the image; empty where the file has none of that name and type.
  std::optional<double> number(const std::string& name) const;
  std::optional<std::string> text(const std::string& name) const;

  // Components of an array of floating-point numbers at the points, 1 to 9; 0: there is no such
  // array. Throws UsageError for an array whose shape is not that of the image.
  int components(const std::string& array);

  // Reads points [0, points[0]) x [0, points[1]) of plane z: [points[1]][points[0]][components], in
  // float32. Only for an array that components() has found, and points within the image.
  void read_plane(const std::string& array, int z, std::array<int, 2> points,
                  std::span<float> to) const;

 private:
  struct Array {
    Hdf5Handle dataset;
    int components = 0;
    bool has_axis = false;  // of components, in the dataset
  };
  [[noreturn]] void refuse(const std::string& why) const;
  template <class Work>
  auto reading(const Work& work) const;
  Array open_array(const std::string& name) const;

  std::filesystem::path path_;
  std::uint64_t bytes_ = 0;
  Hdf5Handle file_, root_;
  ImageGeometry geometry_{};
  std::map<std::string, Array> arrays_;  // those that components() has found
};

}  // namespace lbm::io
