// SPDX-License-Identifier: Apache-2.0
#include "io/hdf5/vtkhdf_image.hpp"

#include <fmt/format.h>
#include <hdf5.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <limits>
#include <vector>

#include "io/files/input_file.hpp"
#include "solver/core/error.hpp"

namespace lbm::io {
namespace {

// A group or dataset of this very file.
void check_link(const Hdf5Handle& parent, const std::string& name) {
  H5L_info_t info{};
  if (H5Lexists(parent.get(), name.c_str(), H5P_DEFAULT) <= 0) throw Hdf5Misfit{"has no " + name};
  hdf5_check(H5Lget_info(parent.get(), name.c_str(), &info, H5P_DEFAULT));
  if (info.type != H5L_TYPE_HARD) {
    throw Hdf5Misfit{name + " is a link to another place, must be in the file"};
  }
}

Hdf5Handle group_of(const Hdf5Handle& parent, const std::string& name) {
  check_link(parent, name);
  return hdf5_group(parent, name);
}

// Empty where the attribute is missing or is not `count` numbers.
std::vector<double> numbers_of(const Hdf5Handle& object, const std::string& name,
                               std::size_t count) {
  const auto values = hdf5_attribute_numbers(object, name, count);
  return values.size() == count ? values : std::vector<double>();
}

std::array<double, 3> vector_of(const Hdf5Handle& object, const std::string& name) {
  const auto values = numbers_of(object, name, 3);
  if (values.empty()) throw Hdf5Misfit{"has no attribute " + name + " of three numbers"};
  if (!std::all_of(values.begin(), values.end(), [](double v) { return std::isfinite(v); })) {
    throw Hdf5Misfit{"its attribute " + name + " is not finite"};
  }
  return {values[0], values[1], values[2]};
}

ImageGeometry geometry_of(const Hdf5Handle& root) {
  if (hdf5_attribute_text(root, "Type").value_or("") != "ImageData") {
    throw Hdf5Misfit{"has no image: its attribute Type must be ImageData"};
  }
  const auto extent = numbers_of(root, "WholeExtent", 6);
  if (extent.empty()) throw Hdf5Misfit{"has no attribute WholeExtent of six numbers"};
  ImageGeometry geometry{};
  for (std::size_t a = 0; a < 3; ++a) {
    const double points = extent[2 * a + 1] - extent[2 * a] + 1;
    if (!(points >= 1 && points <= std::numeric_limits<int>::max())) {
      throw Hdf5Misfit{
          fmt::format("has {} points along {}, must be from 1 to 2^31 - 1", points, "xyz"[a])};
    }
    geometry.points[a] = static_cast<int>(points);
  }
  geometry.origin = vector_of(root, "Origin");
  geometry.spacing = vector_of(root, "Spacing");
  // The origin is that of the point 0 0 0, where the extent need not begin.
  for (std::size_t a = 0; a < 3; ++a) geometry.origin[a] += extent[2 * a] * geometry.spacing[a];
  const std::vector<double> along_axes{1, 0, 0, 0, 1, 0, 0, 0, 1};
  if (H5Aexists(root.get(), "Direction") > 0 && numbers_of(root, "Direction", 9) != along_axes) {
    throw Hdf5Misfit{"its image is turned: Direction must be that of the axes, 1 0 0 0 1 0 0 0 1"};
  }
  return geometry;
}

// Compares what an array claims with what is in the file. values: of at most 9 x 2^93 points.
void check_size(const std::string& name, const Hdf5Handle& dataset, double values,
                std::uint64_t file_bytes) {
  const auto type = hdf5_type(dataset);
  if (H5Tget_class(type.get()) != H5T_FLOAT) {
    throw Hdf5Misfit{name + " holds other values than floating-point numbers"};
  }
  const double bytes = values * static_cast<double>(H5Tget_size(type.get()));
  if (bytes > hdf5_most_bytes(name, dataset, file_bytes)) {
    throw Hdf5Misfit{fmt::format("is damaged: {} claims more values than the file can hold", name)};
  }
}

}  // namespace

void VtkhdfReader::refuse(const std::string& why) const {
  throw UsageError(
      fmt::format("{}: {}; give a .hdf file of the results of a run", path_.string(), why));
}

template <class Work>
auto VtkhdfReader::reading(const Work& work) const {
  const Hdf5Section section;
  try {
    return work();
  } catch (const Hdf5Misfit& wrong) {
    refuse(wrong.why);
  } catch (const Hdf5Failure& failure) {
    refuse(failure.error != 0 ? fmt::format("cannot be read: {}", std::strerror(failure.error))
                              : "is damaged or no HDF5 file");
  }
}

VtkhdfReader::VtkhdfReader(std::filesystem::path path)
    : path_(std::move(path)), bytes_(size_of_file(path_, "a .hdf file of the results of a run")) {
  reading([&] {
    file_ = hdf5_open(path_);
    root_ = group_of(file_, "VTKHDF");
    geometry_ = geometry_of(root_);
  });
}

VtkhdfReader::~VtkhdfReader() {
  const Hdf5Section section;
  arrays_.clear();
  root_.reset();
  file_.reset();
}

std::optional<double> VtkhdfReader::number(const std::string& name) const {
  return reading([&]() -> std::optional<double> {
    const auto values = numbers_of(root_, name, 1);
    return values.empty() ? std::nullopt : std::optional(values[0]);
  });
}

std::optional<std::string> VtkhdfReader::text(const std::string& name) const {
  return reading([&] { return hdf5_attribute_text(root_, name); });
}

int VtkhdfReader::components(const std::string& array) {
  return reading([&] {
    const auto found = arrays_.find(array);
    if (found != arrays_.end()) return found->second.components;
    const Hdf5Handle group = group_of(root_, "PointData");
    if (H5Lexists(group.get(), array.c_str(), H5P_DEFAULT) <= 0) return 0;
    check_link(group, array);
    return arrays_.emplace(array, open_array(array)).first->second.components;
  });
}

VtkhdfReader::Array VtkhdfReader::open_array(const std::string& name) const {
  Array array;
  array.dataset = hdf5_dataset(root_, "PointData/" + name);
  const auto shape = hdf5_shape(array.dataset);
  const auto& points = geometry_.points;
  array.has_axis = shape.size() == 4;
  bool fits = shape.size() == 3 || (array.has_axis && shape[3] >= 1 && shape[3] <= 9);
  for (std::size_t a = 0; fits && a < 3; ++a) {
    fits = shape[2 - a] == static_cast<std::uint64_t>(points[a]);
  }
  if (!fits) {
    throw Hdf5Misfit{fmt::format("{} has the shape [{}], must have that of the image, [{}, {}, {}]",
                                 name, fmt::join(shape, ", "), points[2], points[1], points[0])};
  }
  array.components = array.has_axis ? static_cast<int>(shape[3]) : 1;
  check_size(name, array.dataset, double{1} * points[0] * points[1] * points[2] * array.components,
             bytes_);
  return array;
}

void VtkhdfReader::read_plane(const std::string& name, int z, std::array<int, 2> points,
                              std::span<float> to) const {
  reading([&] {
    const Array& array = arrays_.at(name);
    std::vector<std::uint64_t> begin{static_cast<std::uint64_t>(z), 0, 0, 0};
    std::vector<std::uint64_t> count{1, static_cast<std::uint64_t>(points[1]),
                                     static_cast<std::uint64_t>(points[0]),
                                     static_cast<std::uint64_t>(array.components)};
    if (to.size() < count[1] * count[2] * count[3]) throw std::logic_error("read_plane: no room");
    begin.resize(array.has_axis ? 4 : 3);
    count.resize(begin.size());
    hdf5_read(array.dataset, H5T_NATIVE_FLOAT, begin, count, to.data());
  });
}

}  // namespace lbm::io
