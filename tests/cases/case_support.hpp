// SPDX-License-Identifier: Apache-2.0

// Shared by the tests of cases.
#pragma once

#include <gtest/gtest.h>

#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include "cases/case/read/read_case.hpp"
#include "cases/case/validate/validate.hpp"
#include "solver/core/error.hpp"

namespace lbm::cases::test {

// The smallest valid case.
inline const std::string minimal =
    "grid:\n"
    "  cells: [8, 9, 10]\n"
    "fluid:\n"
    "  reynolds: 100\n"
    "run:\n"
    "  steps: 50\n";

inline const std::vector<std::string> shipped{"lid_driven_cavity", "lid_driven_cavity_2d",
                                              "taylor_green", "beyond_memory"};

inline std::string shipped_path(const std::string& name) {
  return std::string(LBM_SOURCE_DIR) + "/cases/" + name + ".yaml";
}

inline std::string file_text(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  EXPECT_TRUE(file.good()) << path;
  return {std::istreambuf_iterator<char>(file), {}};
}

inline std::vector<std::string> warnings_of(const Case& lbm_case) {
  return warnings(lbm_case, derive(lbm_case));
}

// Message of the UsageError that the call must throw, one line.
template <class Call>
std::string error_of(Call call) {
  try {
    call();
  } catch (const UsageError& error) {
    return error.what();
  }
  ADD_FAILURE() << "no UsageError";
  return "";
}

inline std::string parse_error(const std::string& text,
                               const std::vector<std::string>& overrides = {}) {
  return error_of([&] { parse_case(text, "c.yaml", overrides); });
}

}  // namespace lbm::cases::test
