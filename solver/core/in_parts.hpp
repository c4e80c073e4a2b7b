// SPDX-License-Identifier: Apache-2.0

// Shares a loop among threads.
#pragma once

#include <cstddef>
#include <functional>

namespace lbm {

// Calls work(from, to) for parts of 0 ... count - 1, each number once, by so many threads
// (OpenMP's, which stay awake for a while: calls may be short). Returns when all are done. work
// must not throw.
void run_in_parts(int threads, std::size_t count,
                  const std::function<void(std::size_t from, std::size_t to)>& work);

// The same with from and to as the type of count.
template <class Count, class Work>
void in_parts(int threads, Count count, const Work& work) {
  run_in_parts(threads, static_cast<std::size_t>(count), [&](std::size_t from, std::size_t to) {
    work(static_cast<Count>(from), static_cast<Count>(to));
  });
}

}  // namespace lbm
