// SPDX-License-Identifier: Apache-2.0
#include "io/hdf5/hdf5_handle.hpp"

#include <fmt/format.h>
#include <hdf5.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <type_traits>

#include "io/files/place.hpp"

namespace lbm::io {
namespace {

static_assert(std::is_same_v<hid_t, std::int64_t> && std::is_same_v<herr_t, int>);

constexpr std::uint64_t most_chunk_bytes = std::uint64_t{256} << 20;
constexpr std::uint64_t most_packed = 1032;  // deflate packs at most so many bytes into one
constexpr std::uint64_t most_text_bytes = std::uint64_t{1} << 20;

// After a failed close (full disk) the file stays half closed in HDF5's tables, and HDF5's exit
// handler would crash on it. All files of ours are closed by then. A parallel HDF5 that is first
// used after MPI_Init() also cleans up in MPI_Finalize(), so it is made ready before. Runs before
// main(), since HDF5 must not be in use yet.
[[maybe_unused]] const herr_t nothing_at_exit = H5dont_atexit();
[[maybe_unused]] const herr_t ready_before_mpi = H5open();

std::recursive_mutex& hdf5_mutex() {
  static std::recursive_mutex mutex;
  return mutex;
}

// The entry of the virtual file driver has the text "..., errno = 28, error message = ...".
herr_t find_errno(unsigned, const H5E_error2_t* entry, void* found) {
  static constexpr char key[] = "errno = ";
  if (const char* text = entry->desc != nullptr ? std::strstr(entry->desc, key) : nullptr)
    *static_cast<int*>(found) = std::atoi(text + sizeof key - 1);
  return 0;
}

// With the errno in HDF5's error stack of the last failed call.
[[noreturn]] void fail() {
  int error = 0;
  H5Ewalk2(H5E_DEFAULT, H5E_WALK_UPWARD, find_errno, &error);
  throw Hdf5Failure{error};
}

struct Attribute {
  Hdf5Handle handle, type;
  H5T_class_t kind = H5T_NO_CLASS;
  std::uint64_t count = 0;  // of values; 0: there is no attribute of that name
};

Attribute open_attribute(const Hdf5Handle& object, const std::string& name) {
  Attribute result;
  if (H5Aexists(object.get(), name.c_str()) <= 0) return result;
  result.handle = hdf5_checked(H5Aopen(object.get(), name.c_str(), H5P_DEFAULT), H5Aclose);
  result.type = hdf5_checked(H5Aget_type(result.handle.get()), H5Tclose);
  result.kind = H5Tget_class(result.type.get());
  const auto space = hdf5_checked(H5Aget_space(result.handle.get()), H5Sclose);
  result.count =
      static_cast<std::uint64_t>(std::max<hssize_t>(H5Sget_simple_extent_npoints(space.get()), 0));
  return result;
}

}  // namespace

void hdf5_check(int result) {
  if (result < 0) fail();
}

Hdf5Handle hdf5_checked(std::int64_t id, Hdf5Handle::Close close) {
  if (id < 0) fail();
  return {id, close};
}

Hdf5Handle hdf5_open(const std::filesystem::path& path) {
  const auto access = hdf5_checked(H5Pcreate(H5P_FILE_ACCESS), H5Pclose);
#if defined(H5_VERSION_GE)
#if H5_VERSION_GE(1, 10, 7)
  // Some file systems have no locks, and no run writes to a complete file.
  hdf5_check(H5Pset_file_locking(access.get(), false, true));
#endif
#endif
  return hdf5_checked(H5Fopen(path.c_str(), H5F_ACC_RDONLY, access.get()), H5Fclose);
}

Hdf5Handle hdf5_group(const Hdf5Handle& parent, const std::string& name) {
  return hdf5_checked(H5Gopen2(parent.get(), name.c_str(), H5P_DEFAULT), H5Gclose);
}

Hdf5Handle hdf5_dataset(const Hdf5Handle& parent, const std::string& name) {
  return hdf5_checked(H5Dopen2(parent.get(), name.c_str(), H5P_DEFAULT), H5Dclose);
}

Hdf5Handle hdf5_type(const Hdf5Handle& dataset) {
  return hdf5_checked(H5Dget_type(dataset.get()), H5Tclose);
}

Hdf5Handle hdf5_properties(const Hdf5Handle& dataset) {
  return hdf5_checked(H5Dget_create_plist(dataset.get()), H5Pclose);
}

std::vector<std::uint64_t> hdf5_shape(const Hdf5Handle& dataset) {
  const auto space = hdf5_checked(H5Dget_space(dataset.get()), H5Sclose);
  std::vector<hsize_t> shape(
      static_cast<std::size_t>(std::max(0, H5Sget_simple_extent_ndims(space.get()))));
  if (!shape.empty()) hdf5_check(H5Sget_simple_extent_dims(space.get(), shape.data(), nullptr));
  return {shape.begin(), shape.end()};
}

Hdf5Handle hdf5_space(const std::vector<std::uint64_t>& shape) {
  const std::vector<hsize_t> sizes(shape.begin(), shape.end());
  return hdf5_checked(H5Screate_simple(static_cast<int>(sizes.size()), sizes.data(), nullptr),
                      H5Sclose);
}

Hdf5Handle hdf5_new_dataset(const Hdf5Handle& parent, const std::string& name, std::int64_t type,
                            const std::vector<std::uint64_t>& shape, const Hdf5Handle& properties) {
  return hdf5_checked(H5Dcreate2(parent.get(), name.c_str(), type, hdf5_space(shape).get(),
                                 H5P_DEFAULT, properties.get(), H5P_DEFAULT),
                      H5Dclose);
}

void hdf5_read(const Hdf5Handle& dataset, std::int64_t type,
               const std::vector<std::uint64_t>& begin, const std::vector<std::uint64_t>& count,
               void* to) {
  const std::vector<hsize_t> first(begin.begin(), begin.end()), sizes(count.begin(), count.end());
  const auto in_file = hdf5_checked(H5Dget_space(dataset.get()), H5Sclose);
  hdf5_check(H5Sselect_hyperslab(in_file.get(), H5S_SELECT_SET, first.data(), nullptr, sizes.data(),
                                 nullptr));
  hdf5_check(H5Dread(dataset.get(), type, hdf5_space(count).get(), in_file.get(), H5P_DEFAULT, to));
}

std::uint64_t hdf5_offset(const Hdf5Handle& dataset) {
  const haddr_t offset = H5Dget_offset(dataset.get());
  if (offset == HADDR_UNDEF) fail();
  return offset;
}

std::uint64_t hdf5_reserve(const Hdf5Handle& file, int fd) {
  hsize_t bytes = 0;
  hdf5_check(H5Fget_filesize(file.get(), &bytes));
  if (const int error = reserve_bytes(fd, bytes)) throw Hdf5Failure{error};
  return bytes;
}

double hdf5_most_bytes(const std::string& name, const Hdf5Handle& dataset,
                       std::uint64_t file_bytes) {
  const auto list = hdf5_properties(dataset);
  const H5D_layout_t layout = H5Pget_layout(list.get());
  const std::uint64_t stored = H5Dget_storage_size(dataset.get());
  if (layout == H5D_COMPACT) return static_cast<double>(stored);
  if (layout == H5D_CONTIGUOUS && H5Pget_external_count(list.get()) == 0) {
    const haddr_t offset = H5Dget_offset(dataset.get());
    return offset < file_bytes ? static_cast<double>(file_bytes - offset) : 0;
  }
  if (layout != H5D_CHUNKED) throw Hdf5Misfit{name + " lies in another file"};
  std::vector<hsize_t> chunk(H5S_MAX_RANK);
  const int rank = H5Pget_chunk(list.get(), H5S_MAX_RANK, chunk.data());
  auto chunk_bytes = static_cast<double>(H5Tget_size(hdf5_type(dataset).get()));
  for (int i = 0; i < rank; ++i) chunk_bytes *= static_cast<double>(chunk[std::size_t(i)]);
  if (!(chunk_bytes <= static_cast<double>(most_chunk_bytes))) {
    throw Hdf5Misfit{
        fmt::format("the chunks of {} have {:.3g} bytes, must have at most {}: write it in smaller "
                    "chunks (h5repack -l CHUNK=64x64x64 FROM TO)",
                    name, chunk_bytes, most_chunk_bytes)};
  }
  return static_cast<double>(std::min(stored, file_bytes)) * most_packed;
}

std::vector<double> hdf5_attribute_numbers(const Hdf5Handle& object, const std::string& name,
                                           std::size_t most) {
  const Attribute attribute = open_attribute(object, name);
  const bool is_number = attribute.kind == H5T_FLOAT || attribute.kind == H5T_INTEGER;
  if (!is_number || attribute.count < 1 || attribute.count > most) return {};
  std::vector<double> values(attribute.count);
  hdf5_check(H5Aread(attribute.handle.get(), H5T_NATIVE_DOUBLE, values.data()));
  return values;
}

std::optional<std::string> hdf5_attribute_text(const Hdf5Handle& object, const std::string& name) {
  const Attribute attribute = open_attribute(object, name);
  if (attribute.kind != H5T_STRING || attribute.count != 1) return std::nullopt;
  const hid_t type = attribute.type.get();
  if (H5Tis_variable_str(type) > 0) {
    char* text = nullptr;
    hdf5_check(H5Aread(attribute.handle.get(), type, &text));
    std::string result = text != nullptr ? text : "";
    H5free_memory(text);
    return result;
  }
  const std::size_t size = H5Tget_size(type);
  if (size > most_text_bytes) return std::nullopt;
  std::string result(size, '\0');
  hdf5_check(H5Aread(attribute.handle.get(), type, result.data()));
  result.resize(std::min(result.find('\0'), result.size()));
  return result;
}

Hdf5Section::Hdf5Section() : lock_(hdf5_mutex()) {
  H5Eget_auto2(H5E_DEFAULT, &print_, &print_data_);
  H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr);
}

Hdf5Section::~Hdf5Section() { H5Eset_auto2(H5E_DEFAULT, print_, print_data_); }

}  // namespace lbm::io
