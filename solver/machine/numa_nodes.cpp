// SPDX-License-Identifier: Apache-2.0
#include "solver/machine/numa_nodes.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <climits>
#include <iterator>
#include <numeric>
#include <optional>
#include <sstream>

namespace lbm {
namespace {

constexpr int most_number = 1 << 20;  // no machine has so many of anything

std::optional<int> whole(std::string_view text) {
  int value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (text.empty() || error != std::errc{} || end != text.data() + text.size()) return {};
  return value;
}

// A line "Node 1 KEY:   123 kB" in bytes; 0 without one.
std::uint64_t node_bytes(const std::string& text, int node, const char* key) {
  return bytes_in(value_in(text, fmt::format("Node {} {}", node, key))).value_or(0);
}

NumaNode read_node(const SystemFiles& files, int number) {
  const std::string directory = fmt::format("/sys/devices/system/node/node{}", number);
  NumaNode node;
  node.number = number;
  node.cpus = parse_numa_list(files.text(directory + "/cpulist"));
  const std::string meminfo = files.text(directory + "/meminfo");
  node.total = node_bytes(meminfo, number, "MemTotal");
  node.free = std::min(node.total, node_bytes(meminfo, number, "MemFree"));
  const std::uint64_t cache = node_bytes(meminfo, number, "Active(file)") +
                              node_bytes(meminfo, number, "Inactive(file)") +
                              node_bytes(meminfo, number, "SReclaimable");
  node.reclaimable = std::min(cache, node.total - node.free);
  std::istringstream distances(files.text(directory + "/distance"));
  node.distances.assign(std::istream_iterator<int>(distances), {});
  return node;
}

int distance_between(const std::vector<NumaNode>& nodes, int from, int to) {
  for (const NumaNode& node : nodes) {
    if (node.number != from) continue;
    // The columns are the nodes that are online, in order.
    for (std::size_t i = 0; i < std::min(nodes.size(), node.distances.size()); ++i) {
      if (nodes[i].number == to) return node.distances[i];
    }
  }
  return INT_MAX;
}

}  // namespace

std::vector<int> parse_numa_list(std::string_view text) {
  std::vector<int> numbers;
  text = trimmed(text);
  while (!text.empty()) {
    const std::string_view range = text.substr(0, text.find(','));
    text.remove_prefix(std::min(range.size() + 1, text.size()));
    const std::size_t dash = range.find('-');
    const auto first = whole(range.substr(0, dash));
    const auto last = dash == std::string_view::npos ? first : whole(range.substr(dash + 1));
    if (!first || !last || *first < 0 || *last < *first || *last > most_number) return {};
    const std::size_t before = numbers.size();
    numbers.resize(before + static_cast<std::size_t>(*last - *first + 1));
    std::iota(numbers.begin() + static_cast<std::ptrdiff_t>(before), numbers.end(), *first);
  }
  return numbers;
}

std::string numa_list(const std::vector<int>& numbers) {
  std::string text;
  for (std::size_t i = 0; i < numbers.size();) {
    std::size_t last = i;
    while (last + 1 < numbers.size() && numbers[last + 1] == numbers[last] + 1) ++last;
    if (!text.empty()) text += ",";
    text +=
        last == i ? fmt::format("{}", numbers[i]) : fmt::format("{}-{}", numbers[i], numbers[last]);
    i = last + 1;
  }
  return text;
}

std::vector<NumaNode> numa_nodes(const SystemFiles& files) {
  std::vector<NumaNode> nodes;
  for (const int number : parse_numa_list(files.text("/sys/devices/system/node/online"))) {
    nodes.push_back(read_node(files, number));
  }
  const auto allowed = parse_numa_list(files.value("/proc/self/status", "Mems_allowed_list"));
  const auto is_allowed = [&](const NumaNode& node) {
    return std::find(allowed.begin(), allowed.end(), node.number) != allowed.end();
  };
  // A list that names none of the nodes is of another machine.
  if (std::none_of(nodes.begin(), nodes.end(), is_allowed)) return nodes;
  for (NumaNode& node : nodes) node.allowed = is_allowed(node);
  return nodes;
}

std::vector<NumaNode> host_nodes(const std::vector<NumaNode>& nodes) {
  std::vector<NumaNode> host;
  std::copy_if(nodes.begin(), nodes.end(), std::back_inserter(host),
               [](const NumaNode& node) { return node.has_cpus() && node.allowed; });
  return host.empty() ? nodes : host;
}

std::vector<NumaNode> nodes_without_cpus(const std::vector<NumaNode>& nodes) {
  std::vector<NumaNode> others;
  const bool known =
      std::any_of(nodes.begin(), nodes.end(), [](const NumaNode& node) { return node.has_cpus(); });
  if (!known) return others;
  std::copy_if(nodes.begin(), nodes.end(), std::back_inserter(others),
               [](const NumaNode& node) { return !node.has_cpus() && node.total > 0; });
  return others;
}

int nearest_host_node(const std::vector<NumaNode>& nodes, int node) {
  int nearest = -1, least = INT_MAX;
  const bool known = std::any_of(nodes.begin(), nodes.end(),
                                 [&](const NumaNode& other) { return other.number == node; });
  if (!known) return -1;
  for (const NumaNode& host : host_nodes(nodes)) {
    if (host.number == node) return node;
    const int distance = distance_between(nodes, node, host.number);
    if (nearest < 0 || distance < least) {
      nearest = host.number;
      least = distance;
    }
  }
  return nearest;
}

int numa_node_of_pci(const std::string& pci_id, const SystemFiles& files) {
  const auto node = files.number("/sys/bus/pci/devices/" + pci_id + "/numa_node");
  return node && *node < most_number ? static_cast<int>(*node) : -1;
}

}  // namespace lbm
