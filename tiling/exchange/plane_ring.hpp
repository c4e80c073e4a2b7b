// SPDX-License-Identifier: Apache-2.0

// A ring of planes in memory that two ranks of one host share. The rank above copies planes into
// it, the rank below out of it; two counters synchronise them.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <string>

#include "solver/backend/backend.hpp"
#include "solver/core/host_memory.hpp"
#include "tiling/exchange/exchange.hpp"

namespace lbm::tiling {

struct RingShape {
  std::size_t plane_bytes = 0;
  int planes = 0;

  std::size_t bytes() const { return plane_bytes * static_cast<std::size_t>(planes); }
};

// Memory of the planes: device of the rank above, or host.
enum class RingMemory { device, host };

// The memory of a ring, as one rank sees it.
struct RingPlaces {
  // Planes since the beginning; each of these two counters has one writer.
  struct Counters {
    alignas(64) std::atomic<std::int64_t> full;      // written by the rank above
    alignas(64) std::atomic<std::int64_t> released;  // written by the rank below
    alignas(64) std::atomic<int> readers;            // ranks that have the memory open
  };

  RingShape shape;
  SharedMemory shared;    // the counters, and behind them the planes if they are on the host
  Buffer device, pinned;  // one is empty; destroyed before `shared`, which `pinned` registers
  Counters* counters = nullptr;
  std::byte* planes = nullptr;

  std::byte* plane(std::int64_t i) const {
    return planes + static_cast<std::size_t>(i % shape.planes) * shape.plane_bytes;
  }
};

// Makes the waits of one end of a ring stoppable.
class RingStop {
 public:
  void stop(const std::string& why);
  // Polls until `condition` holds. Throws ResourceError with the reason given to stop().
  void wait_until(const std::function<bool()>& condition) const;

 private:
  std::once_flag once_;
  std::string why_;  // written before stopped_
  std::atomic<bool> stopped_ = false;
};

// The end of the rank above, which owns the memory.
class RingSender final : public PlaneSender {
 public:
  // Null if memory of that kind cannot be shared. The backend must outlive the result.
  static std::unique_ptr<RingSender> make(Backend& backend, RingMemory kind,
                                          const RingShape& shape);
  // Waits until the other end has closed the memory, for five seconds at most.
  ~RingSender() override;

  // One line for RingReceiver::open in another process.
  const std::string& name() const { return name_; }

  bool can_fill(int planes) override;
  void wait_to_fill() override;
  std::byte* fill_next() override { return places_.plane(filled_++); }
  void send(int planes) override;
  void stop(const std::string& why) override { stop_.stop(why); }
  std::size_t host_bytes() const override { return places_.shared.memory().size(); }
  std::size_t device_bytes() const override { return places_.device.size(); }

 private:
  RingSender(RingPlaces places, std::string name)
      : places_(std::move(places)), name_(std::move(name)) {}

  RingPlaces places_;
  std::string name_;
  std::int64_t filled_ = 0;  // planes returned by fill_next()
  RingStop stop_;
};

// The end of the rank below.
class RingReceiver final : public PlaneReceiver {
 public:
  // Null if this process cannot open the memory. name: RingSender::name().
  static std::unique_ptr<RingReceiver> open(Backend& backend, const std::string& name,
                                            const RingShape& shape);
  ~RingReceiver() override;

  bool has_arrived(int planes) override;
  void wait_to_arrive() override;
  const std::byte* read_next() override { return places_.plane(read_++); }
  void release(int planes) override;
  void stop(const std::string& why) override { stop_.stop(why); }
  std::size_t host_bytes() const override { return 0; }  // counted by the sender

 private:
  explicit RingReceiver(RingPlaces places) : places_(std::move(places)) {}

  RingPlaces places_;
  std::int64_t read_ = 0;  // planes returned by read_next()
  RingStop stop_;
};

}  // namespace lbm::tiling
