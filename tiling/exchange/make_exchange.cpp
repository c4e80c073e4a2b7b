// SPDX-License-Identifier: Apache-2.0
#include "tiling/exchange/make_exchange.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <vector>

#include "solver/core/error.hpp"
#include "tiling/exchange/link_exchange.hpp"
#include "tiling/exchange/plane_ring.hpp"
#include "tiling/exchange/plane_speed.hpp"

namespace lbm::tiling {
namespace {

// The ends of one kind that this rank has with its neighbours; null where there is none.
struct Ends {
  std::unique_ptr<PlaneSender> down;
  std::unique_ptr<PlaneReceiver> up;
};

class Joiner {
 public:
  Joiner(Ranks& ranks, Backend& backend, const ExchangeRequest& request)
      : ranks_(ranks),
        backend_(backend),
        request_(request),
        ring_{request.plane_bytes, planes_in_ring(request.options, request.slab_planes)},
        above_((ranks.rank() + 1) % ranks.size()),
        below_((ranks.rank() + ranks.size() - 1) % ranks.size()) {}

  Exchange join() {
    if (request_.kind) {
      take(*request_.kind, make_ends(*request_.kind));
    } else {
      take(ExchangeKind::device, make_ends(ExchangeKind::device));
      take(ExchangeKind::host, make_ends(ExchangeKind::host));
      join_by_faster_link();
    }
    // If messages fail, one of the two ends has noted the reason.
    const ExchangeKind last = request_.kind.value_or(ExchangeKind::mpi);
    if (down_is_open() && last != ExchangeKind::mpi) error_ = refusal(last);
    if (!down_is_open() && !up_is_open()) error_.clear();
    for (const std::string& error : ranks_.allgather(error_)) {
      if (!error.empty()) throw ResourceError(error);
    }
    return std::move(exchange_);
  }

 private:
  bool down_is_open() const { return exchange_.ends.down == nullptr; }
  bool up_is_open() const { return exchange_.ends.up == nullptr; }

  void take(ExchangeKind kind, Ends ends) {
    if (ends.up) exchange_.ends.up = std::move(ends.up);
    if (!ends.down) return;
    exchange_.ends.down = std::move(ends.down);
    exchange_.down = kind;
  }

  // The ends of all pairs that have none yet and can be joined by this kind.
  Ends make_ends(ExchangeKind kind) {
    Ends ends = kind == ExchangeKind::nccl ? connect_devices() : offer_and_accept(kind);
    // Both ends of a pair, or none.
    const auto senders = ranks_.allgather(int{ends.down != nullptr});
    const auto receivers = ranks_.allgather(int{ends.up != nullptr});
    if (receivers[static_cast<std::size_t>(below_)] == 0) ends.down.reset();
    if (senders[static_cast<std::size_t>(above_)] == 0) ends.up.reset();
    return ends;
  }

  // For pairs of different hosts, all of which measure at the same time. The rank below decides.
  void join_by_faster_link() {
    Ends nccl = make_ends(ExchangeKind::nccl), mpi = make_ends(ExchangeKind::mpi);
    const auto connected = ranks_.allgather(int{nccl.up != nullptr});
    if (std::count(connected.begin(), connected.end(), 1) == 0) {
      return take(ExchangeKind::mpi, std::move(mpi));
    }
    const double with_nccl = speed_of(nccl), with_mpi = speed_of(mpi);
    const auto choices = ranks_.allgather(int{with_nccl > with_mpi});
    const bool down = choices[static_cast<std::size_t>(below_)] != 0;
    const bool up = choices[static_cast<std::size_t>(ranks_.rank())] != 0;
    take(down ? ExchangeKind::nccl : ExchangeKind::mpi,
         {std::move(down ? nccl.down : mpi.down), nullptr});
    take(ExchangeKind::mpi, {nullptr, std::move(up ? nccl.up : mpi.up)});
    exchange_.bytes_per_second = std::max(with_nccl, with_mpi);
  }

  // Measured speed of planes from the rank above, bytes per second; 0: no such rank, or an error.
  double speed_of(Ends& ends) {
    double speed = 0;
    const bool done = try_to([&] {
      speed = plane_speed(ranks_, ends.down.get(), ends.up.get(), request_.plane_bytes,
                          planes_to_send(request_.options, request_.slab_planes));
    });
    return done ? speed : 0;
  }

  // The rank above offers memory or messages, the rank below accepts.
  Ends offer_and_accept(ExchangeKind kind) {
    Ends ends;
    const std::string offer = down_is_open() ? make_offer(kind, ends.down) : "";
    const auto offers = ranks_.allgather(offer);
    const std::string& offered = offers[static_cast<std::size_t>(above_)];
    if (up_is_open() && !offered.empty()) ends.up = accept(kind, offered);
    return ends;
  }

  // Empty if this rank cannot offer that kind.
  std::string make_offer(ExchangeKind kind, std::unique_ptr<PlaneSender>& sender) {
    if (kind == ExchangeKind::mpi) {
      return try_to([&] {
        sender = std::make_unique<LinkSender>(
            host_ring(planes_to_send(request_.options, request_.slab_planes),
                      "planes for the slab below"),
            ranks_.link_to(below_, request_.plane_bytes));
      })
                 ? "message"
                 : "";
    }
    if (kind == ExchangeKind::device && !request_.room_on_device) return "";
    auto ring = RingSender::make(
        backend_, kind == ExchangeKind::device ? RingMemory::device : RingMemory::host, ring_);
    if (!ring) return "";
    std::string name = ring->name();
    sender = std::move(ring);
    return name;
  }

  std::unique_ptr<PlaneReceiver> accept(ExchangeKind kind, const std::string& offer) {
    if (kind != ExchangeKind::mpi) return RingReceiver::open(backend_, offer, ring_);
    std::unique_ptr<PlaneReceiver> receiver;
    try_to([&] {
      receiver =
          std::make_unique<LinkReceiver>(host_ring(ring_.planes, "planes from the slab above"),
                                         ranks_.link_from(above_, request_.plane_bytes));
    });
    return receiver;
  }

  // The three rounds in which pairs are connected, so that no rank opens both its ends at once:
  // with the first transfers devices may have to become idle, and must not wait for each other.
  static constexpr int opening_rounds = 3;
  int round_of(int sender) const {
    const bool odd_one_out = ranks_.size() % 2 == 1 && sender == ranks_.size() - 1;
    return odd_one_out ? 2 : sender % 2;
  }

  Ends connect_devices() {
    const std::string name = request_.room_on_device ? backend_.make_link_name() : "";
    const auto names = ranks_.allgather(name);
    const std::string& from_above = names[static_cast<std::size_t>(above_)];
    const bool can = !name.empty();
    const bool down = can && down_is_open() && !names[static_cast<std::size_t>(below_)].empty();
    const bool up = can && up_is_open() && !from_above.empty();
    std::unique_ptr<DeviceLink> sending, receiving;
    for (int round = 0; round < opening_rounds; ++round) {
      ranks_.barrier();
      if (down && round_of(ranks_.rank()) == round) {
        sending = backend_.open_link(name, LinkEnd::sends);
      } else if (up && round_of(above_) == round) {
        receiving = backend_.open_link(from_above, LinkEnd::receives);
      }
    }
    Ends ends;
    try_to([&] {
      if (sending) {
        ends.down = std::make_unique<LinkSender>(
            device_ring(planes_to_send(request_.options, request_.slab_planes),
                        "planes for the slab below"),
            announced_device_link(std::move(sending), ranks_.announcements_to(below_),
                                  request_.plane_bytes));
      }
      if (receiving) {
        ends.up = std::make_unique<LinkReceiver>(
            device_ring(ring_.planes, "planes from the slab above"),
            announced_device_link(std::move(receiving), ranks_.announcements_from(above_),
                                  request_.plane_bytes));
      }
    });
    return ends;
  }

  LinkRing host_ring(int planes, const char* purpose) {
    const std::size_t bytes = request_.plane_bytes * static_cast<std::size_t>(planes);
    return {backend_.allocate_staging(bytes, purpose), request_.plane_bytes, planes, false};
  }
  LinkRing device_ring(int planes, const char* purpose) {
    const std::size_t bytes = request_.plane_bytes * static_cast<std::size_t>(planes);
    return {backend_.allocate_device(bytes, purpose), request_.plane_bytes, planes, true};
  }

  // An error is kept until the end, so that the other ranks do not wait for this one.
  bool try_to(const std::function<void()>& work) {
    try {
      work();
      return true;
    } catch (const ResourceError& error) {
      error_ = error.what();
      return false;
    }
  }

  std::string refusal(ExchangeKind kind) const {
    if (kind == ExchangeKind::nccl) {
      return fmt::format(
          "tiling.exchange: found nccl, but NCCL cannot connect process {} with process {}: both "
          "need a GPU of their own and libnccl.so.2 (docs/clusters.md), or set auto",
          ranks_.rank(), below_);
    }
    return fmt::format(
        "tiling.exchange: found {}, but process {} cannot share memory of {} with "
        "process {}: set auto",
        to_string(kind), ranks_.rank(), kind == ExchangeKind::device ? "its device" : "the host",
        below_);
  }

  Ranks& ranks_;
  Backend& backend_;
  const ExchangeRequest& request_;
  RingShape ring_;
  int above_, below_;
  Exchange exchange_;
  std::string error_;
};

}  // namespace

Exchange make_exchange(Ranks& ranks, Backend& backend, const ExchangeRequest& request) {
  return Joiner(ranks, backend, request).join();
}

}  // namespace lbm::tiling
