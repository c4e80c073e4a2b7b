// SPDX-License-Identifier: Apache-2.0
#include "tiling/pipeline/plane_copies.hpp"

namespace lbm::tiling {

void PlaneCopies::copy_in(int slot, const std::byte* from, int plane, VisitInFlight& flight) {
  const std::size_t bytes = device_.plane_bytes(plane);
  backend_.copy_in(device_.slot(slot), from, bytes);
  flight.bytes_in += bytes;
}

void PlaneCopies::copy_out(std::byte* to, int slot, int plane, VisitInFlight& flight) {
  const std::size_t bytes = device_.plane_bytes(plane);
  backend_.copy_out(to, device_.slot(slot), bytes);
  flight.bytes_out += bytes;
}

void PlaneCopies::load(const Visit& visit, VisitInFlight& flight) {
  for (const Transfer& t : visit.loads) {
    copy_in(t.slot, store_->load_from(t.home), t.plane, flight);
    store_->loaded(t.home);
  }
  for (const HaloPlane& h : visit.halo_in) {
    copy_in(h.slot, exchange_->up->read_next(), h.plane, flight);
  }
}

void PlaneCopies::store(const Visit& visit, VisitInFlight& flight) {
  for (const Transfer& t : visit.stores) {
    copy_out(store_->store_to(t.home), t.slot, t.plane, flight);
  }
  for (const HaloPlane& h : visit.halo_out) {
    copy_out(exchange_->down->fill_next(), h.slot, h.plane, flight);
  }
}

bool PlaneCopies::can_exchange(const Visit& visit) const {
  const auto in = static_cast<int>(visit.halo_in.size());
  const auto out = static_cast<int>(visit.halo_out.size());
  return (in == 0 || exchange_->up->has_arrived(in)) &&
         (out == 0 || exchange_->down->can_fill(out));
}

void PlaneCopies::wait_for_halo(const Visit& visit) const {
  const auto in = static_cast<int>(visit.halo_in.size());
  const auto out = static_cast<int>(visit.halo_out.size());
  if (in > 0 && !exchange_->up->has_arrived(in)) return exchange_->up->wait_to_arrive();
  if (out > 0 && !exchange_->down->can_fill(out)) exchange_->down->wait_to_fill();
}

void PlaneCopies::complete_halo(const VisitInFlight& flight) const {
  if (flight.halo_out > 0) exchange_->down->send(flight.halo_out);
  if (flight.halo_in > 0) exchange_->up->release(flight.halo_in);
}

}  // namespace lbm::tiling
