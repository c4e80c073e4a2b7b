// SPDX-License-Identifier: Apache-2.0
#include "solver/machine/cpu_model.hpp"

#include <fmt/format.h>

#include <string_view>

namespace lbm {
namespace {

// The value of the first line "KEY   : value"; empty without such a line.
std::string entry(const std::string& cpuinfo, std::string_view key) {
  const std::string value = value_in(cpuinfo, key);
  return std::string(trimmed(value.substr(value.rfind(':', 0) == 0 ? 1 : 0)));
}

}  // namespace

std::string cpu_model(const SystemFiles& files) {
  const std::string cpuinfo = files.text("/proc/cpuinfo");
  if (std::string name = entry(cpuinfo, "model name"); !name.empty()) return name;
  const std::string maker = entry(cpuinfo, "CPU implementer"), part = entry(cpuinfo, "CPU part");
  if (maker.empty() || part.empty()) return "CPU";
  return fmt::format("ARM {}, part {}", maker, part);
}

}  // namespace lbm
