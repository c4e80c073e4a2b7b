// How the planes of a pipeline are read between runs.
#include <algorithm>
#include <array>
#include <cstring>

#include "tiling/pipeline/pipeline_turn.hpp"

namespace lbm::tiling {
namespace {

constexpr std::size_t fetch_bytes = std::size_t{64} << 20;

}  // namespace

int Pipeline::plane(int i) const {
  return grid_.is_slab() ? (scheduler_->first_plane() + i) % grid_.nz : i;
}

// On the host; with the CPU backend slots are there, too.
const std::byte* Pipeline::place(int z) const {
  const int slot = scheduler_->resident_slot(z);
  if (slot >= 0)
    return device_.slots + static_cast<std::size_t>(slot) * device_.lattice.layout.bytes;
  const int behind = (z - scheduler_->first_plane() + grid_.nz) % grid_.nz;
  return store_.load_from((scheduler_->first_home() + behind) % grid_.planes());
}

void Pipeline::read_plane(int z, std::byte* to) {
  const std::size_t bytes = device_.lattice.layout.bytes;
  if (scheduler_->resident_slot(z) < 0) {
    std::memcpy(to, place(z), bytes);
    return;
  }
  backend_.copy_out(to, place(z), bytes);
  const auto done = backend_.make_event();
  backend_.record(Queue::store, *done);
  backend_.synchronize(*done);
}

void Pipeline::read_planes(const std::function<void(int, std::span<const std::byte>)>& take) {
  const bool on_device =
      scheduler_->resident_slot(plane(0)) >= 0 && backend_.kind() != BackendKind::cpu;
  on_device ? fetch_planes(take) : read_host_planes(take);
}

// As many at a time as lie one after the other.
void Pipeline::read_host_planes(const std::function<void(int, std::span<const std::byte>)>& take) {
  const std::size_t bytes = device_.lattice.layout.bytes;
  for (int first = 0, last = 0; first < planes(); first = last) {
    const std::byte* const begin = place(plane(first));
    for (last = first + 1; last < planes(); ++last) {
      const auto behind = static_cast<std::size_t>(last - first);
      if (plane(last) < plane(first) || place(plane(last)) != begin + behind * bytes) break;
    }
    take(plane(first), {begin, static_cast<std::size_t>(last - first) * bytes});
  }
}

// While some planes are taken, the next ones come.
void Pipeline::fetch_planes(const std::function<void(int, std::span<const std::byte>)>& take) {
  const std::size_t bytes = device_.lattice.layout.bytes;
  const int group = std::clamp(static_cast<int>(fetch_bytes / bytes), 1, planes());
  // Where the group ends that starts there: after the last plane of the grid at the latest.
  const auto end_of = [&](int first) {
    return std::min({first + group, planes(), first + grid_.nz - plane(first)});
  };
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
  std::size_t turn = 0;
  const auto fetch = [&](int first, Area& area) {
    for (int i = first; i < end_of(first); ++i) {
      backend_.copy_out(area.memory.data() + static_cast<std::size_t>(i - first) * bytes,
                        place(plane(i)), bytes);
    }
    backend_.record(Queue::store, *area.fetched);
  };
  fetch(0, areas[0]);
  for (int first = 0; first < planes(); first = end_of(first), turn = 1 - turn) {
    Area& here = areas[turn];
    Area& ahead = areas[1 - turn];
    backend_.synchronize(*here.fetched);
    const int next = end_of(first);
    if (next < planes()) fetch(next, ahead);
    try {
      take(plane(first), {here.memory.data(), static_cast<std::size_t>(next - first) * bytes});
    } catch (...) {
      // What is on its way must have come before its memory goes.
      if (next < planes()) backend_.synchronize(*ahead.fetched);
      throw;
    }
  }
}

// Where plane z is on the device; out of core the slots are free, and the first one takes it.
int Pipeline::slot_to_read(int z) {
  const int resident = scheduler_->resident_slot(z);
  if (resident >= 0) return resident;
  backend_.copy_in(device_.slots, place(z), device_.lattice.layout.bytes);
  const auto loaded = backend_.make_event();
  backend_.record(Queue::load, *loaded);
  backend_.wait(Queue::update, *loaded);
  return 0;
}

void Pipeline::read_fields(std::int64_t step, const FieldBox& box, const TakeFields& take) {
  const auto cells = static_cast<std::size_t>(box.plane_cells());
  const std::size_t bytes = FieldRing::plane_bytes(box.plane_cells());
  const Buffer device = backend_.allocate_device(bytes, "fields that are read");
  const Buffer host = backend_.allocate_staging(bytes, "fields that are read");
  auto* const values = reinterpret_cast<float*>(device.data());
  const auto* const fields = reinterpret_cast<const float*>(host.data());
  const auto computed = backend_.make_event(), copied = backend_.make_event();
  for (int i = 0; i < box.count[2]; ++i) {
    const int z = (box.begin[2] + i * box.stride) % grid_.nz;
    const PlaneState plane = plane_state(device_.lattice, slot_to_read(z), z, step);
    backend_.moments(device_, plane, box.rectangle(), values, values + cells);
    backend_.record(Queue::update, *computed);
    backend_.wait(Queue::store, *computed);
    backend_.copy_out(host.data(), device.data(), bytes);
    backend_.record(Queue::store, *copied);
    backend_.synchronize(*copied);
    take(z, {fields, cells}, {fields + cells, 3 * cells});
  }
}

}  // namespace lbm::tiling
