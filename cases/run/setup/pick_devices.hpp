// SPDX-License-Identifier: Apache-2.0

// Assigns GPUs to the ranks of a run.
#pragma once

#include <optional>
#include <string>
#include <vector>

namespace lbm::cases {

// A rank's view: its host, and the GPUs it may use there, by names that all ranks of the host
// share.
struct VisibleDevices {
  std::string host;
  std::vector<std::string> names;
};

struct PickedDevice {
  int index = 0;    // among the visible GPUs of the rank
  int sharers = 1;  // ranks on the same GPU
};

// By rank, in order: the first GPU from number `first` on that no lower rank on its host has. If
// none is left and `share` is set, the one with the fewest ranks; otherwise empty. A launcher may
// show all GPUs of a host to each of its ranks, or one to each.
std::vector<std::optional<PickedDevice>> pick_devices(const std::vector<VisibleDevices>& all,
                                                      int first, bool share);

}  // namespace lbm::cases
