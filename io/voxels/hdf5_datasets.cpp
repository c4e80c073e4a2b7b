// SPDX-License-Identifier: Apache-2.0
#include "io/voxels/hdf5_datasets.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <exception>
#include <string>
#include <utility>

#include "io/text/header_text.hpp"
#include "solver/core/enum_names.hpp"

namespace lbm::io {
namespace {

constexpr std::size_t most_listed = 8, most_datasets = 1000, most_links = 100'000, most_levels = 32;

// Empty: no whole numbers of 1, 2 or 4 bytes.
std::optional<LabelType> label_type(const Hdf5Handle& dataset) {
  auto type = hdf5_checked(H5Dget_type(dataset.get()), H5Tclose);
  const bool words = H5Tget_class(type.get()) == H5T_ENUM;  // booleans of h5py are words
  if (words) type = hdf5_checked(H5Tget_super(type.get()), H5Tclose);
  if (H5Tget_class(type.get()) != H5T_INTEGER) return std::nullopt;
  const std::size_t size = H5Tget_size(type.get());
  if (size != 1 && size != 2 && size != 4) return std::nullopt;
  const bool with_sign = H5Tget_sign(type.get()) == H5T_SGN_2;
  using enum VoxelType;
  const std::array types =
      with_sign ? std::array{int8, int16, int32} : std::array{uint8, uint16, uint32};
  LabelType result{.type = types[size / 2]};
  result.big_endian = H5Tget_order(type.get()) == H5T_ORDER_BE;
  result.plain = H5Tget_precision(type.get()) == 8 * size;
  return result;
}

bool has_three_axes(const std::vector<hsize_t>& shape) {
  return shape.size() == 3 || (shape.size() == 4 && shape[3] == 1);
}

std::string type_text(const Hdf5Handle& dataset) {
  if (const auto known = label_type(dataset)) return std::string(to_string(known->type));
  const auto type = hdf5_checked(H5Dget_type(dataset.get()), H5Tclose);
  const std::size_t bits = 8 * H5Tget_size(type.get());
  switch (H5Tget_class(type.get())) {
    case H5T_INTEGER:
      return fmt::format("whole numbers of {} bits", bits);
    case H5T_FLOAT:
      return fmt::format("floating-point numbers of {} bits", bits);
    default:
      return "other values than numbers";
  }
}

// All datasets of a file, those behind links to other files never.
struct Found {
  std::vector<std::string> labels;  // paths of those that may be images
  std::vector<std::string> shown;   // with sizes and types; of labels, or of all if there are none
  std::vector<std::string> others;
  std::size_t links = 0;
  bool all = true;  // false: the file has more links or levels of groups than are looked at
  std::exception_ptr error;
};

void add_dataset(hid_t root, const char* name, Found& found) {
  const auto object = hdf5_checked(H5Oopen(root, name, H5P_DEFAULT), H5Oclose);
  if (H5Iget_type(object.get()) != H5I_DATASET) return;
  const auto dataset = hdf5_checked(H5Dopen2(root, name, H5P_DEFAULT), H5Dclose);
  const auto shape = hdf5_shape(dataset);
  const std::string path = std::string("/") + name;
  const std::string text =
      fmt::format("{} [{}] of {}", printable(path), fmt::join(shape, ", "), type_text(dataset));
  if (has_three_axes(shape) && label_type(dataset)) {
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
  const auto levels = std::count(name, name + std::char_traits<char>::length(name), '/') + 1;
  found.all = ++found.links < most_links && found.labels.size() < most_datasets &&
              static_cast<std::size_t>(levels) < most_levels;
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
      why, found.all ? "" : fmt::format(" in its upper {} levels of groups", most_levels),
      found.others.empty() ? "" : "; it has " + list_text(found.others))};
}

herr_t refuse_other_file(const char*, const char*, const char*, const char*, unsigned*, hid_t,
                         void* met) {
  *static_cast<bool*>(met) = true;
  return -1;
}

// Not through a link to another file.
Hdf5Handle open_dataset(const Hdf5Handle& file, const std::string& path) {
  bool other_file = false;
  const auto access = hdf5_checked(H5Pcreate(H5P_LINK_ACCESS), H5Pclose);
  hdf5_check(H5Pset_elink_cb(access.get(), refuse_other_file, &other_file));
  const Hdf5Handle object(H5Oopen(file.get(), path.c_str(), access.get()), H5Oclose);
  if (other_file) {
    throw Hdf5Misfit{fmt::format("dataset {} is a link to another file: give that file as file",
                                 printable(path))};
  }
  if (object.get() < 0) {
    refuse_choice(datasets_of(file), fmt::format("has no dataset {}; ", printable(path)));
  }
  if (H5Iget_type(object.get()) != H5I_DATASET) {
    refuse_choice(datasets_of(file), fmt::format("{} is no dataset; ", printable(path)));
  }
  return hdf5_checked(H5Dopen2(file.get(), path.c_str(), H5P_DEFAULT), H5Dclose);
}

}  // namespace

LabelDataset find_labels(const Hdf5Handle& file, const std::string& path) {
  std::string wanted = path;
  if (wanted.empty()) {
    const Found found = datasets_of(file);
    if (!found.all) {
      throw Hdf5Misfit{fmt::format(
          "has {} links or more, or groups {} levels deep: give the path of the labels as dataset",
          most_links, most_levels)};
    }
    if (found.labels.size() != 1) refuse_choice(found, "");
    wanted = found.labels[0];
  }
  LabelDataset labels{.handle = open_dataset(file, wanted), .name = printable(wanted)};
  labels.shape = hdf5_shape(labels.handle);
  const auto type = label_type(labels.handle);
  if (!has_three_axes(labels.shape) || !type) {
    refuse_choice(datasets_of(file),
                  fmt::format("{} has the shape [{}] and holds {}; ", labels.name,
                              fmt::join(labels.shape, ", "), type_text(labels.handle)));
  }
  labels.type = *type;
  return labels;
}

}  // namespace lbm::io
