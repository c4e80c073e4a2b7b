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
#include <set>

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

}  // namespace

std::vector<PlacedPart> plan_placement(const std::vector<NumaNode>& nodes, int near,
                                       std::size_t bytes, int sharers) {
  const bool foreign = !nodes_without_cpus(nodes).empty();
  std::vector<NumaNode> host = host_nodes(nodes);
  std::erase_if(host, [](const NumaNode& node) { return node.total == 0; });
  if (host.empty() || (host.size() == 1 && !foreign) || (near < 0 && !foreign)) return {};
  const int nearest = near < 0 ? -1 : nearest_host_node(nodes, near);
  std::size_t all = 0, fits = 0;  // on all host nodes, on the nearest one
  std::vector<int> numbers;
  for (const NumaNode& node : host) {
    numbers.push_back(node.number);
    all += room_on(node, sharers);
    if (node.number == nearest) fits = room_on(node, sharers);
  }
  if (bytes > all) return {};
  if (nearest >= 0 && bytes <= fits) return {{bytes, {nearest}}};
  // Parts meet at multiples of this, which is a multiple of all base pages. The rest may use the
  // nearest node too: rounding left memory there.
  constexpr std::size_t step = std::size_t{2} << 20;
  const std::size_t whole = fits / step * step;
  if (whole == 0) return {{bytes, numbers}};
  return {{whole, {nearest}}, {bytes - whole, numbers}};
}

Placement place_near(std::byte* data, std::size_t bytes, int near, const SystemFiles& files) {
  const std::vector<NumaNode> nodes = numa_nodes(files);
  const auto parts = plan_placement(nodes, near, bytes, sharers_of_node);
  for (const PlacedPart& part : parts) {
    if (!set_policy(data, part.bytes, mpol_bind, part.nodes)) return Placement::refused;
    data += part.bytes;
  }
  if (!parts.empty()) return Placement::bound;
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
  std::erase_if(nodes, [](int node) { return node < 0; });  // not touched
  const auto all = static_cast<double>(nodes.size());
  for (const int node : std::set<int>(nodes.begin(), nodes.end())) {
    const auto times = std::count(nodes.begin(), nodes.end(), node);
    shares.push_back({node, static_cast<double>(times) / all});
  }
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
  const auto own = std::find_if(nodes.begin(), nodes.end(),
                                [&](const NumaNode& n) { return n.number == nearest; });
  if (own == nodes.end()) return 0;
  cpu_set_t near;
  CPU_ZERO(&near);
  for (const int core : own->cpus) {
    if (core < CPU_SETSIZE && CPU_ISSET(core, &allowed)) CPU_SET(core, &near);
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
