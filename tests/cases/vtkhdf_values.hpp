// SPDX-License-Identifier: Apache-2.0

// Values of a VTKHDF file, read with HDF5.
#pragma once

#include <gtest/gtest.h>
#include <hdf5.h>

#include <filesystem>
#include <string>
#include <vector>

namespace lbm::cases::test {

struct Values {
  std::vector<hsize_t> shape;  // [nz][ny][nx] or [nz][ny][nx][components]
  std::vector<float> values;

  // z: in the file.
  float at(hsize_t x, hsize_t y, hsize_t z, hsize_t component = 0) const {
    const hsize_t width = shape.size() > 3 ? shape[3] : 1;
    return values[((z * shape[1] + y) * shape[2] + x) * width + component];
  }
};

inline Values values_of(const std::filesystem::path& file, const std::string& array) {
  Values result;
  const hid_t id = H5Fopen(file.c_str(), H5F_ACC_RDONLY, H5P_DEFAULT);
  const hid_t data =
      id < 0 ? -1 : H5Dopen2(id, ("/VTKHDF/PointData/" + array).c_str(), H5P_DEFAULT);
  if (data < 0) {
    ADD_FAILURE() << file << " has no " << array;
    return result;
  }
  const hid_t space = H5Dget_space(data);
  result.shape.resize(static_cast<std::size_t>(H5Sget_simple_extent_ndims(space)));
  H5Sget_simple_extent_dims(space, result.shape.data(), nullptr);
  hsize_t count = 1;
  for (const hsize_t n : result.shape) count *= n;
  result.values.resize(count);
  EXPECT_GE(H5Dread(data, H5T_NATIVE_FLOAT, H5S_ALL, H5S_ALL, H5P_DEFAULT, result.values.data()),
            0);
  H5Sclose(space);
  H5Dclose(data);
  H5Fclose(id);
  return result;
}

inline std::vector<double> attribute_of(const std::filesystem::path& file,
                                        const std::string& name) {
  std::vector<double> values(3);
  const hid_t id = H5Fopen(file.c_str(), H5F_ACC_RDONLY, H5P_DEFAULT);
  const hid_t attribute = H5Aopen_by_name(id, "/VTKHDF", name.c_str(), H5P_DEFAULT, H5P_DEFAULT);
  EXPECT_GE(H5Aread(attribute, H5T_NATIVE_DOUBLE, values.data()), 0) << file << " " << name;
  H5Aclose(attribute);
  H5Fclose(id);
  return values;
}

}  // namespace lbm::cases::test
