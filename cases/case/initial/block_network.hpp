// SPDX-License-Identifier: Apache-2.0

// Blocks of a porous medium that are joined by conductances, and their pressures.
#pragma once

#include <array>
#include <vector>

namespace lbm::cases {

// Blocks of a box that are joined by conductances. Arrays are [z][y][x] of the blocks.
struct BlockNetwork {
  std::array<int, 3> blocks{1, 1, 1};
  // Flow from a block to the next along each axis, over the difference of pressures. The link of
  // the last block of an axis leads to the first one.
  std::array<std::vector<float>, 3> link;
  std::vector<float> open;     // conductance from a block to faces that fix the pressure
  std::vector<double> source;  // flow into a block where all blocks have pressure 0
};

// Pressures at which all flows into each block add to zero: conjugate gradients with the diagonal
// as preconditioner, until the residual is 1e-6 of the source. Blocks with pressure 0 are the
// start, so that of all solutions of a network without open blocks the one near it is found. Runs
// on all threads; their number does not change the bits.
std::vector<double> block_pressures(const BlockNetwork& network);

}  // namespace lbm::cases
