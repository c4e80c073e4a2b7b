// SPDX-License-Identifier: Apache-2.0

// Chooses how neighbouring ranks exchange halo planes.
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <exception>
#include <functional>
#include <vector>

#include "solver/core/error.hpp"
#include "tiling/exchange/exchange.hpp"
#include "tiling/exchange/link_exchange.hpp"
#include "tiling/exchange/plane_ring.hpp"

namespace lbm::tiling {
namespace {

// The ends of one kind that this rank has with its neighbours; null where there is none.
using Ends = PlaneExchange;

// Seconds for as many planes down as from above.
double seconds_of_round(const Ends& ends, int planes) {
  const auto begin = std::chrono::steady_clock::now();
  if (ends.down) {
    for (int i = 0; i < planes; ++i) {
      ends.down->wait_to_fill();
      ends.down->fill_next();
    }
    ends.down->send(planes);
  }
  for (int i = 0; ends.up && i < planes; ++i) {
    ends.up->wait_to_arrive();
    ends.up->read_next();
  }
  const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - begin;
  if (ends.up) ends.up->release(planes);
  return seconds.count();
}

class Joiner {
 public:
  Joiner(Ranks& ranks, Backend& backend, const ExchangeRequest& request)
      : ranks_(ranks),
        backend_(backend),
        request_(request),
        ring_{request.plane_bytes, planes_in_ring(request.options, request.slab_planes)},
        to_send_(planes_to_send(request.options, request.slab_planes)),
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

  // Measured speed of planes from the rank above while all ranks send, bytes per second; 0: no such
  // rank, or an error. Collective.
  double speed_of(const Ends& ends) {
    constexpr std::size_t most_planes = 8, measured_bytes = std::size_t{64} << 20;
    constexpr int rounds = 3;  // the first one finds the way
    const auto enough = std::clamp<std::size_t>(measured_bytes / ring_.plane_bytes, 1, most_planes);
    const int count = std::min(to_send_, static_cast<int>(enough));
    const double bytes = static_cast<double>(ring_.plane_bytes) * count;
    double best = 0;
    bool works = true;
    for (int i = 0; i < rounds; ++i) {
      ranks_.barrier();  // also after an error: the others still come here
      works = works && try_to([&] {
                const double seconds = seconds_of_round(ends, count);
                if (i > 0 && ends.up) best = std::max(best, bytes / std::max(seconds, 1e-9));
              });
    }
    return works ? best : 0;
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
      try_to([&] {
        sender = std::make_unique<LinkSender>(ring_to_send(false),
                                              ranks_.link_to(below_, ring_.plane_bytes));
      });
      return sender ? "message" : "";
    }
    if (kind == ExchangeKind::device && !request_.room_on_device) return "";
    auto ring = RingSender::make(backend_, kind, ring_);
    if (!ring) return "";
    std::string name = ring->name();
    sender = std::move(ring);
    return name;
  }

  std::unique_ptr<PlaneReceiver> accept(ExchangeKind kind, const std::string& offer) {
    if (kind != ExchangeKind::mpi) return RingReceiver::open(backend_, offer, ring_);
    std::unique_ptr<PlaneReceiver> receiver;
    try_to([&] {
      receiver = std::make_unique<LinkReceiver>(ring_to_receive(false),
                                                ranks_.link_from(above_, ring_.plane_bytes));
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
            ring_to_send(true),
            std::make_unique<DevicePlaneLink>(std::move(sending), ranks_.announcements_to(below_),
                                              ring_.plane_bytes));
      }
      if (receiving) {
        ends.up = std::make_unique<LinkReceiver>(
            ring_to_receive(true),
            std::make_unique<DevicePlaneLink>(
                std::move(receiving), ranks_.announcements_from(above_), ring_.plane_bytes));
      }
    });
    return ends;
  }

  LinkRing ring(bool on_device, int planes, const char* purpose) {
    const std::size_t bytes = ring_.plane_bytes * static_cast<std::size_t>(planes);
    return {on_device ? backend_.allocate_device(bytes, purpose)
                      : backend_.allocate_staging(bytes, purpose),
            ring_.plane_bytes, planes, on_device};
  }
  LinkRing ring_to_send(bool on_device) {
    return ring(on_device, to_send_, "planes for the slab below");
  }
  LinkRing ring_to_receive(bool on_device) {
    return ring(on_device, ring_.planes, "planes from the slab above");
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
  int to_send_;  // planes of a sender's own ring
  int above_, below_;
  Exchange exchange_;
  std::string error_;
};

}  // namespace

Exchange make_exchange(Ranks& ranks, Backend& backend, const ExchangeRequest& request) {
  return Joiner(ranks, backend, request).join();
}

}  // namespace lbm::tiling
