// Memory near a device on machines with several NUMA nodes. A matter of speed only: where the
// system does not tell or does not let, nothing happens and nothing fails.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace lbm {

// The node in the text of a sysfs file numa_node ("1\n"). -1 where it holds none.
int parse_numa_node(std::string_view text);

// Number of nodes in the text of a sysfs list of ranges ("0-3,8\n"); 0 where it is not one.
int count_numa_nodes(std::string_view text);

// The node of a PCI device ("0000:17:00.0"); -1: unknown, or all memory is equally near. `devices`
// is where the system describes them.
int numa_node_of_pci(const std::string& pci_id,
                     const std::string& devices = "/sys/bus/pci/devices");

// Asks for the pages of memory that was not touched yet to come from that node while it has some,
// and else from others. data must be page aligned. False where there is nothing to prefer: one
// node, node -1, or no such call on this system.
bool prefer_numa_node(std::byte* data, std::size_t bytes, int node);

}  // namespace lbm
