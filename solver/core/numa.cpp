// SPDX-License-Identifier: Apache-2.0
#include "solver/core/numa.hpp"

#include <fmt/format.h>
#include <omp.h>
#include <sched.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <climits>
#include <fstream>
#include <iterator>
#include <optional>

namespace lbm {
namespace {

constexpr int most_number = 1 << 20;  // no machine has so many of anything

std::string_view trimmed(std::string_view text) {
  const auto blank = [](char c) { return c == ' ' || c == '\n' || c == '\t'; };
  while (!text.empty() && blank(text.back())) text.remove_suffix(1);
  while (!text.empty() && blank(text.front())) text.remove_prefix(1);
  return text;
}

std::optional<int> whole(std::string_view text) {
  int value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (text.empty() || error != std::errc{} || end != text.data() + text.size()) return {};
  return value;
}

std::string file_text(const std::string& path) {
  std::ifstream file(path);
  return {std::istreambuf_iterator<char>(file), {}};
}

}  // namespace

int parse_numa_node(std::string_view text) {
  const int node = whole(trimmed(text)).value_or(-1);
  return node >= 0 ? node : -1;
}

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
    for (int i = *first; i <= *last; ++i) numbers.push_back(i);
  }
  return numbers;
}

int count_numa_nodes(std::string_view text) {
  return static_cast<int>(parse_numa_list(text).size());
}

int stay_on_numa_node(int node, int processes, const std::string& nodes) {
  const int all = count_numa_nodes(file_text(nodes + "/online"));
  if (node < 0 || all < 2) return 0;
  cpu_set_t allowed;
  CPU_ZERO(&allowed);
  if (sched_getaffinity(0, sizeof(allowed), &allowed) != 0) return 0;
  cpu_set_t near;
  CPU_ZERO(&near);
  for (const int core : parse_numa_list(file_text(fmt::format("{}/node{}/cpulist", nodes, node)))) {
    if (core < CPU_SETSIZE && CPU_ISSET(core, &allowed)) CPU_SET(core, &near);
  }
  const int count = CPU_COUNT(&near);
  if (count == 0 || sched_setaffinity(0, sizeof(near), &near) != 0) return 0;
  const int sharers = std::max(1, (processes + all - 1) / all);
  omp_set_num_threads(std::max(1, count / sharers));
  return count;
}

int numa_node_of_pci(const std::string& pci_id, const std::string& devices) {
  return pci_id.empty() ? -1 : parse_numa_node(file_text(devices + "/" + pci_id + "/numa_node"));
}

bool prefer_numa_node(std::byte* data, std::size_t bytes, int node) {
#ifdef SYS_mbind
  // A direct system call: libnuma would be one more package for one line.
  constexpr int mpol_preferred = 1;  // part of the kernel's interface
  constexpr int bits = CHAR_BIT * sizeof(unsigned long);
  std::array<unsigned long, 16> mask{};
  constexpr int most = bits * static_cast<int>(mask.size());
  if (node < 0 || node >= most) return false;
  if (count_numa_nodes(file_text("/sys/devices/system/node/online")) < 2) return false;
  mask[static_cast<std::size_t>(node / bits)] = 1UL << (node % bits);
  return syscall(SYS_mbind, data, bytes, mpol_preferred, mask.data(), most, 0U) == 0;
#else
  return (void)data, (void)bytes, (void)node, false;
#endif
}

}  // namespace lbm
