// SPDX-License-Identifier: Apache-2.0
#include "io/hdf5/vtkhdf_layout.hpp"

#include <algorithm>
#include <string_view>

namespace lbm::io {
namespace {

Hdf5Handle add_group(hid_t parent, const char* name) {
  return hdf5_checked(H5Gcreate2(parent, name, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT), H5Gclose);
}

Hdf5Handle make_space(std::span<const hsize_t> shape) {
  const auto rank = static_cast<int>(shape.size());
  return hdf5_checked(H5Screate_simple(rank, shape.data(), nullptr), H5Sclose);
}

void write_attribute(hid_t object, const char* name, hid_t file_type, hid_t memory_type,
                     hid_t space, const void* values) {
  const auto attribute =
      hdf5_checked(H5Acreate2(object, name, file_type, space, H5P_DEFAULT, H5P_DEFAULT), H5Aclose);
  hdf5_check(H5Awrite(attribute.get(), memory_type, values));
}

void write_numbers(hid_t object, const char* name, std::span<const double> values) {
  const hsize_t count = values.size();
  write_attribute(object, name, H5T_IEEE_F64LE, H5T_NATIVE_DOUBLE, make_space({&count, 1}).get(),
                  values.data());
}

void write_numbers(hid_t object, const char* name, std::span<const std::int64_t> values) {
  const hsize_t count = values.size();
  write_attribute(object, name, H5T_STD_I64LE, H5T_NATIVE_INT64, make_space({&count, 1}).get(),
                  values.data());
}

template <typename T>
void write_scalar(hid_t object, const char* name, hid_t file_type, hid_t memory_type, T value) {
  const auto space = hdf5_checked(H5Screate(H5S_SCALAR), H5Sclose);
  write_attribute(object, name, file_type, memory_type, space.get(), &value);
}

// VTK requires the type as a fixed-length ASCII string.
void write_type(hid_t object, std::string_view text) {
  const auto type = hdf5_checked(H5Tcopy(H5T_C_S1), H5Tclose);
  hdf5_check(H5Tset_size(type.get(), text.size()));
  hdf5_check(H5Tset_strpad(type.get(), H5T_STR_NULLPAD));
  const auto space = hdf5_checked(H5Screate(H5S_SCALAR), H5Sclose);
  write_attribute(object, "Type", type.get(), type.get(), space.get(), text.data());
}

// Variable length: such strings live in the file's heap and may exceed the 64 KiB of an object
// header (a whole case file, say).
void write_text(hid_t object, const char* name, const std::string& text) {
  const auto type = hdf5_checked(H5Tcopy(H5T_C_S1), H5Tclose);
  hdf5_check(H5Tset_size(type.get(), H5T_VARIABLE));
  hdf5_check(H5Tset_cset(type.get(), H5T_CSET_UTF8));
  write_scalar(object, name, type.get(), type.get(), text.c_str());
}

void write_geometry(hid_t root, const ImageGeometry& geometry) {
  const std::array<std::int64_t, 2> version{1, 0};
  std::array<std::int64_t, 6> extent{};
  for (std::size_t d = 0; d < 3; ++d) extent[2 * d + 1] = geometry.points[d] - 1;
  const std::array<double, 9> direction{1, 0, 0, 0, 1, 0, 0, 0, 1};
  write_numbers(root, "Version", version);
  write_type(root, "ImageData");
  write_numbers(root, "WholeExtent", extent);
  write_numbers(root, "Origin", geometry.origin);
  write_numbers(root, "Spacing", geometry.spacing);
  write_numbers(root, "Direction", direction);
}

// Stored as attributes, because VTK 9.1 fails on a one-dimensional FieldData/TimeValue. Readers
// take the times from the .series index.
void write_info(hid_t root, const FieldInfo& info) {
  write_scalar(root, "time", H5T_IEEE_F64LE, H5T_NATIVE_DOUBLE, info.time);
  write_scalar(root, "step", H5T_STD_I64LE, H5T_NATIVE_INT64, info.step);
  for (const auto& [name, value] : info.attributes) {
    if (const auto* text = std::get_if<std::string>(&value))
      write_text(root, name.c_str(), *text);
    else
      write_scalar(root, name.c_str(), H5T_IEEE_F64LE, H5T_NATIVE_DOUBLE, std::get<double>(value));
  }
}

// HDF5 names half precision from 1.14.4 on only, but every version converts it.
Hdf5Handle make_type(Precision precision) {
  if (precision == Precision::uint8) return hdf5_checked(H5Tcopy(H5T_STD_U8LE), H5Tclose);
  auto type = hdf5_checked(H5Tcopy(H5T_IEEE_F32LE), H5Tclose);
  if (precision == Precision::float32) return type;
  hdf5_check(H5Tset_fields(type.get(), 15, 10, 5, 0, 10));
  hdf5_check(H5Tset_size(type.get(), 2));
  hdf5_check(H5Tset_ebias(type.get(), 15));
  return type;
}

std::vector<hsize_t> shape_of(const ImageGeometry& geometry, const ArrayInfo& array) {
  const auto [nx, ny, nz] = geometry.points;
  std::vector<hsize_t> shape{static_cast<hsize_t>(nz), static_cast<hsize_t>(ny),
                             static_cast<hsize_t>(nx)};
  if (array.components > 1) shape.push_back(static_cast<hsize_t>(array.components));
  return shape;
}

// Declares the filters for readers; the writer packs chunks itself.
void set_chunks(hid_t properties, std::vector<hsize_t> shape, int rows, int compression) {
  shape[0] = 1;
  shape[1] = static_cast<hsize_t>(rows);
  hdf5_check(H5Pset_chunk(properties, static_cast<int>(shape.size()), shape.data()));
  hdf5_check(H5Pset_shuffle(properties));
  hdf5_check(H5Pset_deflate(properties, static_cast<unsigned>(compression)));
}

VtkhdfDataset make_dataset(hid_t group, const ImageGeometry& geometry, const ArrayInfo& array,
                           int compression) {
  const auto shape = shape_of(geometry, array);
  const auto properties = hdf5_checked(H5Pcreate(H5P_DATASET_CREATE), H5Pclose);
  // No fill values: every plane is written, and filling would write the file twice.
  hdf5_check(H5Pset_fill_time(properties.get(), H5D_FILL_TIME_NEVER));
  // No time stamps, so that equal results are equal bytes.
  hdf5_check(H5Pset_obj_track_times(properties.get(), false));
  VtkhdfDataset dataset;
  if (compression > 0) {
    dataset.chunk_rows = vtkhdf_chunk_rows(geometry, array);
    set_chunks(properties.get(), shape, dataset.chunk_rows, compression);
  } else {
    // Allocated early: fixes the offsets of all planes, and so the file size, before the first
    // write.
    hdf5_check(H5Pset_alloc_time(properties.get(), H5D_ALLOC_TIME_EARLY));
  }
  dataset.handle =
      hdf5_checked(H5Dcreate2(group, array.name.c_str(), make_type(array.precision).get(),
                              make_space(shape).get(), H5P_DEFAULT, properties.get(), H5P_DEFAULT),
                   H5Dclose);
  if (!array.unit.empty()) write_text(dataset.handle.get(), "unit", array.unit);
  if (compression == 0) dataset.offset = hdf5_offset(dataset.handle);
  return dataset;
}

}  // namespace

Hdf5Handle create_vtkhdf_file(const std::filesystem::path& path) {
  const auto access = hdf5_checked(H5Pcreate(H5P_FILE_ACCESS), H5Pclose);
  // Strong: closes the file even if a dataset fails to close (full disk).
  hdf5_check(H5Pset_fclose_degree(access.get(), H5F_CLOSE_STRONG));
  return hdf5_checked(H5Fcreate(path.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, access.get()), H5Fclose);
}

std::vector<VtkhdfDataset> create_vtkhdf_layout(hid_t file, const ImageGeometry& geometry,
                                                std::span<const ArrayInfo> arrays,
                                                const FieldInfo& info, int compression) {
  const auto root = add_group(file, "VTKHDF");
  write_geometry(root.get(), geometry);
  write_info(root.get(), info);
  const auto group = add_group(root.get(), "PointData");
  std::vector<VtkhdfDataset> datasets;
  for (const ArrayInfo& array : arrays)
    datasets.push_back(make_dataset(group.get(), geometry, array, compression));
  hdf5_check(H5Fflush(file, H5F_SCOPE_GLOBAL));
  return datasets;
}

int vtkhdf_chunk_rows(const ImageGeometry& geometry, const ArrayInfo& array) {
  constexpr int chunk_bytes = 1 << 18;
  const std::int64_t row =
      std::int64_t{geometry.points[0]} * array.components * bytes_of(array.precision);
  return static_cast<int>(
      std::clamp<std::int64_t>(chunk_bytes / row, 1, std::int64_t{geometry.points[1]}));
}

}  // namespace lbm::io
