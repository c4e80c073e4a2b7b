// SPDX-License-Identifier: Apache-2.0

// Copies whole planes into slots and out of them: from and to the plane store, and as halo planes
// from the slab above and to the slab below.
#pragma once

#include <memory>

#include "tiling/exchange/exchange.hpp"
#include "tiling/pipeline/lattice_on_device.hpp"
#include "tiling/pipeline/visits_in_flight.hpp"
#include "tiling/store/plane_store.hpp"

namespace lbm::tiling {

class PlaneCopies {
 public:
  // All references and the exchange must outlive it. exchange: null without slabs.
  PlaneCopies(Backend& backend, const LatticeOnDevice& device, std::shared_ptr<PlaneStore> store,
              PlaneExchange* exchange)
      : backend_(backend), device_(device), store_(std::move(store)), exchange_(exchange) {}

  PlaneStore& store() const { return *store_; }
  bool has_neighbours() const { return exchange_ != nullptr; }

  // Give copies to Queue::load and Queue::store.
  void load(const Visit& visit, VisitInFlight& flight);
  void store(const Visit& visit, VisitInFlight& flight);

  // True if the halo planes of a visit have arrived and there is room for the halo planes that it
  // sends. Otherwise wait_for_halo waits for one of the two.
  bool can_exchange(const Visit& visit) const;
  void wait_for_halo(const Visit& visit) const;
  // The copies of the visit are done: its halo planes go to the neighbours.
  void complete_halo(const VisitInFlight& flight) const;

 private:
  void copy_in(int slot, const std::byte* from, int plane, VisitInFlight& flight);
  void copy_out(std::byte* to, int slot, int plane, VisitInFlight& flight);

  Backend& backend_;
  const LatticeOnDevice& device_;
  std::shared_ptr<PlaneStore> store_;
  PlaneExchange* exchange_;
};

}  // namespace lbm::tiling
