// SPDX-License-Identifier: Apache-2.0

// How fast copies are: on a device, and between the host and a device, by each way that it has.
#pragma once

#include <algorithm>
#include <cstddef>
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

}  // namespace lbm
