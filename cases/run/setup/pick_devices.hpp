// Which process of a run takes which GPU.
#pragma once

#include <optional>
#include <string>
#include <vector>

namespace lbm::cases {

// What a process sees: its host, and the GPUs that it may use there, by names that all processes of
// the host have for them.
struct VisibleDevices {
  std::string host;
  std::vector<std::string> names;
};

struct PickedDevice {
  int index = 0;    // among those that the process sees
  int sharers = 1;  // processes that take the same one
};

// By process, in order: the first GPU from number `first` on that none before it on its host has
// taken; where there is none and `share` is set, the one that the fewest have taken. Empty: none is
// left. Launchers may show all GPUs of a host to each of its processes, or to each its own.
std::vector<std::optional<PickedDevice>> pick_devices(const std::vector<VisibleDevices>& all,
                                                      int first, bool share);

}  // namespace lbm::cases
