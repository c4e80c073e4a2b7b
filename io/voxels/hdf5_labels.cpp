// SPDX-License-Identifier: Apache-2.0
#include "io/voxels/voxel_image.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <hdf5.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <exception>
#include <memory>
#include <optional>
#include <vector>

#include "io/files/input_file.hpp"
#include "io/hdf5/hdf5_handle.hpp"
#include "solver/core/enum_names.hpp"

namespace lbm::io {
namespace {

namespace fs = std::filesystem;
using Sizes = std::vector<std::uint64_t>;

constexpr std::size_t most_slab_bytes = std::size_t{128} << 20;
constexpr std::size_t most_listed = 8, most_datasets = 1000, most_links = 100'000,
                      most_group_levels = 32;

hid_t native_type(VoxelType type) {
  const std::array types{H5T_NATIVE_UINT8, H5T_NATIVE_INT8,   H5T_NATIVE_UINT16,
                         H5T_NATIVE_INT16, H5T_NATIVE_UINT32, H5T_NATIVE_INT32};
  return types.at(static_cast<std::size_t>(type));
}

struct LabelType {
  VoxelType type = VoxelType::uint8;
  bool big_endian = false;
  bool plain = false;  // all bits are those of the number, which is no word
};

// Empty: no whole numbers of 1, 2 or 4 bytes.
std::optional<LabelType> label_type(const Hdf5Handle& dataset) {
  auto type = hdf5_type(dataset);
  // Booleans of h5py are words.
  if (H5Tget_class(type.get()) == H5T_ENUM) type = hdf5_checked(H5Tget_super(type.get()), H5Tclose);
  const std::size_t size = H5Tget_size(type.get());
  if (H5Tget_class(type.get()) != H5T_INTEGER || (size != 1 && size != 2 && size != 4))
    return std::nullopt;
  using enum VoxelType;
  const auto types = H5Tget_sign(type.get()) == H5T_SGN_2 ? std::array{int8, int16, int32}
                                                          : std::array{uint8, uint16, uint32};
  return LabelType{types[size / 2], H5Tget_order(type.get()) == H5T_ORDER_BE,
                   H5Tget_precision(type.get()) == 8 * size};
}

bool has_three_axes(const Sizes& shape) {
  return shape.size() == 3 || (shape.size() == 4 && shape[3] == 1);
}

// "/scan [10, 20, 30] of uint8"
std::string text_of(const std::string& name, const Hdf5Handle& dataset) {
  const auto known = label_type(dataset);
  const auto type = hdf5_type(dataset);
  const H5T_class_t kind = H5Tget_class(type.get());
  const std::size_t bits = 8 * H5Tget_size(type.get());
  return fmt::format("{} [{}] of {}", printable(name), fmt::join(hdf5_shape(dataset), ", "),
                     known                 ? std::string(to_string(known->type))
                     : kind == H5T_INTEGER ? fmt::format("whole numbers of {} bits", bits)
                     : kind == H5T_FLOAT   ? fmt::format("floating-point numbers of {} bits", bits)
                                           : "other values than numbers");
}

// All datasets of a file, those behind links to other files never.
struct Found {
  std::vector<std::string> labels;  // paths of those that may be images
  std::vector<std::string> shown;   // the same with sizes and types
  std::vector<std::string> others;  // some other datasets, likewise
  std::size_t links = 0;
  bool all = true;  // false: the file has more links or levels of groups than are looked at
  std::exception_ptr error;
};

void add_dataset(hid_t root, const char* name, Found& found) {
  const auto object = hdf5_checked(H5Oopen(root, name, H5P_DEFAULT), H5Oclose);
  if (H5Iget_type(object.get()) != H5I_DATASET) return;
  const std::string path = std::string("/") + name;
  const std::string text = text_of(path, object);
  if (has_three_axes(hdf5_shape(object)) && label_type(object)) {
    found.labels.push_back(path);
    found.shown.push_back(text);
  } else if (found.others.size() < most_listed) {
    found.others.push_back(text);
  }
}

// A callback of C, which no exception may leave.
herr_t visit_link(hid_t root, const char* name, const H5L_info_t* info, void* to) {
  Found& found = *static_cast<Found*>(to);
  if (info->type != H5L_TYPE_HARD) return 0;
  try {
    add_dataset(root, name, found);
  } catch (const Hdf5Failure&) {  // a dataset that cannot be opened is not offered
  } catch (...) {
    found.error = std::current_exception();
    return 1;
  }
  // HDF5 walks from the root to each object, so that time grows with the square of the levels.
  const auto levels = std::count(name, name + std::strlen(name), '/') + 1;
  found.all = ++found.links < most_links && found.labels.size() < most_datasets &&
              static_cast<std::size_t>(levels) < most_group_levels;
  return found.all ? 0 : 1;
}

Found datasets_of(const Hdf5Handle& file) {
  Found found;
  (void)H5Lvisit(file.get(), H5_INDEX_NAME, H5_ITER_NATIVE, visit_link, &found);
  if (found.error) std::rethrow_exception(found.error);
  return found;
}

std::string list_text(const std::vector<std::string>& all) {
  const std::size_t count = std::min(all.size(), most_listed);
  return fmt::format("{}{}", fmt::join(all.begin(), all.begin() + static_cast<long>(count), ", "),
                     all.size() > count ? fmt::format(" and {} more", all.size() - count) : "");
}

[[noreturn]] void refuse_choice(const Found& found, const std::string& why) {
  if (!found.labels.empty()) {
    throw Hdf5Misfit{fmt::format("{}its datasets of labels are {}: give one of them as dataset",
                                 why, list_text(found.shown))};
  }
  throw Hdf5Misfit{fmt::format(
      "{}no dataset of the file{} has three axes [z, y, x] and whole numbers of 1, 2 or 4 bytes{}: "
      "save the labels so (h5py: file['labels'] = image.astype('uint8'))",
      why, found.all ? "" : fmt::format(" in its upper {} levels of groups", most_group_levels),
      found.others.empty() ? "" : "; it has " + list_text(found.others))};
}

herr_t refuse_other_file(const char*, const char*, const char*, const char*, unsigned*, hid_t,
                         void* met) {
  *static_cast<bool*>(met) = true;
  return -1;
}

// The dataset of labels of this path, not through a link to another file; empty: the only one of
// labels. The message lists what the file has.
Hdf5Handle open_labels(const Hdf5Handle& file, std::string& path) {
  if (path.empty()) {
    const Found found = datasets_of(file);
    if (!found.all) {
      throw Hdf5Misfit{fmt::format(
          "has {} links or more, or groups {} levels deep: give the path of the labels as dataset",
          most_links, most_group_levels)};
    }
    if (found.labels.size() != 1) refuse_choice(found, "");
    path = found.labels[0];
  }
  bool other_file = false;
  const auto access = hdf5_checked(H5Pcreate(H5P_LINK_ACCESS), H5Pclose);
  hdf5_check(H5Pset_elink_cb(access.get(), refuse_other_file, &other_file));
  Hdf5Handle object(H5Oopen(file.get(), path.c_str(), access.get()), H5Oclose);
  if (other_file) {
    throw Hdf5Misfit{fmt::format("dataset {} is a link to another file: give that file as file",
                                 printable(path))};
  }
  const auto refuse = [&](const std::string& why) { refuse_choice(datasets_of(file), why); };
  if (object.get() < 0) refuse(fmt::format("has no dataset {}; ", printable(path)));
  if (H5Iget_type(object.get()) != H5I_DATASET)
    refuse(fmt::format("{} is no dataset; ", printable(path)));
  if (!has_three_axes(hdf5_shape(object)) || !label_type(object))
    refuse(fmt::format("{} is no dataset of labels; ", text_of(path, object)));
  return object;
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
std::int64_t planes_of_chunk(const Hdf5Handle& list) {
  if (H5Pget_layout(list.get()) != H5D_CHUNKED) return 1;
  std::vector<hsize_t> chunk(H5S_MAX_RANK);
  hdf5_check(H5Pget_chunk(list.get(), H5S_MAX_RANK, chunk.data()));
  return static_cast<std::int64_t>(std::clamp<hsize_t>(chunk[0], 1, most_voxels));
}

template <class Work>
auto reading(const fs::path& path, const Work& work) {
  const Hdf5Section section;
  try {
    return work();
  } catch (const Hdf5Misfit& misfit) {
    refuse_file(path, misfit.why);
  } catch (const Hdf5Failure& failure) {
    if (failure.error != 0) cannot_read(path, failure.error);
    refuse_file(path,
                "is no HDF5 file, or is damaged, cut short, or still open in the program that "
                "writes it: copy or save it again");
  }
}

// Keeps the planes of a chunk, so that each chunk is unpacked once where planes are read in order.
class Hdf5Labels {
 public:
  Hdf5Labels(Hdf5Handle file, Hdf5Handle dataset, const VoxelFormat& format, std::int64_t chunk)
      : path_(format.file),
        file_(std::move(file)),
        dataset_(std::move(dataset)),
        shape_(hdf5_shape(dataset_)),
        type_(format.type),
        plane_bytes_(static_cast<std::size_t>(shape_[1] * shape_[2]) * bytes_of(type_)),
        chunk_(chunk),
        at_once_(std::clamp(static_cast<std::int64_t>(most_slab_bytes / plane_bytes_),
                            std::int64_t{1}, chunk)) {}
  Hdf5Labels(const Hdf5Labels&) = delete;
  Hdf5Labels& operator=(const Hdf5Labels&) = delete;
  ~Hdf5Labels() {
    const Hdf5Section section;
    dataset_.reset();
    file_.reset();
  }

  void read(std::int64_t z, std::span<std::byte> to) {
    reading(path_, [&] {
      if (z < first_ || z >= first_ + count_) read_slab(z);
      std::memcpy(to.data(), &slab_[static_cast<std::size_t>(z - first_) * plane_bytes_],
                  plane_bytes_);
    });
  }

 private:
  // The planes around z that lie in the same chunk.
  void read_slab(std::int64_t z) {
    const std::int64_t begin = z / chunk_ * chunk_;
    const std::int64_t end = std::min(begin + chunk_, static_cast<std::int64_t>(shape_[0]));
    const std::int64_t first = begin + (z - begin) / at_once_ * at_once_;
    const std::int64_t count = std::min(at_once_, end - first);
    count_ = 0;  // should it fail
    slab_.resize(static_cast<std::size_t>(count) * plane_bytes_);
    Sizes from(shape_.size()), size = shape_;
    from[0] = static_cast<std::uint64_t>(first);
    size[0] = static_cast<std::uint64_t>(count);
    hdf5_read(dataset_, native_type(type_), from, size, slab_.data());
    first_ = first;
    count_ = count;
  }

  fs::path path_;
  Hdf5Handle file_, dataset_;
  Sizes shape_;
  VoxelType type_;
  std::size_t plane_bytes_;
  std::int64_t chunk_, at_once_;  // planes
  // Guarded by Hdf5Section.
  std::vector<std::byte> slab_;
  std::int64_t first_ = 0, count_ = 0;
};

// From attributes of the dataset with a length for each of its axes [z, y, x], such as
// element_size_um (ilastik, Fiji) or voxel_size with a unit.
VoxelEdges edges_of(const fs::path& path, const Hdf5Handle& dataset, std::size_t axes) {
  for (const char* name :
       {"element_size", "voxel_size", "voxel_spacing", "pixel_size", "spacing", "resolution"}) {
    for (const std::string unit : {"um", "mm", "nm", "m", ""}) {
      const std::string key = fmt::format("{}{}{}", name, unit.empty() ? "" : "_", unit);
      std::vector<double> lengths = hdf5_attribute_numbers(dataset, key, axes);
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

VoxelFormat format_of(const fs::path& path, std::string dataset, std::uint64_t file_bytes) {
  Hdf5Handle file = hdf5_open(path), labels = open_labels(file, dataset);
  const std::string name = printable(dataset);
  const Sizes shape = hdf5_shape(labels);
  const LabelType type = label_type(labels).value();
  check_plane(path, shape[2], shape[1]);
  if (shape[0] < 1 || shape[0] > most_voxels) {
    throw Hdf5Misfit{
        fmt::format("{} has {} planes, must have from 1 to {}", name, shape[0], most_voxels)};
  }
  VoxelFormat format{.file = path, .type = type.type, .big_endian = type.big_endian};
  double bytes = static_cast<double>(bytes_of(format.type));
  for (std::size_t a = 0; a < 3; ++a) {
    format.voxels[a] = static_cast<std::int64_t>(shape[2 - a]);
    bytes *= static_cast<double>(shape[2 - a]);
  }
  format.edges = edges_of(path, labels, shape.size());
  const auto list = hdf5_properties(labels);
  check_filters(list, name);
  if (bytes > hdf5_most_bytes(name, labels, file_bytes)) {
    throw Hdf5Misfit{fmt::format(
        "{} claims more voxels than the file can hold: it is damaged, cut short, or nothing was "
        "written to it: copy or save it again",
        name)};
  }
  if (H5Pget_layout(list.get()) == H5D_CONTIGUOUS && type.plain) {
    format.offset = hdf5_offset(labels);  // then HDF5 is not needed to read it
  } else {
    format.source = [labels_of_file = std::make_shared<Hdf5Labels>(
                         std::move(file), std::move(labels), format, planes_of_chunk(list))](
                        std::int64_t z, std::span<std::byte> plane) {
      labels_of_file->read(z, plane);
    };
  }
  return format;
}

}  // namespace

VoxelFormat hdf5_format(const fs::path& path, const std::string& dataset,
                        std::uint64_t file_bytes) {
  return reading(path, [&] { return format_of(path, dataset, file_bytes); });
}

}  // namespace lbm::io
