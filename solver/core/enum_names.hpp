// SPDX-License-Identifier: Apache-2.0

// Names of enumerators. An enumeration whose values count from 0 has, in its own namespace, a
// function enum_names(Enum) that returns an array of the names, in the order of the enumerators.
#pragma once

#include <array>
#include <cstddef>

namespace lbm {

template <class Enum>
constexpr auto to_string(Enum value) -> decltype(enum_names(value)[0] + 0) {
  return enum_names(value)[static_cast<std::size_t>(value)];
}

}  // namespace lbm
