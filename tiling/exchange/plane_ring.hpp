// SPDX-License-Identifier: Apache-2.0

// A ring of planes in memory that two ranks of one host share. The rank above copies planes into
// it, the rank below out of it; two counters synchronise them.
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <memory>
#include <mutex>
#include <new>
#include <sstream>
#include <string>
#include <thread>
#include <utility>

#include "solver/backend/backend.hpp"
#include "solver/core/error.hpp"
#include "solver/core/host_memory.hpp"
#include "tiling/exchange/exchange.hpp"
#include "tiling/exchange/ranks.hpp"

namespace lbm::tiling {

struct RingShape {
  std::size_t plane_bytes = 0;
  int planes = 0;

  std::size_t bytes() const { return plane_bytes * static_cast<std::size_t>(planes); }
};

// The memory of a ring, as one rank sees it.
struct RingPlaces {
  // Planes since the beginning; each of these two counters has one writer.
  struct Counters {
    alignas(64) std::atomic<std::int64_t> full;      // written by the rank above
    alignas(64) std::atomic<std::int64_t> released;  // written by the rank below
    alignas(64) std::atomic<int> readers;            // ranks that have the memory open
  };

  // The largest base page (aarch64), so that the planes begin at a page everywhere.
  static constexpr std::size_t counters_bytes = 65536;
  static_assert(std::atomic<std::int64_t>::is_always_lock_free, "between processes");

  RingShape shape;
  SharedMemory shared;    // the counters, and behind them the planes if they are on the host
  Buffer device, pinned;  // one is empty; destroyed before `shared`, which `pinned` registers
  Counters* counters = nullptr;
  std::byte* planes = nullptr;

  std::byte* plane(std::int64_t i) const {
    return planes + static_cast<std::size_t>(i % shape.planes) * shape.plane_bytes;
  }

  // For planes on the host.
  void pin(Backend& backend) {
    planes = shared.data() + counters_bytes;
    pinned = backend.attach_host(planes, shape.bytes(), HostMemory::pinned);
  }

  static std::size_t shared_bytes(ExchangeKind kind, const RingShape& ring) {
    static_assert(sizeof(Counters) <= counters_bytes);
    return counters_bytes + (kind == ExchangeKind::host ? ring.bytes() : 0);
  }
};

// The base of both ends. End: PlaneSender or PlaneReceiver.
template <class End>
class RingEnd : public End {
 public:
  void stop(const std::string& why) override {
    std::call_once(once_, [&] {
      why_ = why;
      stopped_ = true;
    });
  }

 protected:
  explicit RingEnd(RingPlaces places) : places_(std::move(places)) {}

  // Polls until `condition` holds. Throws ResourceError with the reason given to stop().
  template <class Condition>
  void wait_until(const Condition& condition) const {
    for (Patience patience; !condition(); patience.nothing()) {
      if (stopped_) throw ResourceError(why_);
      std::this_thread::sleep_for(patience.nap());
    }
  }

  RingPlaces places_;
  std::int64_t next_ = 0;  // the plane that fill_next() or read_next() returns next

 private:
  std::once_flag once_;
  std::string why_;  // written before stopped_
  std::atomic<bool> stopped_ = false;
};

// The end of the rank above, which owns the memory.
class RingSender final : public RingEnd<PlaneSender> {
 public:
  // kind: device or host, where the planes are. Null if such memory cannot be shared. The backend
  // must outlive the result.
  static std::unique_ptr<RingSender> make(Backend& backend, ExchangeKind kind,
                                          const RingShape& shape) {
    try {
      RingPlaces places{
          shape,
          SharedMemory::create(RingPlaces::shared_bytes(kind, shape), "planes for the slab below"),
          {},
          {}};
      std::string name = places.shared.name();
      if (kind == ExchangeKind::device) {
        auto device = backend.allocate_shareable(shape.bytes());
        if (!device) return nullptr;
        name += ' ' + device->name;
        places.device = std::move(device->memory);
        places.planes = places.device.data();
      } else {
        places.pin(backend);
      }
      places.counters = new (places.shared.data()) RingPlaces::Counters{};
      return std::unique_ptr<RingSender>(new RingSender(std::move(places), std::move(name)));
    } catch (const ResourceError&) {
      return nullptr;
    }
  }

  // Waits until the other end has closed the memory, for five seconds at most.
  ~RingSender() override {
    using std::chrono::steady_clock;
    const auto patience_ends = steady_clock::now() + std::chrono::seconds(5);
    while (places_.counters->readers.load() > 0 && steady_clock::now() < patience_ends) {
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
  }

  // One line for RingReceiver::open in another process.
  const std::string& name() const { return name_; }

  bool can_fill(int planes) override {
    const std::int64_t released = places_.counters->released.load(std::memory_order_acquire);
    return next_ + planes - released <= places_.shape.planes;
  }

  void wait_to_fill() override {
    wait_until([this] { return can_fill(1); });
  }

  std::byte* fill_next() override { return places_.plane(next_++); }
  void send(int planes) override {
    places_.counters->full.fetch_add(planes, std::memory_order_release);
  }

  std::size_t host_bytes() const override { return places_.shared.memory().size(); }
  std::size_t device_bytes() const override { return places_.device.size(); }

 private:
  RingSender(RingPlaces places, std::string name)
      : RingEnd(std::move(places)), name_(std::move(name)) {}

  std::string name_;
};

// The end of the rank below.
class RingReceiver final : public RingEnd<PlaneReceiver> {
 public:
  // Null if this process cannot open the memory. name: RingSender::name().
  static std::unique_ptr<RingReceiver> open(Backend& backend, const std::string& name,
                                            const RingShape& shape) {
    std::istringstream words(name);
    std::string shared_name, device_name;
    words >> shared_name >> device_name;
    const ExchangeKind kind = device_name.empty() ? ExchangeKind::host : ExchangeKind::device;
    auto shared = SharedMemory::open(shared_name, RingPlaces::shared_bytes(kind, shape));
    if (!shared) return nullptr;
    RingPlaces places{shape, std::move(*shared), {}, {}};
    places.counters = std::launder(reinterpret_cast<RingPlaces::Counters*>(places.shared.data()));
    if (kind == ExchangeKind::device) {
      auto device = backend.open_shareable(device_name, shape.bytes());
      if (!device) return nullptr;
      places.device = std::move(*device);
      places.planes = places.device.data();
    } else {
      try {
        places.pin(backend);
      } catch (const ResourceError&) {
        return nullptr;
      }
    }
    places.counters->readers.fetch_add(1);
    return std::unique_ptr<RingReceiver>(new RingReceiver(std::move(places)));
  }

  ~RingReceiver() override {
    places_.device = {};
    places_.pinned = {};
    places_.counters->readers.fetch_sub(1);
  }

  bool has_arrived(int planes) override {
    return next_ + planes <= places_.counters->full.load(std::memory_order_acquire);
  }

  void wait_to_arrive() override {
    wait_until([this] { return has_arrived(1); });
  }

  const std::byte* read_next() override { return places_.plane(next_++); }
  void release(int planes) override {
    places_.counters->released.fetch_add(planes, std::memory_order_release);
  }

  std::size_t host_bytes() const override { return 0; }  // counted by the sender

 private:
  explicit RingReceiver(RingPlaces places) : RingEnd(std::move(places)) {}
};

}  // namespace lbm::tiling
