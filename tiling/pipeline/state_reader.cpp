// SPDX-License-Identifier: Apache-2.0
#include "tiling/pipeline/state_reader.hpp"

#include <algorithm>
#include <array>
#include <cstring>
#include <memory>

#include "tiling/pipeline/field_ring.hpp"

namespace lbm::tiling {
namespace {

constexpr std::size_t fetch_bytes = std::size_t{64} << 20;

}  // namespace

int StateReader::plane(int i) const {
  return grid_.is_slab() ? (scheduler_.first_plane() + i) % grid_.nz : i;
}

// The address of a plane: of its slot, if it has one, or in the store.
const std::byte* StateReader::place(int z) const {
  const int slot = scheduler_.resident_slot(z);
  if (slot >= 0) return device_.slot(slot);
  const int behind = (z - scheduler_.first_plane() + grid_.nz) % grid_.nz;
  return store_.load_from((scheduler_.first_home() + behind) % grid_.planes());
}

void StateReader::read_plane(int z, std::byte* to) const {
  const std::size_t bytes = device_.plane_bytes(z);
  std::memset(to + bytes, 0, device_.lattice().layout.bytes - bytes);
  if (scheduler_.resident_slot(z) < 0) {
    std::memcpy(to, place(z), bytes);
  } else {
    backend_.copy_out(to, place(z), bytes);
    const auto done = backend_.make_event();
    backend_.record(Queue::store, *done);
    backend_.synchronize(*done);
  }
  zero_padding(z, to);
}

// The last block of fluid cells may be full in part.
void StateReader::zero_padding(int z, std::byte* plane) const {
  const Lattice& lattice = device_.lattice();
  const PlaneLayout& layout = lattice.layout;
  if (!layout.fluid_only) return;
  const int cells = boundaries_.fluid_plane(z).cells(layout.ny);
  const int used = cells % layout.pitch;
  if (cells > 0 && used == 0) return;
  const std::size_t value = bytes_per_value(lattice.storage);
  for (int v = 0; v < layout.values_per_cell; ++v) {
    const auto first = static_cast<std::size_t>(layout.fluid_offset(cells) + v * layout.pitch);
    std::memset(plane + first * value, 0, static_cast<std::size_t>(layout.pitch - used) * value);
  }
}

void StateReader::read_planes(const TakePlanes& take) const {
  // The CPU backend's slots are in host memory.
  const bool on_device =
      scheduler_.resident_slot(plane(0)) >= 0 && backend_.kind() != BackendKind::cpu;
  on_device || !equal_sizes() ? fetch_planes(take) : read_host_planes(take);
}

// As many planes at a time as lie one after the other in memory.
void StateReader::read_host_planes(const TakePlanes& take) const {
  const std::size_t bytes = device_.lattice().layout.bytes;
  for (int first = 0, last = 0; first < planes(); first = last) {
    const std::byte* const begin = place(plane(first));
    for (last = first + 1; last < planes(); ++last) {
      const auto behind = static_cast<std::size_t>(last - first);
      if (plane(last) < plane(first) || place(plane(last)) != begin + behind * bytes) break;
    }
    take(plane(first), {begin, static_cast<std::size_t>(last - first) * bytes});
  }
}

// Double buffering: the next group of planes is copied while `take` has this one.
void StateReader::fetch_planes(const TakePlanes& take) const {
  const std::size_t bytes = device_.lattice().layout.bytes;
  const int group = std::clamp(static_cast<int>(fetch_bytes / bytes), 1, planes());
  // The end of the group that starts there: after the last plane of the grid at the latest.
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
  const auto fetch = [&](int first, Area& area) {
    for (int i = first; i < end_of(first); ++i) {
      std::byte* const to = area.memory.data() + static_cast<std::size_t>(i - first) * bytes;
      const std::size_t own = device_.plane_bytes(plane(i));
      std::memset(to + own, 0, bytes - own);
      if (scheduler_.resident_slot(plane(i)) >= 0) {
        backend_.copy_out(to, place(plane(i)), own);
      } else {
        std::memcpy(to, place(plane(i)), own);
      }
    }
    backend_.record(Queue::store, *area.fetched);
  };
  fetch(0, areas[0]);
  std::size_t turn = 0;
  for (int first = 0; first < planes(); first = end_of(first), turn = 1 - turn) {
    Area& here = areas[turn];
    Area& ahead = areas[1 - turn];
    backend_.synchronize(*here.fetched);
    for (int i = first; i < end_of(first); ++i) {
      zero_padding(plane(i), here.memory.data() + static_cast<std::size_t>(i - first) * bytes);
    }
    const int next = end_of(first);
    if (next < planes()) fetch(next, ahead);
    try {
      take(plane(first), {here.memory.data(), static_cast<std::size_t>(next - first) * bytes});
    } catch (...) {
      // Copies under way must end before their memory goes.
      if (next < planes()) backend_.synchronize(*ahead.fetched);
      throw;
    }
  }
}

// The slot that holds plane z. Out of core all slots are free between runs: slot 0 takes the plane.
int StateReader::slot_of(int z) const {
  const int resident = scheduler_.resident_slot(z);
  if (resident >= 0) return resident;
  backend_.copy_in(device_.slot(0), place(z), device_.plane_bytes(z));
  const auto loaded = backend_.make_event();
  backend_.record(Queue::load, *loaded);
  backend_.wait(Queue::update, *loaded);
  return 0;
}

void StateReader::read_fields(std::int64_t step, const FieldBox& box,
                              const TakeFields& take) const {
  const auto cells = static_cast<std::size_t>(box.plane_cells());
  const std::size_t bytes = FieldRing::plane_bytes(box.plane_cells());
  const Buffer device = backend_.allocate_device(bytes, "fields that are read");
  const Buffer host = backend_.allocate_staging(bytes, "fields that are read");
  auto* const values = reinterpret_cast<float*>(device.data());
  const auto* const fields = reinterpret_cast<const float*>(host.data());
  const auto computed = backend_.make_event(), copied = backend_.make_event();
  for (int i = 0; i < box.count[2]; ++i) {
    const int z = (box.begin[2] + i * box.stride) % grid_.nz;
    const PlaneState plane = plane_state(device_.view(), slot_of(z), z, step);
    backend_.moments(device_.view(), plane, box.rectangle(), values, values + cells);
    backend_.record(Queue::update, *computed);
    backend_.wait(Queue::store, *computed);
    backend_.copy_out(host.data(), device.data(), bytes);
    backend_.record(Queue::store, *copied);
    backend_.synchronize(*copied);
    take(z, {fields, cells}, {fields + cells, 3 * cells});
  }
}

}  // namespace lbm::tiling
