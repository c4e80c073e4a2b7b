// SPDX-License-Identifier: Apache-2.0
#include "cases/run/setup/pick_devices.hpp"

#include <map>
#include <utility>

namespace lbm::cases {

std::vector<std::optional<PickedDevice>> pick_devices(const std::vector<VisibleDevices>& all,
                                                      int first, bool share) {
  using HostDevice = std::pair<std::string, std::string>;  // host, device name
  std::map<HostDevice, int> taken;
  std::vector<HostDevice> devices;  // by process
  std::vector<std::optional<PickedDevice>> picked;
  for (const auto& [host, names] : all) {
    std::optional<int> best;
    const auto takers = [&, &host = host, &names = names](int i) {
      return taken[{host, names[static_cast<std::size_t>(i)]}];
    };
    for (int i = first; i < static_cast<int>(names.size()); ++i) {
      if (!best || takers(i) < takers(*best)) best = i;
    }
    if (best && takers(*best) > 0 && !share) best.reset();
    devices.emplace_back(host, best ? names[static_cast<std::size_t>(*best)] : "");
    if (best) ++taken[devices.back()];
    picked.push_back(best ? std::optional(PickedDevice{*best, 1}) : std::nullopt);
  }
  for (std::size_t r = 0; r < picked.size(); ++r) {
    if (picked[r]) picked[r]->sharers = taken[devices[r]];
  }
  return picked;
}

}  // namespace lbm::cases
