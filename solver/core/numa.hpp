// Memory and threads near a device on machines with several NUMA nodes. A matter of speed only:
// where the system does not tell or does not let, nothing happens and nothing fails.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

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

// The numbers in the text of such a list, in order; empty where it is not one.
std::vector<int> parse_numa_list(std::string_view text);

// Keeps the calling thread, and those that it makes from now on, on those cores of the node that it
// may use; OpenMP takes as many threads as there are such cores for each of `processes` of this
// host, shared by its nodes. Gives the number of cores; 0, and nothing has changed, where there is
// one node, for node -1, and where it may use none of them: someone has bound it elsewhere.
int stay_on_numa_node(int node, int processes,
                      const std::string& nodes = "/sys/devices/system/node");

}  // namespace lbm
