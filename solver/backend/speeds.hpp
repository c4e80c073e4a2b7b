// SPDX-License-Identifier: Apache-2.0

// Measured speeds of a device, the input of predictions: of its kernels, and of copies, on the
// device and between it and the host by each way that it has.
#pragma once

#include <algorithm>
#include <cstddef>
#include <functional>
#include <map>
#include <span>
#include <string>
#include <vector>

#include "solver/backend/backend.hpp"
#include "solver/machine/numa_nodes.hpp"

namespace lbm {

// Bytes per second. 0: not measured.
struct LinkSpeed {
  double in = 0, out = 0;            // host to device and back, alone
  double in_both = 0, out_both = 0;  // both at once

  bool measured() const { return in > 0 && out > 0 && in_both > 0 && out_both > 0; }
  double slower_of_both() const { return in_both < out_both ? in_both : out_both; }
};

enum class CopyMethod {
  engine,  // the copy engines of the GPU
  kernel,  // the copy kernel, which reads and writes host memory itself
};

constexpr auto enum_names(CopyMethod) { return std::array{"copy engine", "copy kernel"}; }

struct LinkPath {
  HostMemory memory = HostMemory::pinned;
  CopyMethod method = CopyMethod::engine;
  int node = -1;               // NUMA node of the host memory; -1: the system places it
  std::size_t copy_bytes = 0;  // of one copy: a multiple of 16

  // "pinned memory on node 0, copy engine, 80 MiB at a time"
  std::string name() const;
};

// All ways that the device has, for copies of each of these sizes: pinned memory by engine and by
// kernel, and system memory where it can use that; on each host node, the near one first. Not
// managed memory, whose pages move to the device and stay until something needs them on the host.
// sizes: bytes. None for a CPU.
std::vector<LinkPath> link_paths(const DeviceFacts& device, const std::vector<NumaNode>& nodes,
                                 std::span<const std::size_t> sizes);

// Memory on both sides of a link, and copies between them.
class LinkProbe {
 public:
  // bytes: each way, a multiple of path.copy_bytes. Takes 2 * bytes on the host and on the device.
  // Throws ResourceError where memory is short. The backend must outlive the probe.
  LinkProbe(Backend& backend, const LinkPath& path, std::size_t bytes);

  // The fastest of four times `bytes`, each direction alone.
  void alone(LinkSpeed& speed);
  // As much each way at the same time, 16 times `bytes`: the faster direction waits for the other
  // one. Takes the average, not the best: runs are long, and links of shared hosts have slow
  // periods.
  void both(LinkSpeed& speed);

 private:
  struct Host {
    Buffer memory, attached, seen_as;  // released in the opposite order
  };

  Host allocate_host(const LinkPath& path) const;
  void copy(bool in, bool out);  // all bytes, one way or both in turn

  Backend& backend_;
  std::size_t bytes_, copy_bytes_;
  Host host_in_, host_out_;
  Buffer in_, out_;
};

// All four speeds; zeros where memory is short.
LinkSpeed measure_link(Backend& backend, const LinkPath& path, std::size_t bytes);

// True if `host.memory: auto` takes plain memory: the kernel copies plain memory over 1.2 times as
// fast as the engines copy pinned memory, both directions at once. The kernel must be that much
// faster because it occupies an eighth of the multiprocessors.
bool system_memory_pays(const LinkSpeed& pinned, const LinkSpeed& system);

// Seconds of the fastest of a few repeats of `work`, by events on `queue`.
template <class Work>
double best_seconds(Backend& backend, Queue queue, int repeats, const Work& work) {
  const auto begin = backend.make_event(), end = backend.make_event();
  double best = 1e30;
  for (int i = 0; i < repeats; ++i) {
    backend.record(queue, *begin);
    work();
    backend.record(queue, *end);
    backend.synchronize(*end);
    best = std::min(best, backend.seconds_between(*begin, *end));
  }
  return best;
}

// Bytes read plus bytes written per second by a plain copy inside the device's memory, the best of
// a few runs. Takes up to 2 GiB on a GPU and 128 MiB on a CPU for some milliseconds; returns 0 if
// too little memory is free or allowed.
double measure_copy_bandwidth(Backend& backend);

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
  // On a CPU, which computes longer than it moves the bytes: of populations in fp32, by velocity
  // set and collision, such as "D3Q27 trt". Those above are of bgk on D3Q19, and those of moments.
  std::map<std::string, double> models;
  LinkSpeed
      system_link{};  // with plain memory and the copy kernel; measured on coherent links only

  // True if all speeds that a prediction needs are known.
  bool measured(StorageType storage, Representation representation) const;
  const Update& update(StorageType storage, Representation representation) const;
  Update& update(StorageType storage, Representation representation);
  bool measured(const Lattice& lattice) const {
    return measured(lattice.storage, lattice.representation);
  }
  // With the collision and the velocity set of the lattice, where those were measured.
  Update update(const Lattice& lattice) const;

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
