// SPDX-License-Identifier: Apache-2.0

// Memory and threads near a device on machines with several NUMA nodes. Only speed depends on it:
// where the system does not provide the information or refuses, nothing changes and nothing fails.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "solver/core/enum_names.hpp"
#include "solver/machine/machine_facts.hpp"
#include "solver/machine/numa_nodes.hpp"

namespace lbm {

// Consecutive bytes of a range, and the nodes that their pages must be on.
struct PlacedPart {
  std::size_t bytes = 0;
  std::vector<int> nodes;

  bool operator==(const PlacedPart&) const = default;
};

// Where `bytes` of host memory belong: as much as fits on the host node nearest to node `near`, the
// rest on the other host nodes. Never on a node without CPUs, such as the memory of a coherent GPU,
// and not on what a node needs for itself (a part in 64). Empty where there is no choice (one node
// with memory, near -1 on a machine whose nodes all have CPUs), and where the host nodes have too
// little memory: binding would end the program then.
// sharers: processes that place as much near the same node at the same time.
std::vector<PlacedPart> plan_placement(const std::vector<NumaNode>& nodes, int near,
                                       std::size_t bytes, int sharers = 1);

enum class Placement {
  no_choice,  // nothing to do
  bound,      // as plan_placement() says
  preferred,  // too little memory on host nodes: near the node, and anywhere once it is full
  refused,    // the system does not allow it, as in many containers
};

constexpr auto enum_names(Placement) {
  return std::array{"no choice", "bound", "preferred", "refused"};
}

// Places pages that were not touched yet by plan_placement(). data must be page aligned.
Placement place_near(std::byte* data, std::size_t bytes, int near,
                     const SystemFiles& files = SystemFiles::here());

// How many processes of this host place memory near the same node; for later calls of place_near().
void share_numa_node(int sharers);

struct NodeShare {
  int node = 0;
  double share = 0;  // of the pages that were looked at
};

// On which nodes the pages of touched memory are, by node. Looks at up to 1024 pages, evenly
// spread. Empty where the system does not say: no NUMA, not allowed (as in many containers), no
// page touched.
std::vector<NodeShare> node_shares(const std::byte* data, std::size_t bytes);

// Binds the calling thread, and all threads that it creates later, to those cores of the node that
// the process may use; for a node without CPUs, of the nearest one with. OpenMP gets as many
// threads as there are such cores for each process, if `processes` of them share the nodes with
// CPUs evenly. Returns the number of cores; 0, with nothing changed, if there is one node, for node
// -1, and if the process may use none of the cores because it is bound elsewhere.
int stay_on_numa_node(int node, int processes, const SystemFiles& files = SystemFiles::here());

}  // namespace lbm
