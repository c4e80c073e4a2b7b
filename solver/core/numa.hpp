// SPDX-License-Identifier: Apache-2.0

// Memory and threads near a device on machines with several NUMA nodes. Only speed depends on it:
// where the system does not provide the information or refuses, nothing changes and nothing fails.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace lbm {

// The node in the text of a sysfs file numa_node ("1\n"); -1: none.
int parse_numa_node(std::string_view text);

// Number of nodes in the text of a sysfs list of ranges ("0-3,8\n"); 0 for other text.
int count_numa_nodes(std::string_view text);

// The node of a PCI device ("0000:17:00.0"); -1: unknown, or all memory is equally near. devices:
// the directory of the system's descriptions.
int numa_node_of_pci(const std::string& pci_id,
                     const std::string& devices = "/sys/bus/pci/devices");

// Places pages that were not touched yet on the node, and on others when it is full. data must be
// page aligned. False where there is no choice: one node, node -1, or no such system call.
bool prefer_numa_node(std::byte* data, std::size_t bytes, int node);

// The numbers in the text of a sysfs list of ranges, in order; empty for other text.
std::vector<int> parse_numa_list(std::string_view text);

// Binds the calling thread, and all threads that it creates later, to those cores of the node that
// the process may use. OpenMP gets as many threads as there are such cores for each process, if
// `processes` of them share the nodes of the host evenly. Returns the number of cores; 0, with
// nothing changed, if there is one node, for node -1, and if the process may use none of the cores
// because it is bound elsewhere.
int stay_on_numa_node(int node, int processes,
                      const std::string& nodes = "/sys/devices/system/node");

}  // namespace lbm
