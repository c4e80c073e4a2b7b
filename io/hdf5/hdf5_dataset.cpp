// SPDX-License-Identifier: Apache-2.0
#include "io/hdf5/hdf5_dataset.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace lbm::io {
namespace {

constexpr std::uint64_t most_chunk_bytes = std::uint64_t{256} << 20;
// Deflate packs at most 1032 bytes into one.
constexpr std::uint64_t most_packed = 1032;

}  // namespace

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

std::vector<hsize_t> hdf5_shape(const Hdf5Handle& dataset) {
  const auto space = hdf5_checked(H5Dget_space(dataset.get()), H5Sclose);
  std::vector<hsize_t> shape(
      static_cast<std::size_t>(std::max(0, H5Sget_simple_extent_ndims(space.get()))));
  if (!shape.empty()) hdf5_check(H5Sget_simple_extent_dims(space.get(), shape.data(), nullptr));
  return shape;
}

double hdf5_most_bytes(const std::string& name, const Hdf5Handle& dataset,
                       std::uint64_t file_bytes) {
  const auto type = hdf5_checked(H5Dget_type(dataset.get()), H5Tclose);
  const auto list = hdf5_checked(H5Dget_create_plist(dataset.get()), H5Pclose);
  const std::uint64_t stored = H5Dget_storage_size(dataset.get());
  switch (H5Pget_layout(list.get())) {
    case H5D_COMPACT:
      return static_cast<double>(stored);
    case H5D_CONTIGUOUS: {
      if (H5Pget_external_count(list.get()) != 0) throw Hdf5Misfit{name + " lies in another file"};
      const haddr_t offset = H5Dget_offset(dataset.get());
      return offset < file_bytes ? static_cast<double>(file_bytes - offset) : 0;
    }
    case H5D_CHUNKED: {
      std::vector<hsize_t> chunk(H5S_MAX_RANK);
      const int rank = H5Pget_chunk(list.get(), H5S_MAX_RANK, chunk.data());
      double chunk_bytes = static_cast<double>(H5Tget_size(type.get()));
      for (int i = 0; i < rank; ++i) {
        chunk_bytes *= static_cast<double>(chunk[static_cast<std::size_t>(i)]);
      }
      if (!(chunk_bytes <= static_cast<double>(most_chunk_bytes))) {
        throw Hdf5Misfit{
            fmt::format("the chunks of {} have {:.3g} bytes, must have at most {}: write it "
                        "in smaller chunks (h5repack -l CHUNK=64x64x64 FROM TO)",
                        name, chunk_bytes, most_chunk_bytes)};
      }
      return static_cast<double>(std::min(stored, file_bytes)) * most_packed;
    }
    default:
      throw Hdf5Misfit{name + " lies in another file"};
  }
}

}  // namespace lbm::io
