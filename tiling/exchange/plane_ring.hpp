// A ring of planes between two processes of one host, in memory that both can reach: the one above
// copies into it, the one below out of it, and two counters say how far they are.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <string>

#include "solver/backend/backend.hpp"
#include "solver/core/shared_memory.hpp"
#include "tiling/exchange/exchange.hpp"

namespace lbm::tiling {

struct RingShape {
  std::size_t plane_bytes = 0;
  int planes = 0;

  std::size_t bytes() const { return plane_bytes * static_cast<std::size_t>(planes); }
};

// Of the device of the one above, or of the host.
enum class RingMemory { device, host };

// Where both find the ring.
struct RingPlaces {
  // Planes since the beginning; each counter has one writer.
  struct Counters {
    alignas(64) std::atomic<std::int64_t> full;      // of the one above
    alignas(64) std::atomic<std::int64_t> released;  // of the one below
    alignas(64) std::atomic<int> readers;            // that have the planes open
  };

  RingShape shape;
  SharedMemory shared;    // the counters; after them the planes, where they are on the host
  Buffer device, pinned;  // one of them; before the memory that is pinned
  Counters* counters = nullptr;
  std::byte* planes = nullptr;

  std::byte* plane(std::int64_t i) const {
    return planes + static_cast<std::size_t>(i % shape.planes) * shape.plane_bytes;
  }
};

// Ends the waits of one end.
class RingStop {
 public:
  void stop(const std::string& why);
  // Naps until it holds. Throws ResourceError with what stop() was told.
  void wait_until(const std::function<bool()>& condition) const;

 private:
  std::once_flag once_;
  std::string why_;  // written before
  std::atomic<bool> stopped_ = false;
};

// The end above, which owns the memory.
class RingSender final : public PlaneSender {
 public:
  // Null where there is no memory of that kind to share. The backend must outlive it.
  static std::unique_ptr<RingSender> make(Backend& backend, RingMemory kind,
                                          const RingShape& shape);
  // Waits for the other end to let go of the memory, some seconds at most.
  ~RingSender() override;

  // For RingReceiver::open, in another process; one line.
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
  std::int64_t filled_ = 0;  // given out
  RingStop stop_;
};

// And the one below.
class RingReceiver final : public PlaneReceiver {
 public:
  // Null where this process cannot reach that memory.
  static std::unique_ptr<RingReceiver> open(Backend& backend, const std::string& name,
                                            const RingShape& shape);
  ~RingReceiver() override;

  bool has_arrived(int planes) override;
  void wait_to_arrive() override;
  const std::byte* read_next() override { return places_.plane(read_++); }
  void release(int planes) override;
  void stop(const std::string& why) override { stop_.stop(why); }
  std::size_t host_bytes() const override { return 0; }  // counted above

 private:
  explicit RingReceiver(RingPlaces places) : places_(std::move(places)) {}

  RingPlaces places_;
  std::int64_t read_ = 0;  // given out
  RingStop stop_;
};

}  // namespace lbm::tiling
