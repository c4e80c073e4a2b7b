// SPDX-License-Identifier: Apache-2.0

// Whole planes of a pipeline: on their way into slots and out of them, from and to the plane store
// and as halo planes between slabs; and read between two runs.
#include <algorithm>
#include <array>
#include <cstring>
#include <memory>

#include "tiling/pipeline/pipeline.hpp"

namespace lbm::tiling {
namespace {

constexpr std::size_t fetch_bytes = std::size_t{64} << 20;

}  // namespace

void Pipeline::copy_in(int slot, const std::byte* from, int plane, VisitInFlight& flight) {
  const std::size_t bytes = device_.plane_bytes(plane);
  backend_.copy_in(device_.slot(slot), from, bytes);
  flight.bytes_in += bytes;
}

void Pipeline::copy_out(std::byte* to, int slot, int plane, VisitInFlight& flight) {
  const std::size_t bytes = device_.plane_bytes(plane);
  backend_.copy_out(to, device_.slot(slot), bytes);
  flight.bytes_out += bytes;
}

void Pipeline::load_planes(const Visit& visit, VisitInFlight& flight) {
  for (const Transfer& t : visit.loads) {
    copy_in(t.slot, store_->load_from(t.home), t.plane, flight);
    store_->loaded(t.home);
  }
  for (const HaloPlane& h : visit.halo_in) {
    copy_in(h.slot, exchange_->up->read_next(), h.plane, flight);
  }
}

void Pipeline::store_planes(const Visit& visit, VisitInFlight& flight) {
  for (const Transfer& t : visit.stores) {
    copy_out(store_->store_to(t.home), t.slot, t.plane, flight);
  }
  for (const HaloPlane& h : visit.halo_out) {
    copy_out(exchange_->down->fill_next(), h.slot, h.plane, flight);
  }
}

bool Pipeline::can_exchange(const Visit& visit) const {
  const auto in = static_cast<int>(visit.halo_in.size());
  const auto out = static_cast<int>(visit.halo_out.size());
  return (in == 0 || exchange_->up->has_arrived(in)) &&
         (out == 0 || exchange_->down->can_fill(out));
}

void Pipeline::wait_for_halo(const Visit& visit) const {
  const auto in = static_cast<int>(visit.halo_in.size());
  const auto out = static_cast<int>(visit.halo_out.size());
  if (in > 0 && !exchange_->up->has_arrived(in)) return exchange_->up->wait_to_arrive();
  if (out > 0 && !exchange_->down->can_fill(out)) exchange_->down->wait_to_fill();
}

// The copies of the visit are done: its halo planes go to the neighbours.
void Pipeline::complete_halo(const VisitInFlight& flight) const {
  if (flight.halo_out > 0) exchange_->down->send(flight.halo_out);
  if (flight.halo_in > 0) exchange_->up->release(flight.halo_in);
}

int Pipeline::own_plane(int i) const {
  return grid_.is_slab() ? (scheduler_->first_plane() + i) % grid_.nz : i;
}

// The address of a plane: of its slot, if it has one, or in the store.
std::byte* Pipeline::place_of(int z) const {
  const int slot = scheduler_->resident_slot(z);
  if (slot >= 0) return device_.slot(slot);
  const int behind = (z - scheduler_->first_plane() + grid_.nz) % grid_.nz;
  return store_->store_to((scheduler_->first_home() + behind) % grid_.planes());
}

// The last block of fluid cells may be full in part.
void Pipeline::zero_padding(int z, std::byte* plane) const {
  const Lattice& lattice = device_.lattice();
  const PlaneLayout& layout = lattice.layout;
  if (!layout.fluid_only) return;
  const int cells = boundaries_.view().fluid_plane(z).cells(layout.ny);
  const int used = cells % layout.pitch;
  if (cells > 0 && used == 0) return;
  const std::size_t value = bytes_per_value(lattice.storage);
  for (int v = 0; v < layout.values_per_cell; ++v) {
    const auto first = static_cast<std::size_t>(layout.fluid_offset(cells) + v * layout.pitch);
    std::memset(plane + first * value, 0, static_cast<std::size_t>(layout.pitch - used) * value);
  }
}

void Pipeline::read_planes(const TakePlanes& take) const {
  // The CPU backend's slots are in host memory.
  const bool on_device =
      scheduler_->resident_slot(own_plane(0)) >= 0 && backend_.kind() != BackendKind::cpu;
  on_device || device_.lattice().layout.fluid_only ? fetch_planes(take) : read_host_planes(take);
}

// As many planes at a time as lie one after the other in memory.
void Pipeline::read_host_planes(const TakePlanes& take) const {
  const std::size_t bytes = device_.lattice().layout.bytes;
  for (int first = 0, last = 0; first < grid_.planes(); first = last) {
    const std::byte* const begin = place_of(own_plane(first));
    for (last = first + 1; last < grid_.planes(); ++last) {
      const auto behind = static_cast<std::size_t>(last - first);
      if (own_plane(last) < own_plane(first) || place_of(own_plane(last)) != begin + behind * bytes)
        break;
    }
    take(own_plane(first), {begin, static_cast<std::size_t>(last - first) * bytes});
  }
}

// Double buffering: the next group of planes is copied while `take` has this one.
void Pipeline::fetch_planes(const TakePlanes& take) const {
  const std::size_t bytes = device_.lattice().layout.bytes;
  const int group = std::clamp(static_cast<int>(fetch_bytes / bytes), 1, grid_.planes());
  // The end of the group that starts there: after the last plane of the grid at the latest.
  const auto end_of = [&](int first) {
    return std::min({first + group, grid_.planes(), first + grid_.nz - own_plane(first)});
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
      const std::size_t own = device_.plane_bytes(own_plane(i));
      std::memset(to + own, 0, bytes - own);
      if (scheduler_->resident_slot(own_plane(i)) >= 0) {
        backend_.copy_out(to, place_of(own_plane(i)), own);
      } else {
        std::memcpy(to, place_of(own_plane(i)), own);
      }
    }
    backend_.record(Queue::store, *area.fetched);
  };
  fetch(0, areas[0]);
  std::size_t turn = 0;
  for (int first = 0; first < grid_.planes(); first = end_of(first), turn = 1 - turn) {
    Area& here = areas[turn];
    Area& ahead = areas[1 - turn];
    backend_.synchronize(*here.fetched);
    for (int i = first; i < end_of(first); ++i) {
      zero_padding(own_plane(i), here.memory.data() + static_cast<std::size_t>(i - first) * bytes);
    }
    const int next = end_of(first);
    if (next < grid_.planes()) fetch(next, ahead);
    try {
      take(own_plane(first), {here.memory.data(), static_cast<std::size_t>(next - first) * bytes});
    } catch (...) {
      // Copies under way must end before their memory goes.
      if (next < grid_.planes()) backend_.synchronize(*ahead.fetched);
      throw;
    }
  }
}

void Pipeline::change_planes(const ChangePlane& change) {
  const bool on_host = backend_.kind() == BackendKind::cpu;
  Buffer memory;
  const auto copied = backend_.make_event();
  const auto complete = [&](Queue queue) {
    backend_.record(queue, *copied);
    backend_.synchronize(*copied);
  };
  for (int i = 0; i < grid_.planes(); ++i) {
    const int z = own_plane(i);
    std::byte* const place = place_of(z);
    if (on_host || scheduler_->resident_slot(z) < 0) {
      change(z, place);
      continue;
    }
    const std::size_t bytes = device_.plane_bytes(z);
    if (memory.size() == 0) {
      memory = backend_.allocate_staging(device_.lattice().layout.bytes, "planes that are changed");
    }
    backend_.copy_out(memory.data(), place, bytes);
    complete(Queue::store);
    change(z, memory.data());
    backend_.copy_in(place, memory.data(), bytes);
    complete(Queue::load);
  }
}

// The slot that holds plane z. Out of core all slots are free between runs: slot 0 takes the plane.
int Pipeline::slot_of(int z) const {
  const int resident = scheduler_->resident_slot(z);
  if (resident >= 0) return resident;
  backend_.copy_in(device_.slot(0), place_of(z), device_.plane_bytes(z));
  const auto loaded = backend_.make_event();
  backend_.record(Queue::load, *loaded);
  backend_.wait(Queue::update, *loaded);
  return 0;
}

void Pipeline::read_fields(std::int64_t step, const FieldBox& box, const TakeFields& take) const {
  const std::size_t bytes =
      FieldRing::plane_bytes(box.plane_cells(), device_.lattice().scalar_count());
  const Buffer device = backend_.allocate_device(bytes, "fields that are read");
  const Buffer host = backend_.allocate_staging(bytes, "fields that are read");
  auto* const values = reinterpret_cast<float*>(device.data());
  const auto* const fields = reinterpret_cast<const float*>(host.data());
  const auto computed = backend_.make_event(), copied = backend_.make_event();
  for (int i = 0; i < box.count[2]; ++i) {
    const int z = (box.begin[2] + i * box.stride) % grid_.nz;
    const int behind = (z - own_plane(0) + grid_.nz) % grid_.nz;
    if (behind >= grid_.planes()) continue;
    const PlaneState plane = plane_state(device_.view(), slot_of(z), z, step);
    backend_.moments(device_.view(), plane, box.rectangle(), values);
    backend_.record(Queue::update, *computed);
    backend_.wait(Queue::store, *computed);
    backend_.copy_out(host.data(), device.data(), bytes);
    backend_.record(Queue::store, *copied);
    backend_.synchronize(*copied);
    take(z, {{fields, bytes / sizeof(float)}, device_.lattice().scalar_count()});
  }
}

}  // namespace lbm::tiling
