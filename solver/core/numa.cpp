// SPDX-License-Identifier: Apache-2.0
#include "solver/core/numa.hpp"

#include <omp.h>
#include <sched.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <climits>
#include <map>

namespace lbm {
namespace {

// Part of the kernel's interface. libnuma would be one more package for two calls.
constexpr int mpol_preferred = 1, mpol_bind = 2;

std::atomic<int> sharers_of_node{1};

bool set_policy(std::byte* data, std::size_t bytes, int policy, const std::vector<int>& nodes) {
#ifdef SYS_mbind
  constexpr int bits = CHAR_BIT * sizeof(unsigned long);
  std::array<unsigned long, 16> mask{};
  constexpr int most = bits * static_cast<int>(mask.size());
  for (const int node : nodes) {
    if (node < 0 || node >= most) return false;
    mask[static_cast<std::size_t>(node / bits)] |= 1UL << (node % bits);
  }
  return syscall(SYS_mbind, data, bytes, policy, mask.data(), most, 0U) == 0;
#else
  return (void)data, (void)bytes, (void)policy, (void)nodes, false;
#endif
}

// Bytes of a node that each of `sharers` processes may take. 1/64 of the node stays free.
std::size_t room_on(const NumaNode& node, int sharers) {
  const std::uint64_t own = node.total / 64;
  return (node.available() - std::min(node.available(), own)) / std::max(1, sharers);
}

// Parts meet at multiples of this, which is a multiple of all base pages.
std::size_t whole_pages(std::size_t bytes) {
  constexpr std::size_t step = std::size_t{2} << 20;
  return bytes / step * step;
}

std::vector<int> numbers_of(const std::vector<NumaNode>& nodes) {
  std::vector<int> numbers;
  numbers.reserve(nodes.size());
  for (const NumaNode& node : nodes) numbers.push_back(node.number);
  return numbers;
}

bool bind_parts(std::byte* data, const std::vector<PlacedPart>& parts) {
  for (const PlacedPart& part : parts) {
    if (!set_policy(data, part.bytes, mpol_bind, part.nodes)) return false;
    data += part.bytes;
  }
  return true;
}

}  // namespace

std::vector<PlacedPart> plan_placement(const std::vector<NumaNode>& nodes, int near,
                                       std::size_t bytes, int sharers) {
  const bool foreign = !nodes_without_cpus(nodes).empty();
  std::vector<NumaNode> host = host_nodes(nodes);
  std::erase_if(host, [](const NumaNode& node) { return node.total == 0; });
  if (host.empty() || (host.size() == 1 && !foreign) || (near < 0 && !foreign)) return {};
  std::size_t room = 0;
  for (const NumaNode& node : host) room += room_on(node, sharers);
  if (bytes > room) return {};
  const int nearest = near < 0 ? -1 : nearest_host_node(nodes, near);
  const auto first = std::find_if(host.begin(), host.end(),
                                  [&](const NumaNode& node) { return node.number == nearest; });
  if (first == host.end()) return {{bytes, numbers_of(host)}};
  const std::size_t fits = room_on(*first, sharers);
  if (bytes <= fits) return {{bytes, {nearest}}};
  std::vector<PlacedPart> parts;
  if (whole_pages(fits) > 0) parts.push_back({whole_pages(fits), {nearest}});
  const std::size_t placed = parts.empty() ? 0 : parts[0].bytes;
  // The rest may use the nearest node too: rounding to whole pages left memory there.
  parts.push_back({bytes - placed, numbers_of(host)});
  return parts;
}

Placement place_near(std::byte* data, std::size_t bytes, int near, const SystemFiles& files) {
  const std::vector<NumaNode> nodes = numa_nodes(files);
  const auto parts = plan_placement(nodes, near, bytes, sharers_of_node);
  if (!parts.empty()) return bind_parts(data, parts) ? Placement::bound : Placement::refused;
  const int nearest = nearest_host_node(nodes, near);
  const auto with_memory = std::count_if(nodes.begin(), nodes.end(),
                                         [](const NumaNode& node) { return node.total > 0; });
  if (nearest < 0 || with_memory < 2) return Placement::no_choice;
  return set_policy(data, bytes, mpol_preferred, {nearest}) ? Placement::preferred
                                                            : Placement::refused;
}

void share_numa_node(int sharers) { sharers_of_node = std::max(1, sharers); }

std::vector<NodeShare> node_shares(const std::byte* data, std::size_t bytes) {
  std::vector<NodeShare> shares;
#ifdef SYS_move_pages
  constexpr std::size_t most = 1024;
  const std::size_t page = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
  const std::size_t pages = bytes / page, count = std::min(pages, most);
  if (count == 0) return shares;
  std::vector<const void*> addresses;
  for (std::size_t i = 0; i < count; ++i) addresses.push_back(data + i * pages / count * page);
  // Without target nodes the call moves nothing and says where the pages are.
  std::vector<int> nodes(count, -1);
  if (syscall(SYS_move_pages, 0, count, addresses.data(), nullptr, nodes.data(), 0) != 0) {
    return shares;
  }
  std::map<int, int> found;
  for (const int node : nodes) {
    if (node >= 0) ++found[node];
  }
  double all = 0;
  for (const auto& [node, times] : found) all += times;
  for (const auto& [node, times] : found) shares.push_back({node, times / all});
#endif
  return shares;
}

int stay_on_numa_node(int node, int processes, const SystemFiles& files) {
  const std::vector<NumaNode> nodes = numa_nodes(files);
  if (node < 0 || nodes.size() < 2) return 0;
  cpu_set_t allowed;
  CPU_ZERO(&allowed);
  if (sched_getaffinity(0, sizeof(allowed), &allowed) != 0) return 0;
  const int nearest = nearest_host_node(nodes, node);
  cpu_set_t near;
  CPU_ZERO(&near);
  for (const NumaNode& own : nodes) {
    if (own.number != nearest) continue;
    for (const int core : own.cpus) {
      if (core < CPU_SETSIZE && CPU_ISSET(core, &allowed)) CPU_SET(core, &near);
    }
  }
  const int count = CPU_COUNT(&near);
  if (count == 0 || sched_setaffinity(0, sizeof(near), &near) != 0) return 0;
  const auto all = static_cast<int>(
      std::count_if(nodes.begin(), nodes.end(), [](const NumaNode& n) { return n.has_cpus(); }));
  const int sharers = std::max(1, (processes + all - 1) / all);
  omp_set_num_threads(std::max(1, count / sharers));
  return count;
}

}  // namespace lbm
