// SPDX-License-Identifier: Apache-2.0
#include "tests/solver/backend/emulation/emulator.hpp"

#include <ucontext.h>

#include <algorithm>
#include <memory>
#include <mutex>
#include <stdexcept>
#include <vector>

#ifdef __SANITIZE_THREAD__
#include <sanitizer/tsan_interface.h>
#endif

namespace emulation {

dim3 block_index, thread_index, block_size, grid_size;

namespace {

constexpr std::size_t stack_bytes = std::size_t{64} << 10;
constexpr unsigned lanes_per_warp = 32;

enum class State { ready, at_barrier, at_vote, ended };

// The calls and returns of a stack, as the thread sanitizer records them. The sanitizer must be
// told when a thread switches to another stack. Without the sanitizer these functions do nothing.
#ifdef __SANITIZE_THREAD__
#define LBM_UNWATCHED_CALL __attribute__((no_sanitize("thread")))
struct DestroyFiber {
  void operator()(void* fiber) const { __tsan_destroy_fiber(fiber); }
};
using Watched = std::unique_ptr<void, DestroyFiber>;
Watched watch() { return Watched(__tsan_create_fiber(0)); }
void* watched_now() { return __tsan_get_current_fiber(); }
LBM_UNWATCHED_CALL void say_switch(void* to) { __tsan_switch_to_fiber(to, 0); }
#else
#define LBM_UNWATCHED_CALL
using Watched = std::unique_ptr<int>;
Watched watch() { return nullptr; }
void* watched_now() { return nullptr; }
void say_switch(void* /*to*/) {}
#endif

struct Fiber {
  ucontext_t context;
  std::unique_ptr<std::byte[]> stack;
  Watched watched;
  dim3 index;
  State state = State::ended;
  std::uint64_t word = 0;
};
struct Warp {
  std::uint64_t words[lanes_per_warp];
  unsigned came = 0;
};

ucontext_t scheduler;
void* watched_scheduler = nullptr;
std::vector<Fiber> fibers;
std::vector<Warp> warps;
std::size_t running = 0, used = 0;  // fibers
const std::function<void()>* body = nullptr;
std::mutex one_at_a_time;  // threads of the host

void wait(State state) {
  fibers[running].state = state;
  say_switch(watched_scheduler);
  swapcontext(&fibers[running].context, &scheduler);
}

// Is entered once for each block and never left, which would fill the list of calls.
LBM_UNWATCHED_CALL void start() {
  (*body)();
  fibers[running].state = State::ended;
  say_switch(watched_scheduler);
  swapcontext(&fibers[running].context, &scheduler);
}

void resume(std::size_t i) {
  running = i;
  thread_index = fibers[i].index;
  say_switch(fibers[i].watched.get());
  swapcontext(&scheduler, &fibers[i].context);
}

// True if at least one fiber in [begin, end) is in this state and all others are so or have ended.
bool all_wait(std::size_t begin, std::size_t end, State state) {
  bool any = false;
  for (std::size_t i = begin; i < end; ++i) {
    if (fibers[i].state == state) any = true;
    if (fibers[i].state != state && fibers[i].state != State::ended) return false;
  }
  return any;
}

void release(std::size_t begin, std::size_t end) {
  for (std::size_t i = begin; i < end; ++i) {
    if (fibers[i].state != State::ended) fibers[i].state = State::ready;
  }
}

// Lets those go on that have waited for others long enough. False: all have ended.
bool release_some() {
  bool any = false;
  for (std::size_t w = 0; w < warps.size(); ++w) {
    const std::size_t begin = w * lanes_per_warp, end = std::min(used, begin + lanes_per_warp);
    if (!all_wait(begin, end, State::at_vote)) continue;
    warps[w].came = 0;
    for (std::size_t i = begin; i < end; ++i) {
      warps[w].words[i - begin] = fibers[i].word;
      if (fibers[i].state == State::at_vote) warps[w].came |= 1U << (i - begin);
    }
    release(begin, end);
    any = true;
  }
  if (any) return true;
  if (all_wait(0, used, State::at_barrier)) {
    release(0, used);
    return true;
  }
  for (std::size_t i = 0; i < used; ++i) {
    if (fibers[i].state != State::ended) throw std::logic_error("emulation: a kernel hangs");
  }
  return false;
}

void prepare(const dim3& block) {
  used = std::size_t{block.x} * block.y * block.z;
  if (fibers.size() < used) fibers.resize(used);
  warps.resize((used + lanes_per_warp - 1) / lanes_per_warp);
  for (std::size_t i = 0; i < used; ++i) {
    Fiber& fiber = fibers[i];
    if (fiber.stack == nullptr) fiber.stack = std::make_unique<std::byte[]>(stack_bytes);
    if (fiber.watched == nullptr) fiber.watched = watch();
    const auto n = static_cast<unsigned>(i);
    fiber.index = {n % block.x, n / block.x % block.y, n / (block.x * block.y)};
    fiber.state = State::ready;
    getcontext(&fiber.context);
    fiber.context.uc_stack.ss_sp = fiber.stack.get();
    fiber.context.uc_stack.ss_size = stack_bytes;
    fiber.context.uc_link = nullptr;
    makecontext(&fiber.context, start, 0);
  }
}

}  // namespace

void run_kernel(const dim3& grid, const dim3& block, const std::function<void()>& thread) {
  const std::lock_guard lock(one_at_a_time);
  watched_scheduler = watched_now();
  body = &thread;
  block_size = block;
  grid_size = grid;
  for (unsigned z = 0; z < grid.z; ++z) {
    for (unsigned y = 0; y < grid.y; ++y) {
      for (unsigned x = 0; x < grid.x; ++x) {
        block_index = {x, y, z};
        prepare(block);
        do {
          for (std::size_t i = 0; i < used; ++i) {
            if (fibers[i].state == State::ready) resume(i);
          }
        } while (release_some());
      }
    }
  }
}

void synchronize_block() { wait(State::at_barrier); }

unsigned exchange_in_warp(std::uint64_t word, std::uint64_t (&lanes)[32]) {
  const std::size_t own = running;
  fibers[own].word = word;
  wait(State::at_vote);
  const Warp& warp = warps[own / lanes_per_warp];
  for (unsigned i = 0; i < lanes_per_warp; ++i) lanes[i] = warp.words[i];
  return warp.came;
}

}  // namespace emulation
