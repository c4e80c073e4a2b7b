// SPDX-License-Identifier: Apache-2.0

// Measured speeds of a device: the input of predictions.
#pragma once

#include <functional>
#include <string>

#include "solver/backend/backend.hpp"
#include "solver/backend/link_speed.hpp"

namespace lbm {

// Bytes per second throughout; a copy on the device counts bytes read and bytes written.
struct DeviceSpeeds {
  // The update kernel for one storage type and representation: a launch of n planes takes
  // launch_seconds + n times the traffic of a plane (every value read and written once) /
  // bytes_per_second. 0: not measured.
  struct Update {
    double bytes_per_second = 0;
    double launch_seconds = 0;
    // The same for two steps in one pass, whose planes between them stay in the caches of a CPU or
    // on the chip of a GPU (tiling/model/performance_model.hpp). 0: not measured.
    double blocked_bytes_per_second = 0;
  };

  std::string device;
  std::string when;  // of the measurement, such as "2026-11-23 13:05:02 UTC"; empty: unknown
  double load = 0;   // load average of the host just before it
  double copy = 0;   // on the device
  // Between the host and the device, with this kind of host memory.
  HostMemory host_memory = HostMemory::pinned;
  double link_in = 0, link_out = 0;            // host to device and back, alone
  double link_in_both = 0, link_out_both = 0;  // both at once
  bool queues_overlap = true;  // copies and kernels run concurrently; not so on a CPU
  Update fp16, fp32, fp64;     // populations
  Update moments_fp16, moments_fp32, moments_fp64;
  LinkSpeed
      system_link{};  // with plain memory and the copy kernel; measured on coherent links only

  // True if all speeds that a prediction needs are known.
  bool measured(StorageType storage, Representation representation) const;
  const Update& update(StorageType storage, Representation representation) const;
  Update& update(StorageType storage, Representation representation);
  bool measured(const Lattice& lattice) const {
    return measured(lattice.storage, lattice.representation);
  }
  const Update& update(const Lattice& lattice) const {
    return update(lattice.storage, lattice.representation);
  }

  LinkSpeed link() const;  // link_in and the other three
  void set_link(const LinkSpeed& link);
  // The kind that `host.memory: auto` takes: pinned, or system where that pays.
  HostMemory fastest_host_memory() const;
  // The same with the link speeds of that kind of host memory, where they were measured.
  DeviceSpeeds with_host_memory(HostMemory kind) const;
};

// Calls visit(storage, representation) for each update kernel whose speed is kept.
template <class Visit>
void for_each_kernel(const Visit& visit) {
  for (const StorageType storage : all_storage_types) {
    for (const Representation representation : all_representations) visit(storage, representation);
  }
}

// Takes one or two seconds on a GPU and on a CPU, up to `budget` bytes of device memory and half a
// GiB of host memory (a CPU: a quarter in all). Speeds whose measurement does not fit stay 0.
DeviceSpeeds measure_speeds(Backend& backend, std::size_t budget);

// Measures link_in_both and link_out_both again while other ranks use their links. begin() is
// called exactly once, when all is ready, and waits for the others. Takes half a second and 2 GiB
// each of host and device memory; without them nothing is measured. GPUs only.
void measure_link_of_both(Backend& backend, DeviceSpeeds& speeds,
                          const std::function<void()>& begin);

}  // namespace lbm
