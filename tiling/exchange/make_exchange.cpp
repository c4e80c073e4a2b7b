// SPDX-License-Identifier: Apache-2.0
#include "tiling/exchange/make_exchange.hpp"

#include <fmt/format.h>

#include <functional>
#include <vector>

#include "solver/core/error.hpp"
#include "tiling/exchange/plane_ring.hpp"

namespace lbm::tiling {
namespace {

class Joiner {
 public:
  Joiner(Ranks& ranks, Backend& backend, const ExchangeRequest& request)
      : ranks_(ranks),
        backend_(backend),
        request_(request),
        ring_{request.plane_bytes, planes_in_ring(request.options)},
        above_((ranks.rank() + 1) % ranks.size()),
        below_((ranks.rank() + ranks.size() - 1) % ranks.size()) {}

  Exchange join() {
    for (const ExchangeKind kind : {ExchangeKind::device, ExchangeKind::host, ExchangeKind::mpi}) {
      if (!request_.kind || *request_.kind == kind) join(kind);
    }
    // If messages fail, one of the two ends has noted the reason.
    const ExchangeKind last = request_.kind.value_or(ExchangeKind::mpi);
    if (!exchange_.ends.down && last != ExchangeKind::mpi) error_ = refusal(last);
    for (const std::string& error : ranks_.allgather(error_)) {
      if (!error.empty()) throw ResourceError(error);
    }
    return std::move(exchange_);
  }

 private:
  // All pairs without an exchange try this kind. The rank above offers, the rank below accepts.
  void join(ExchangeKind kind) {
    const bool down = exchange_.ends.down == nullptr, up = exchange_.ends.up == nullptr;
    std::unique_ptr<PlaneSender> sender;
    const std::string offer = down ? make_offer(kind, sender) : "";
    const auto offers = ranks_.allgather(offer);
    const std::string& offered = offers[static_cast<std::size_t>(above_)];
    if (up && !offered.empty()) exchange_.ends.up = accept(kind, offered);
    const auto accepted = ranks_.allgather(int{up && exchange_.ends.up != nullptr});
    if (down && accepted[static_cast<std::size_t>(below_)] != 0) {
      exchange_.ends.down = std::move(sender);
      exchange_.down = kind;
    }
  }

  // Empty if this rank cannot offer that kind.
  std::string make_offer(ExchangeKind kind, std::unique_ptr<PlaneSender>& sender) {
    if (kind == ExchangeKind::mpi) {
      return try_to([&] {
        sender = ranks_.make_sender(backend_, below_, request_.plane_bytes,
                                    planes_to_send(request_.options));
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
      receiver = ranks_.make_receiver(backend_, above_, request_.plane_bytes, ring_.planes);
    });
    return receiver;
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
