// SPDX-License-Identifier: Apache-2.0
#include "solver/core/pci_link.hpp"

#include <fmt/format.h>

#include <charconv>
#include <fstream>
#include <utility>

namespace lbm {
namespace {

std::string first_line(const std::string& path) {
  std::ifstream file(path);
  std::string line;
  std::getline(file, line);
  return line;
}

// One of the two states that sysfs describes, "max" or "current".
std::string link_text(const std::string& directory, const std::string& state) {
  const int generation = pcie_generation(first_line(directory + "/" + state + "_link_speed"));
  const std::string width = first_line(directory + "/" + state + "_link_width");
  if (generation == 0 || width.empty()) return "";
  return fmt::format("PCIe {} x{}", generation, width);
}

}  // namespace

int pcie_generation(std::string_view speed) {
  double rate = 0;  // GT/s
  const auto [end, error] = std::from_chars(speed.data(), speed.data() + speed.size(), rate);
  if (error != std::errc{} || speed.substr(end - speed.data(), 5) != " GT/s") return 0;
  constexpr std::pair<double, int> generations[] = {{2.5, 1},  {5.0, 2},  {8.0, 3},  {16.0, 4},
                                                    {32.0, 5}, {64.0, 6}, {128.0, 7}};
  for (const auto& [gigatransfers, generation] : generations) {
    if (rate == gigatransfers) return generation;
  }
  return 0;
}

std::string pci_link(const std::string& pci_id, const std::string& devices) {
  if (pci_id.empty()) return "";
  const std::string best = link_text(devices + "/" + pci_id, "max");
  const std::string now = link_text(devices + "/" + pci_id, "current");
  if (best.empty() || now.empty() || best == now) return best.empty() ? now : best;
  return best + ", now " + now;
}

}  // namespace lbm
