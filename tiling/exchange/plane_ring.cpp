// SPDX-License-Identifier: Apache-2.0
#include "tiling/exchange/plane_ring.hpp"

#include <new>
#include <sstream>
#include <thread>

#include "solver/core/error.hpp"
#include "tiling/exchange/patience.hpp"

namespace lbm::tiling {
namespace {

// The largest base page (aarch64), so that the planes begin at a page everywhere.
constexpr std::size_t counters_bytes = 65536;
static_assert(sizeof(RingPlaces::Counters) <= counters_bytes);
static_assert(std::atomic<std::int64_t>::is_always_lock_free, "between processes");

std::size_t shared_bytes(RingMemory kind, const RingShape& shape) {
  return counters_bytes + (kind == RingMemory::host ? shape.bytes() : 0);
}

// For planes on the host.
void pin(Backend& backend, RingPlaces& places) {
  places.planes = places.shared.data() + counters_bytes;
  places.pinned = backend.attach_host(places.planes, places.shape.bytes(), HostMemory::pinned);
}

}  // namespace

void RingStop::stop(const std::string& why) {
  std::call_once(once_, [&] {
    why_ = why;
    stopped_ = true;
  });
}

void RingStop::wait_until(const std::function<bool()>& condition) const {
  Patience patience;
  while (!condition()) {
    if (stopped_) throw ResourceError(why_);
    std::this_thread::sleep_for(patience.nap());
    patience.nothing();
  }
}

std::unique_ptr<RingSender> RingSender::make(Backend& backend, RingMemory kind,
                                             const RingShape& shape) {
  try {
    RingPlaces places{shape,
                      SharedMemory::create(shared_bytes(kind, shape), "planes for the slab below"),
                      {},
                      {}};
    std::string name = places.shared.name();
    if (kind == RingMemory::device) {
      auto device = backend.allocate_shareable(shape.bytes());
      if (!device) return nullptr;
      name += ' ' + device->name;
      places.device = std::move(device->memory);
      places.planes = places.device.data();
    } else {
      pin(backend, places);
    }
    places.counters = new (places.shared.data()) RingPlaces::Counters{};
    return std::unique_ptr<RingSender>(new RingSender(std::move(places), std::move(name)));
  } catch (const ResourceError&) {
    return nullptr;
  }
}

RingSender::~RingSender() {
  using std::chrono::steady_clock;
  const auto patience_ends = steady_clock::now() + std::chrono::seconds(5);
  while (places_.counters->readers.load() > 0 && steady_clock::now() < patience_ends) {
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
}

bool RingSender::can_fill(int planes) {
  const std::int64_t released = places_.counters->released.load(std::memory_order_acquire);
  return filled_ + planes - released <= places_.shape.planes;
}

void RingSender::wait_to_fill() {
  stop_.wait_until([this] { return can_fill(1); });
}

void RingSender::send(int planes) {
  places_.counters->full.fetch_add(planes, std::memory_order_release);
}

std::unique_ptr<RingReceiver> RingReceiver::open(Backend& backend, const std::string& name,
                                                 const RingShape& shape) {
  std::istringstream words(name);
  std::string shared_name, device_name;
  words >> shared_name >> device_name;
  const RingMemory kind = device_name.empty() ? RingMemory::host : RingMemory::device;
  auto shared = SharedMemory::open(shared_name, shared_bytes(kind, shape));
  if (!shared) return nullptr;
  RingPlaces places{shape, std::move(*shared), {}, {}};
  places.counters = std::launder(reinterpret_cast<RingPlaces::Counters*>(places.shared.data()));
  if (kind == RingMemory::device) {
    auto device = backend.open_shareable(device_name, shape.bytes());
    if (!device) return nullptr;
    places.device = std::move(*device);
    places.planes = places.device.data();
  } else {
    try {
      pin(backend, places);
    } catch (const ResourceError&) {
      return nullptr;
    }
  }
  places.counters->readers.fetch_add(1);
  return std::unique_ptr<RingReceiver>(new RingReceiver(std::move(places)));
}

RingReceiver::~RingReceiver() {
  places_.device = {};
  places_.pinned = {};
  places_.counters->readers.fetch_sub(1);
}

bool RingReceiver::has_arrived(int planes) {
  return read_ + planes <= places_.counters->full.load(std::memory_order_acquire);
}

void RingReceiver::wait_to_arrive() {
  stop_.wait_until([this] { return has_arrived(1); });
}

void RingReceiver::release(int planes) {
  places_.counters->released.fetch_add(planes, std::memory_order_release);
}

}  // namespace lbm::tiling
