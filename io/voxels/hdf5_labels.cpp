// SPDX-License-Identifier: Apache-2.0
#include "io/voxels/hdf5_labels.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <span>
#include <utility>
#include <vector>

#include "io/files/input_file.hpp"
#include "io/hdf5/hdf5_attribute.hpp"
#include "io/voxels/hdf5_datasets.hpp"
#include "io/voxels/voxel_edges.hpp"
#include "io/voxels/voxel_format.hpp"

namespace lbm::io {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t most_slab_bytes = std::size_t{128} << 20;

hid_t native_type(VoxelType type) {
  switch (type) {
    case VoxelType::uint8:
      return H5T_NATIVE_UINT8;
    case VoxelType::int8:
      return H5T_NATIVE_INT8;
    case VoxelType::uint16:
      return H5T_NATIVE_UINT16;
    case VoxelType::int16:
      return H5T_NATIVE_INT16;
    case VoxelType::uint32:
      return H5T_NATIVE_UINT32;
    case VoxelType::int32:
      break;
  }
  return H5T_NATIVE_INT32;
}

void check_filters(const Hdf5Handle& list, const std::string& name) {
  for (int i = 0; i < H5Pget_nfilters(list.get()); ++i) {
    unsigned flags = 0, how = 0;
    std::size_t values = 0;
    std::array<char, 64> filter_name{};
    const H5Z_filter_t filter =
        H5Pget_filter2(list.get(), static_cast<unsigned>(i), &flags, &values, nullptr,
                       filter_name.size(), filter_name.data(), &how);
    if (filter < 0 || H5Zfilter_avail(filter) > 0) continue;
    throw Hdf5Misfit{fmt::format(
        "{} is packed by filter {} ({}), which this HDF5 lacks: pack it anew (h5repack -f GZIP=1 "
        "FROM TO)",
        name, static_cast<int>(filter), filter_name.data())};
  }
}

// How many planes lie in a chunk.
hsize_t planes_of_chunk(const Hdf5Handle& list) {
  if (H5Pget_layout(list.get()) != H5D_CHUNKED) return 1;
  std::vector<hsize_t> chunk(H5S_MAX_RANK);
  if (H5Pget_chunk(list.get(), H5S_MAX_RANK, chunk.data()) < 1) throw Hdf5Failure{hdf5_errno()};
  return std::max<hsize_t>(chunk[0], 1);
}

[[noreturn]] void refuse_failure(const fs::path& path, const Hdf5Failure& failure) {
  if (failure.error != 0) cannot_read(path, failure.error);
  refuse_file(path,
              "is no HDF5 file, or is damaged, cut short, or still open in the program that writes "
              "it: copy or save it again");
}

template <class Work>
auto reading(const fs::path& path, const Work& work) {
  const Hdf5Section section;
  try {
    return work();
  } catch (const Hdf5Misfit& misfit) {
    refuse_file(path, misfit.why);
  } catch (const Hdf5Failure& failure) {
    refuse_failure(path, failure);
  }
}

// Keeps the planes of a chunk, so that each chunk is unpacked once where planes are read in order.
class Hdf5Labels final : public VoxelSource {
 public:
  Hdf5Labels(fs::path path, Hdf5Handle file, Hdf5Handle dataset, const VoxelFormat& format,
             hsize_t planes_of_chunk)
      : path_(std::move(path)),
        file_(std::move(file)),
        dataset_(std::move(dataset)),
        voxels_(format.voxels),
        type_(format.type),
        rank_(hdf5_shape(dataset_).size()),
        plane_bytes_(static_cast<std::size_t>(voxels_[0] * voxels_[1]) * bytes_of(type_)),
        chunk_(static_cast<std::int64_t>(std::min<hsize_t>(planes_of_chunk, most_voxels))) {
    const auto most = static_cast<std::int64_t>(most_slab_bytes / plane_bytes_);
    at_once_ = std::clamp<std::int64_t>(most, 1, chunk_);
  }
  ~Hdf5Labels() override {
    const Hdf5Section section;
    dataset_.reset();
    file_.reset();
  }

  void read(std::int64_t z, std::span<std::byte> to) const override {
    reading(path_, [&] {
      if (z < first_ || z >= first_ + count_) read_slab(z);
      std::memcpy(to.data(), &slab_[static_cast<std::size_t>(z - first_) * plane_bytes_],
                  plane_bytes_);
    });
  }

 private:
  // The planes around z that lie in the same chunk.
  void read_slab(std::int64_t z) const {
    const std::int64_t chunk_begin = z / chunk_ * chunk_;
    const std::int64_t chunk_end = std::min(chunk_begin + chunk_, voxels_[2]);
    const std::int64_t first = chunk_begin + (z - chunk_begin) / at_once_ * at_once_;
    const std::int64_t count = std::min(at_once_, chunk_end - first);
    count_ = 0;  // should it fail
    slab_.resize(static_cast<std::size_t>(count) * plane_bytes_);
    const auto size = [&](int axis) { return static_cast<hsize_t>(voxels_[axis]); };
    const std::array<hsize_t, 4> begin{static_cast<hsize_t>(first), 0, 0, 0},
        counts{static_cast<hsize_t>(count), size(1), size(0), 1};
    const auto in_file = hdf5_checked(H5Dget_space(dataset_.get()), H5Sclose);
    hdf5_check(H5Sselect_hyperslab(in_file.get(), H5S_SELECT_SET, begin.data(), nullptr,
                                   counts.data(), nullptr));
    const auto in_memory =
        hdf5_checked(H5Screate_simple(static_cast<int>(rank_), counts.data(), nullptr), H5Sclose);
    hdf5_check(H5Dread(dataset_.get(), native_type(type_), in_memory.get(), in_file.get(),
                       H5P_DEFAULT, slab_.data()));
    first_ = first;
    count_ = count;
  }

  fs::path path_;
  Hdf5Handle file_, dataset_;
  std::array<std::int64_t, 3> voxels_;
  VoxelType type_;
  std::size_t rank_, plane_bytes_;
  std::int64_t chunk_, at_once_;  // planes
  // Guarded by Hdf5Section.
  mutable std::vector<std::byte> slab_;
  mutable std::int64_t first_ = 0, count_ = 0;
};

// From attributes of the dataset with a length for each of its axes [z, y, x], such as
// element_size_um (ilastik, Fiji) or voxel_size with a unit.
VoxelEdges edges_of(const fs::path& path, const LabelDataset& labels) {
  const hid_t dataset = labels.handle.get();
  for (const char* name :
       {"element_size", "voxel_size", "voxel_spacing", "pixel_size", "spacing", "resolution"}) {
    for (const char* unit : {"um", "mm", "nm", "m", ""}) {
      const std::string key = fmt::format("{}{}{}", name, *unit == '\0' ? "" : "_", unit);
      std::vector<double> lengths = hdf5_attribute_numbers(dataset, key, labels.shape.size());
      if (lengths.empty()) continue;
      if (lengths.size() == 1) lengths.resize(3, lengths[0]);
      if (lengths.size() == 4) lengths.pop_back();
      std::reverse(lengths.begin(), lengths.end());
      std::string word = unit;
      for (const char* other : {"unit", "units"}) {
        if (word.empty()) word = hdf5_attribute_text(dataset, other).value_or("");
      }
      return voxel_edges(path, key, lengths, word);
    }
  }
  return {};
}

VoxelFormat format_of(const fs::path& path, const std::string& name, std::uint64_t file_bytes) {
  Hdf5Handle file = hdf5_open(path);
  LabelDataset labels = find_labels(file, name);
  const auto& shape = labels.shape;
  check_plane(path, shape[2], shape[1]);
  if (shape[0] < 1 || shape[0] > most_voxels) {
    throw Hdf5Misfit{fmt::format("{} has {} planes, must have from 1 to {}", labels.name, shape[0],
                                 most_voxels)};
  }
  VoxelFormat format{.file = path, .type = labels.type.type, .big_endian = labels.type.big_endian};
  double bytes = static_cast<double>(bytes_of(format.type));
  for (std::size_t a = 0; a < 3; ++a) {
    format.voxels[a] = static_cast<std::int64_t>(shape[2 - a]);
    bytes *= static_cast<double>(shape[2 - a]);
  }
  format.edges = edges_of(path, labels);
  const auto list = hdf5_checked(H5Dget_create_plist(labels.handle.get()), H5Pclose);
  check_filters(list, labels.name);
  if (bytes > hdf5_most_bytes(labels.name, labels.handle, file_bytes)) {
    throw Hdf5Misfit{fmt::format(
        "{} claims more voxels than the file can hold: it is damaged, cut short, or nothing was "
        "written to it: copy or save it again",
        labels.name)};
  }
  if (H5Pget_layout(list.get()) == H5D_CONTIGUOUS && labels.type.plain) {
    format.offset = hdf5_offset(labels.handle);  // then HDF5 is not needed to read it
  } else {
    format.source = std::make_shared<Hdf5Labels>(path, std::move(file), std::move(labels.handle),
                                                 format, planes_of_chunk(list));
  }
  return format;
}

}  // namespace

VoxelFormat hdf5_format(const fs::path& path, const std::string& dataset,
                        std::uint64_t file_bytes) {
  return reading(path, [&] { return format_of(path, dataset, file_bytes); });
}

}  // namespace lbm::io
