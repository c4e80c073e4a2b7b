#include "io/vtkhdf_layout.hpp"

#include <string_view>

namespace lbm::io {
namespace {

Hdf5Handle make_group(hid_t parent, const char* name) {
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

// VTK wants the type as ASCII of fixed length.
void write_type(hid_t object, std::string_view text) {
  const auto type = hdf5_checked(H5Tcopy(H5T_C_S1), H5Tclose);
  hdf5_check(H5Tset_size(type.get(), text.size()));
  hdf5_check(H5Tset_strpad(type.get(), H5T_STR_NULLPAD));
  const auto space = hdf5_checked(H5Screate(H5S_SCALAR), H5Sclose);
  write_attribute(object, "Type", type.get(), type.get(), space.get(), text.data());
}

// Of variable length: those live in the heap of the file and may be longer than the 64 KiB of an
// object header (a whole case file, say).
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

// As attributes: VTK 9.1 fails on files with a one-dimensional FieldData/TimeValue. Readers learn
// the times of a run from the .series index.
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

Hdf5Handle make_field(hid_t group, const char* name, std::span<const hsize_t> shape) {
  const auto properties = hdf5_checked(H5Pcreate(H5P_DATASET_CREATE), H5Pclose);
  // Early: the place of every plane, and so the size of the file, is fixed before the first one
  // comes. No fill values: every plane is written, and filling would write the file twice.
  hdf5_check(H5Pset_alloc_time(properties.get(), H5D_ALLOC_TIME_EARLY));
  hdf5_check(H5Pset_fill_time(properties.get(), H5D_FILL_TIME_NEVER));
  // The same results are the same bytes, whenever they are written.
  hdf5_check(H5Pset_obj_track_times(properties.get(), false));
  return hdf5_checked(H5Dcreate2(group, name, H5T_IEEE_F32LE, make_space(shape).get(), H5P_DEFAULT,
                                 properties.get(), H5P_DEFAULT),
                      H5Dclose);
}

}  // namespace

Hdf5Handle create_vtkhdf_file(const std::filesystem::path& path) {
  const auto access = hdf5_checked(H5Pcreate(H5P_FILE_ACCESS), H5Pclose);
  // Strong: when a dataset cannot be closed (full disk), the file is closed nevertheless.
  hdf5_check(H5Pset_fclose_degree(access.get(), H5F_CLOSE_STRONG));
  return hdf5_checked(H5Fcreate(path.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, access.get()), H5Fclose);
}

VtkhdfDatasets create_vtkhdf_layout(hid_t file, const ImageGeometry& geometry,
                                    const FieldInfo& info) {
  const auto root = make_group(file, "VTKHDF");
  write_geometry(root.get(), geometry);
  write_info(root.get(), info);
  const auto group = make_group(root.get(), "PointData");
  const auto [nx, ny, nz] = geometry.points;
  const std::array<hsize_t, 4> shape{static_cast<hsize_t>(nz), static_cast<hsize_t>(ny),
                                     static_cast<hsize_t>(nx), 3};
  VtkhdfDatasets datasets{make_field(group.get(), "density", std::span(shape).first<3>()),
                          make_field(group.get(), "velocity", shape)};
  hdf5_check(H5Fflush(file, H5F_SCOPE_GLOBAL));
  return datasets;
}

std::uint64_t offset_in_file(const Hdf5Handle& dataset) {
  const haddr_t offset = H5Dget_offset(dataset.get());
  if (offset == HADDR_UNDEF) throw Hdf5Failure{hdf5_errno()};
  return offset;
}

}  // namespace lbm::io
