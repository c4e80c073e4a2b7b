// What a device can do, measured: the numbers that predictions are made of.
#pragma once

#include <functional>
#include <string>

#include "solver/backend/backend.hpp"

namespace lbm {

// Bytes per second throughout; a copy on the device counts bytes read and bytes written.
struct DeviceSpeeds {
  // Of the kernel, for one storage type: a launch of n planes takes launch_seconds + n times the
  // plane's traffic (every value read and written once) / bytes_per_second. 0: not measured.
  struct Update {
    double bytes_per_second = 0;
    double launch_seconds = 0;
    // On a CPU the same with several steps a visit, whose planes the caches carry from step to
    // step (tiling/model/blocked_speed.hpp). 0: as without.
    double blocked_bytes_per_second = 0;
  };

  std::string device;
  double copy = 0;                             // on the device
  double link_in = 0, link_out = 0;            // host to device and back, alone
  double link_in_both = 0, link_out_both = 0;  // both at once
  bool queues_overlap = true;  // copies and kernels at the same time; on a CPU one after the other
  Update fp16, fp32, fp64;

  // All that a prediction needs.
  bool measured(StorageType storage) const;
  const Update& update(StorageType storage) const;
  Update& update(StorageType storage);
};

// Takes a second or two on a GPU, five on a CPU, and up to `budget` bytes of device memory, and
// half a GiB of the host's. What does not fit is left 0.
DeviceSpeeds measure_speeds(Backend& backend, std::size_t budget);

// link_in_both and link_out_both anew, as they are while others use their links: begin() is called
// once in any case, when all is ready, and waits for them. Half a second; 2 GiB of host memory and
// of the device's, or nothing is measured. GPUs only.
void measure_link_of_both(Backend& backend, DeviceSpeeds& speeds,
                          const std::function<void()>& begin);

}  // namespace lbm
