// How the planes of a pipeline are read between runs.
#include <algorithm>
#include <array>
#include <cstring>

#include "tiling/pipeline_turn.hpp"

namespace lbm::tiling {
namespace {

constexpr std::size_t fetch_bytes = std::size_t{64} << 20;

}  // namespace

void Pipeline::read_plane(int z, std::byte* to) {
  const std::size_t bytes = device_.lattice.layout.bytes;
  const int slot = planner_->resident_slot(z);
  if (slot < 0) {
    std::memcpy(to, store_.load_from(z), bytes);
    return;
  }
  backend_.copy_out(to, device_.slots + static_cast<std::size_t>(slot) * bytes, bytes);
  const auto done = backend_.make_event();
  backend_.record(Lane::store, *done);
  backend_.synchronize(*done);
}

void Pipeline::read_planes(const std::function<void(int, std::span<const std::byte>)>& take) {
  const bool on_device = planner_->resident_slot(0) >= 0 && backend_.kind() != BackendKind::cpu;
  on_device ? fetch_planes(take) : read_host_planes(take);
}

// The device of the CPU backend is host memory, too.
void Pipeline::read_host_planes(const std::function<void(int, std::span<const std::byte>)>& take) {
  const std::size_t bytes = device_.lattice.layout.bytes;
  const int nz = device_.lattice.nz;
  const auto place = [&](int z) -> const std::byte* {
    const int slot = planner_->resident_slot(z);
    return slot < 0 ? store_.load_from(z) : device_.slots + static_cast<std::size_t>(slot) * bytes;
  };
  for (int first = 0, last = 0; first < nz; first = last) {
    const std::byte* const begin = place(first);
    for (last = first + 1; last < nz; ++last) {
      if (place(last) != begin + static_cast<std::size_t>(last - first) * bytes) break;
    }
    take(first, {begin, static_cast<std::size_t>(last - first) * bytes});
  }
}

// While some planes are taken, the next ones come.
void Pipeline::fetch_planes(const std::function<void(int, std::span<const std::byte>)>& take) {
  const std::size_t bytes = device_.lattice.layout.bytes;
  const int nz = device_.lattice.nz;
  const int group = std::clamp(static_cast<int>(fetch_bytes / bytes), 1, nz);
  struct Area {
    Buffer memory;
    std::unique_ptr<Event> fetched;
  };
  std::array<Area, 2> areas;
  for (Area& area : areas) {
    area.memory =
        backend_.allocate_staging(bytes * static_cast<std::size_t>(group), "a checkpoint");
    area.fetched = backend_.make_event();
  }
  const auto area_of = [&](int first) -> Area& {
    return areas[static_cast<std::size_t>(first / group % 2)];
  };
  const auto fetch = [&](int first) {
    for (int z = first; z < std::min(first + group, nz); ++z) {
      backend_.copy_out(
          area_of(first).memory.data() + static_cast<std::size_t>(z - first) * bytes,
          device_.slots + static_cast<std::size_t>(planner_->resident_slot(z)) * bytes, bytes);
    }
    backend_.record(Lane::store, *area_of(first).fetched);
  };
  // What is on its way must have come before its memory goes.
  const auto wait = [&](int first) { backend_.synchronize(*area_of(first).fetched); };
  fetch(0);
  for (int first = 0; first < nz; first += group) {
    wait(first);
    const int next = first + group;
    if (next < nz) fetch(next);
    try {
      const int count = std::min(group, nz - first);
      take(first, {area_of(first).memory.data(), static_cast<std::size_t>(count) * bytes});
    } catch (...) {
      if (next < nz) wait(next);
      throw;
    }
  }
}

}  // namespace lbm::tiling
