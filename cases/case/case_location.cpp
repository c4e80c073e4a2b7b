// SPDX-License-Identifier: Apache-2.0
#include "cases/case/case_location.hpp"

#include <fmt/format.h>

#include "cases/case/scalars.hpp"

namespace lbm::cases {

std::string where(const Case& lbm_case, const std::string& key) {
  for (std::string path = key; !path.empty();) {
    if (lbm_case.overridden.contains(path)) return "--set " + key;
    const auto line = lbm_case.lines.find(path);
    if (line != lbm_case.lines.end() && !lbm_case.file.empty()) {
      return fmt::format("{}:{}: {}", one_line(lbm_case.file), line->second, key);
    }
    const auto dot = path.rfind('.');
    path = dot == std::string::npos ? "" : path.substr(0, dot);
  }
  return lbm_case.file.empty() ? "case." + key : one_line(lbm_case.file) + ": " + key;
}

std::string name_in_messages(const Case& lbm_case) {
  return lbm_case.file.empty() ? "case" : one_line(lbm_case.file);
}

}  // namespace lbm::cases
