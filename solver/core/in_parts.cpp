// SPDX-License-Identifier: Apache-2.0
#include "solver/core/in_parts.hpp"

#include <algorithm>

namespace lbm {

void run_in_parts(int threads, std::size_t count,
                  const std::function<void(std::size_t from, std::size_t to)>& work) {
  if (threads <= 1 || count <= 1) {
    if (count > 0) work(0, count);
    return;
  }
  constexpr std::size_t parts_a_thread = 4;  // some parts take longer than others
  const std::size_t parts = std::min(count, parts_a_thread * static_cast<std::size_t>(threads));
#pragma omp parallel for schedule(dynamic) num_threads(threads)
  for (std::size_t part = 0; part < parts; ++part) {
    work(count * part / parts, count * (part + 1) / parts);
  }
}

}  // namespace lbm
