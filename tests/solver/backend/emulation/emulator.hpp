// SPDX-License-Identifier: Apache-2.0

// Runs a kernel on the CPU: blocks one after the other, the threads of a block as fibers on the
// caller's thread. A fiber runs until it waits at a barrier of its block or at a vote of its warp.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>

struct dim3 {
  constexpr dim3(unsigned width = 1, unsigned height = 1, unsigned depth = 1)
      : x(width), y(height), z(depth) {}
  unsigned x, y, z;
};

namespace emulation {

inline constexpr std::size_t most_shared_bytes =
    232448;  // of a block, as on compute capability 9.0

// Calls `thread` for every thread of every block; where it is called, the variables below tell
// which thread runs.
void run_kernel(const dim3& grid, const dim3& block, const std::function<void()>& thread);

extern dim3 block_index, thread_index, block_size, grid_size;

// Waits until all threads of the block that have not ended wait here.
void synchronize_block();
// Waits until all threads of the warp that have not ended have come here with their words. lanes:
// gets the words of all 32 lanes. Returns the bits of those that came.
unsigned exchange_in_warp(std::uint64_t word, std::uint64_t (&lanes)[32]);

}  // namespace emulation
