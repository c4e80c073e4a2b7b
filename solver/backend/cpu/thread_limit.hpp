// SPDX-License-Identifier: Apache-2.0

// A check that the process may start the threads that OpenMP will start.
#pragma once

namespace lbm::cpu {

// Starts threads - 1 threads beside the calling one and ends them again, the first time that a
// process calls it with so many. Throws std::system_error where the system refuses one (ulimit -u,
// or ulimit -v, which their stacks count for): OpenMP would end the process there.
void check_thread_limit(int threads);

}  // namespace lbm::cpu
