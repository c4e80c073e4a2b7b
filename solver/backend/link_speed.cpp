// SPDX-License-Identifier: Apache-2.0
#include "solver/backend/link_speed.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

#include "solver/core/error.hpp"
#include "solver/core/host_memory.hpp"
#include "solver/core/in_parts.hpp"
#include "solver/core/numa.hpp"

namespace lbm {
namespace {

constexpr const char* link_purpose = "the link's bandwidth";

// The near one first.
std::vector<int> host_node_numbers(const DeviceFacts& device, const std::vector<NumaNode>& nodes) {
  std::vector<int> numbers;
  for (const NumaNode& node : host_nodes(nodes)) {
    if (node.total > 0) numbers.push_back(node.number);
  }
  if (numbers.empty()) return {-1};
  const int near = nearest_host_node(nodes, device.numa_node);
  const auto first = std::find(numbers.begin(), numbers.end(), near);
  if (first != numbers.end()) std::rotate(numbers.begin(), first, first + 1);
  return numbers;
}

}  // namespace

std::string LinkPath::name() const {
  const std::string where = node < 0 ? "" : fmt::format(" on node {}", node);
  return fmt::format("{} memory{}, {}, {} at a time", to_string(memory), where, to_string(method),
                     human_bytes(copy_bytes));
}

std::vector<LinkPath> link_paths(const DeviceFacts& device, const std::vector<NumaNode>& nodes,
                                 std::span<const std::size_t> sizes) {
  std::vector<LinkPath> paths;
  if (device.backend == BackendKind::cpu) return paths;
  for (const std::size_t size : sizes) {
    for (const int node : host_node_numbers(device, nodes)) {
      paths.push_back({HostMemory::pinned, CopyMethod::engine, node, size});
      paths.push_back({HostMemory::pinned, CopyMethod::kernel, node, size});
      if (refusal_of(HostMemory::system, device)) continue;
      paths.push_back({HostMemory::system, CopyMethod::kernel, node, size});
    }
  }
  return paths;
}

LinkProbe::LinkProbe(Backend& backend, const LinkPath& path, std::size_t bytes)
    : backend_(backend),
      bytes_(bytes),
      copy_bytes_(path.copy_bytes),
      host_in_(allocate_host(path)),
      host_out_(allocate_host(path)),
      in_(backend.allocate_device(bytes, link_purpose)),
      out_(backend.allocate_device(bytes, link_purpose)) {
  copy(true, false);  // later reads must not find unwritten memory
  backend.copy_on_device(out_.data(), in_.data(), bytes);
}

// Untouched pages are not in memory, so they are written here.
LinkProbe::Host LinkProbe::allocate_host(const LinkPath& path) const {
  Host host;
  if (path.node < 0 && path.method == CopyMethod::engine) {
    host.memory = backend_.allocate_staging(bytes_, link_purpose);
    std::memset(host.memory.data(), 1, bytes_);
    return host;
  }
  host.memory = map_host_memory(bytes_, link_purpose);
  place_near(host.memory.data(), host.memory.size(), path.node);
  std::memset(host.memory.data(), 1, bytes_);
  host.attached = backend_.attach_host(host.memory.data(), bytes_, path.memory);
  // The kernel is what copies system memory; pinned memory may be copied by it, too.
  if (path.memory == HostMemory::pinned && path.method == CopyMethod::kernel) {
    host.seen_as = backend_.attach_host(host.memory.data(), bytes_, HostMemory::system);
  }
  return host;
}

void LinkProbe::copy(bool in, bool out) {
  for_parts(0, bytes_, copy_bytes_, [&](std::size_t at, std::size_t part) {
    if (in) backend_.copy_in(in_.data() + at, host_in_.memory.data() + at, part);
    if (out) backend_.copy_out(host_out_.memory.data() + at, out_.data() + at, part);
  });
}

void LinkProbe::alone(LinkSpeed& speed) {
  const double size = static_cast<double>(bytes_);
  speed.in = size / best_seconds(backend_, Queue::load, 4, [&] { copy(true, false); });
  speed.out = size / best_seconds(backend_, Queue::store, 4, [&] { copy(false, true); });
}

void LinkProbe::both(LinkSpeed& speed) {
  constexpr int times = 16;
  const double size = static_cast<double>(bytes_);
  const auto in_begin = backend_.make_event(), in_end = backend_.make_event();
  const auto out_begin = backend_.make_event(), out_end = backend_.make_event();
  backend_.record(Queue::load, *in_begin);
  backend_.record(Queue::store, *out_begin);
  for (int i = 0; i < times; ++i) copy(true, true);
  backend_.record(Queue::load, *in_end);
  backend_.record(Queue::store, *out_end);
  backend_.synchronize(*in_end);
  backend_.synchronize(*out_end);
  speed.in_both = times * size / backend_.seconds_between(*in_begin, *in_end);
  speed.out_both = times * size / backend_.seconds_between(*out_begin, *out_end);
}

LinkSpeed measure_link(Backend& backend, const LinkPath& path, std::size_t bytes) {
  LinkSpeed speed;
  if (backend.free_memory() < 4 * bytes) return speed;
  try {
    LinkProbe probe(backend, path, bytes);
    probe.alone(speed);
    probe.both(speed);
  } catch (const ResourceError&) {  // another process has taken the memory
    return {};
  }
  return speed;
}

bool system_memory_pays(const LinkSpeed& pinned, const LinkSpeed& system) {
  return pinned.measured() && system.measured() &&
         system.slower_of_both() > 1.2 * pinned.slower_of_both();
}

double measure_copy_bandwidth(Backend& backend) {
  // On a GPU far larger than any cache. On a CPU larger than the caches of its cores, and small
  // beside the memory that is free: the measurement must not be what a small machine runs out of.
  const bool gpu = backend.kind() == BackendKind::cuda;
  const std::size_t bytes = std::size_t{gpu ? 1024U : 64U} << 20;
  if (backend.free_memory() < (gpu ? 4 : 8) * bytes) return 0;
  try {
    const Buffer from = backend.allocate_device(bytes, "the copy bandwidth");
    const Buffer to = backend.allocate_device(bytes, "the copy bandwidth");
    // On a CPU, pages that were never written are not in memory.
    backend.clear(Queue::update, from.data(), bytes);
    backend.clear(Queue::update, to.data(), bytes);
    const double seconds = best_seconds(backend, Queue::update, 6, [&] {
      backend.copy_on_device(to.data(), from.data(), bytes);
      backend.copy_on_device(from.data(), to.data(), bytes);
    });
    return 4 * static_cast<double>(bytes) / seconds;
  } catch (const ResourceError&) {  // a limit (ulimit -v), or another process has taken the memory
    return 0;
  }
}

}  // namespace lbm
