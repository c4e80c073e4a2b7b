// SPDX-License-Identifier: Apache-2.0

// Reads VTKHDF images plane by plane, those of lbm and those of other programs.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <span>
#include <string>

#include "io/hdf5/hdf5_handle.hpp"
#include "io/image/image.hpp"

namespace lbm::io {

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
