// SPDX-License-Identifier: Apache-2.0
#include "io/hdf5/hdf5_attribute.hpp"

#include <algorithm>
#include <cstdint>

namespace lbm::io {
namespace {

constexpr std::uint64_t most_text_bytes = std::uint64_t{1} << 20;

// Empty: there is no attribute of that name.
Hdf5Handle open_attribute(hid_t object, const std::string& name) {
  if (H5Aexists(object, name.c_str()) <= 0) return {};
  return hdf5_checked(H5Aopen(object, name.c_str(), H5P_DEFAULT), H5Aclose);
}

struct AttributeType {
  Hdf5Handle type;
  H5T_class_t kind = H5T_NO_CLASS;
  hssize_t count = 0;
};

AttributeType type_of(const Hdf5Handle& attribute) {
  AttributeType result;
  result.type = hdf5_checked(H5Aget_type(attribute.get()), H5Tclose);
  result.kind = H5Tget_class(result.type.get());
  const auto space = hdf5_checked(H5Aget_space(attribute.get()), H5Sclose);
  result.count = H5Sget_simple_extent_npoints(space.get());
  return result;
}

}  // namespace

std::vector<double> hdf5_attribute_numbers(hid_t object, const std::string& name,
                                           std::size_t most) {
  const Hdf5Handle attribute = open_attribute(object, name);
  if (attribute.get() < 0) return {};
  const AttributeType type = type_of(attribute);
  if (type.kind != H5T_FLOAT && type.kind != H5T_INTEGER) return {};
  if (type.count < 1 || type.count > static_cast<hssize_t>(most)) return {};
  std::vector<double> values(static_cast<std::size_t>(type.count));
  hdf5_check(H5Aread(attribute.get(), H5T_NATIVE_DOUBLE, values.data()));
  return values;
}

std::optional<std::string> hdf5_attribute_text(hid_t object, const std::string& name) {
  const Hdf5Handle attribute = open_attribute(object, name);
  if (attribute.get() < 0) return std::nullopt;
  const AttributeType type = type_of(attribute);
  if (type.kind != H5T_STRING || type.count != 1) return std::nullopt;
  if (H5Tis_variable_str(type.type.get()) > 0) {
    char* text = nullptr;
    hdf5_check(H5Aread(attribute.get(), type.type.get(), &text));
    std::string result = text != nullptr ? text : "";
    H5free_memory(text);
    return result;
  }
  const std::size_t size = H5Tget_size(type.type.get());
  if (size > most_text_bytes) return std::nullopt;
  std::string result(size, '\0');
  hdf5_check(H5Aread(attribute.get(), type.type.get(), result.data()));
  result.resize(std::min(result.find('\0'), result.size()));
  return result;
}

}  // namespace lbm::io
