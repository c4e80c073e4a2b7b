// SPDX-License-Identifier: Apache-2.0
#include "solver/machine/pci_link.hpp"

#include <fmt/format.h>

#include <charconv>
#include <utility>

namespace lbm {
namespace {

const char* const devices = "/sys/bus/pci/devices/";

// One of the two states that sysfs describes, "max" or "current".
std::string link_text(const SystemFiles& files, const std::string& device,
                      const std::string& state) {
  const std::string path = devices + device + "/" + state;
  const int generation = pcie_generation(files.line(path + "_link_speed"));
  const std::string width = files.line(path + "_link_width");
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

std::string pci_link(const std::string& pci_id, const SystemFiles& files) {
  if (pci_id.empty()) return "";
  const std::string best = link_text(files, pci_id, "max");
  const std::string now = link_text(files, pci_id, "current");
  if (best.empty() || now.empty() || best == now) return best.empty() ? now : best;
  return best + ", now " + now;
}

std::vector<std::string> nvidia_pci_ids(const SystemFiles& files) {
  std::vector<std::string> ids;
  for (const std::string& id : files.names(devices)) {
    const bool nvidia = files.line(devices + id + "/vendor") == "0x10de";
    const bool graphics = files.line(devices + id + "/class").substr(0, 4) == "0x03";
    if (nvidia && graphics) ids.push_back(id);
  }
  return ids;
}

}  // namespace lbm
