// SPDX-License-Identifier: Apache-2.0

// How processes, here threads, agree on the ways for planes between them.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <chrono>
#include <cstring>

#include "tests/tiling/exchange/sharing_backend.hpp"
#include "tests/tiling/exchange/thread_ranks.hpp"
#include "tiling/exchange/exchange.hpp"

namespace lbm::tiling::test {
namespace {

constexpr std::size_t plane_bytes = 4096;

struct Agreed {
  std::vector<std::string> kinds;  // of the way down, by rank
  std::vector<std::string> errors;
};

// The properties of a process that may differ from rank to rank.
struct Machine {
  Sharing sharing = {};
  bool room_on_device = true;
  std::string sender_error = {}, receiver_error = {};  // of messages
  std::chrono::microseconds message = {};              // the time that one takes
};

// A plane goes from each to the next lower one.
void expect_planes_arrive(const ThreadRanks& ranks, PlaneExchange& ends) {
  ends.down->wait_to_fill();
  std::memset(ends.down->fill_next(), ranks.rank(), plane_bytes);
  ends.down->send(1);
  ends.up->wait_to_arrive();
  const std::byte* const plane = ends.up->read_next();
  EXPECT_EQ(std::to_integer<int>(plane[0]), (ranks.rank() + 1) % ranks.size());
  EXPECT_EQ(plane[plane_bytes - 1], plane[0]);
  ends.up->release(1);
}

Agreed agree(const std::vector<Machine>& machines, std::optional<ExchangeKind> kind = {}) {
  Agreed agreed;
  agreed.kinds.resize(machines.size());
  agreed.errors = in_threads(static_cast<int>(machines.size()), [&](ThreadRanks& ranks) {
    const auto r = static_cast<std::size_t>(ranks.rank());
    SharingBackend backend(machines[r].sharing);
    ranks.sender_error = machines[r].sender_error;
    ranks.receiver_error = machines[r].receiver_error;
    ranks.plane_nap = machines[r].message;
    const ScheduleOptions options{.scheme = Scheme::wavefront, .steps_per_visit = 4};
    Exchange exchange =
        make_exchange(ranks, backend, {plane_bytes, options, 1, kind, machines[r].room_on_device});
    agreed.kinds[r] = to_string(exchange.down);
    expect_planes_arrive(ranks, exchange.ends);
  });
  return agreed;
}

using Texts = std::vector<std::string>;
const Texts nothing(3);

// Visits under way belong to few sweeps of a thick slab. 64 planes a visit, 8 steps.
TEST(PlanesInRing, AreFewerBetweenThickSlabs) {
  const ScheduleOptions options{Scheme::in_core, 8, 64};
  EXPECT_EQ(planes_to_send(options, 64), 7 * 16);       // six visits, each of another sweep
  EXPECT_EQ(planes_to_send(options, 12 * 64), 2 * 16);  // of two sweeps
  EXPECT_EQ(planes_in_ring(options, 12 * 64), 3 * 16);
  EXPECT_EQ(ring_planes_on_device(ExchangeKind::nccl, options, 12 * 64), 5 * 16);
  // A sweep of many steps sends its halo planes in many visits.
  EXPECT_EQ(planes_to_send({Scheme::wavefront, 64, 8}, 512), 6 * 16);
}

TEST(MakeExchange, JoinsAllByTheFirstKindThatWorks) {
  const Machine gpu, cpu{.sharing = {.offers_device = false, .opens_device = false}},
      messages{.sharing = {.offers_device = false, .opens_device = false, .pins_host = false}};
  for (const auto& [machine, kind] : {std::pair{gpu, "device"}, {cpu, "host"}, {messages, "mpi"}}) {
    const Agreed agreed = agree({machine, machine, machine});
    EXPECT_EQ(agreed.errors, nothing);
    EXPECT_EQ(agreed.kinds, Texts(3, kind));
  }
}

TEST(MakeExchange, JoinsTwoBothWays) {
  const Agreed agreed = agree({{}, {}});
  EXPECT_EQ(agreed.errors, Texts(2));
  EXPECT_EQ(agreed.kinds, Texts(2, "device"));
}

TEST(MakeExchange, TakesTheKindThatIsAskedFor) {
  for (const ExchangeKind kind : {ExchangeKind::device, ExchangeKind::host, ExchangeKind::mpi}) {
    const Agreed agreed = agree({{}, {}, {}}, kind);
    EXPECT_EQ(agreed.errors, nothing);
    EXPECT_EQ(agreed.kinds, Texts(3, to_string(kind)));
  }
}

// Process 1 opens no memory of the device of process 2, and of process 0 nothing at all is opened.
TEST(MakeExchange, FallsBackForThePairsThatMust) {
  const Agreed opens = agree({{}, {.sharing = {.opens_device = false}}, {}});
  EXPECT_EQ(opens.errors, nothing);
  EXPECT_EQ(opens.kinds, (Texts{"device", "device", "host"}));
  const Agreed offers = agree({{.sharing = {.offers_device = false, .pins_host = false}}, {}, {}});
  EXPECT_EQ(offers.errors, nothing);
  EXPECT_EQ(offers.kinds, (Texts{"mpi", "device", "device"}));
  const Agreed pins = agree({{}, {}, {.sharing = {.opens_device = false, .pins_host = false}}});
  EXPECT_EQ(pins.errors, nothing);
  EXPECT_EQ(pins.kinds, (Texts{"mpi", "device", "device"}));
}

// Machines that share no memory: each a host of its own.
constexpr Sharing remote{
    .offers_device = false, .opens_device = false, .pins_host = false, .has_links = true};

TEST(MakeExchange, ConnectsDevicesOfSeveralHosts) {
  const Agreed agreed = agree({{remote}, {remote}, {remote}}, ExchangeKind::nccl);
  EXPECT_EQ(agreed.errors, nothing);
  EXPECT_EQ(agreed.kinds, Texts(3, "nccl"));
  EXPECT_EQ(agree({{remote}, {remote}}, ExchangeKind::nccl).kinds, Texts(2, "nccl"));
}

// A message of 20 ms is slower than a copy in memory; so is a device that is never there.
TEST(MakeExchange, TakesTheFasterOfDevicesAndMessagesBetweenHosts) {
  const Machine slow{.sharing = remote, .message = std::chrono::milliseconds(20)};
  const Agreed devices = agree({slow, slow, slow});
  EXPECT_EQ(devices.errors, nothing);
  EXPECT_EQ(devices.kinds, Texts(3, "nccl"));
  Machine none = slow;
  none.sharing.has_links = false;
  EXPECT_EQ(agree({none, none, none}).kinds, Texts(3, "mpi"));
  const Agreed one = agree({slow, none, slow});
  EXPECT_EQ(one.errors, nothing);
  EXPECT_EQ(one.kinds, (Texts{"nccl", "mpi", "mpi"}));
  Machine shut = slow;
  shut.sharing.opens_links = false;
  EXPECT_EQ(agree({slow, shut, slow}).kinds, (Texts{"nccl", "mpi", "mpi"}));
}

TEST(MakeExchange, MessagesMayFailWhereDevicesAreConnected) {
  const Machine machine{.sharing = remote, .sender_error = "no memory to send from"};
  const Agreed agreed = agree({machine, machine, machine});
  EXPECT_EQ(agreed.errors, nothing);
  EXPECT_EQ(agreed.kinds, Texts(3, "nccl"));
}

TEST(MakeExchange, TellsAllWhichDevicesCannotBeConnected) {
  Machine none{.sharing = remote};
  none.sharing.has_links = false;
  const std::string refusal =
      "tiling.exchange: found nccl, but NCCL cannot connect process {} with process {}: both need "
      "a GPU of their own and libnccl.so.2 (docs/clusters.md), or set auto";
  EXPECT_EQ(agree({{remote}, none, {remote}}, ExchangeKind::nccl).errors,
            Texts(3, fmt::format(fmt::runtime(refusal), 1, 0)));
  EXPECT_EQ(agree({none, none, none}, ExchangeKind::nccl).errors,
            Texts(3, fmt::format(fmt::runtime(refusal), 0, 2)));
}

TEST(MakeExchange, LeavesADeviceAloneThatHasNoRoom) {
  const Agreed agreed = agree({{}, {.room_on_device = false}, {}});
  EXPECT_EQ(agreed.errors, nothing);
  EXPECT_EQ(agreed.kinds, (Texts{"device", "host", "device"}));
}

TEST(MakeExchange, TellsAllWhichPairCannotDoWhatIsAskedFor) {
  const Agreed device = agree({{}, {.sharing = {.opens_device = false}}, {}}, ExchangeKind::device);
  EXPECT_EQ(device.errors, Texts(3,
                                 "tiling.exchange: found device, but process 2 cannot share "
                                 "memory of its device with process 1: set auto"));
  const Agreed host = agree({{}, {}, {.sharing = {.pins_host = false}}}, ExchangeKind::host);
  EXPECT_EQ(host.errors, Texts(3,
                               "tiling.exchange: found host, but process 0 cannot share "
                               "memory of the host with process 2: set auto"));
}

TEST(MakeExchange, TellsAllWhatFailsInOne) {
  const Sharing none{.offers_device = false, .opens_device = false, .pins_host = false};
  for (const auto& kind : {std::optional<ExchangeKind>(), std::optional(ExchangeKind::mpi)}) {
    for (std::size_t one = 0; one < 3; ++one) {
      std::vector<Machine> machines(3, Machine{.sharing = none});
      machines[one].sender_error = "no memory to send from";
      EXPECT_EQ(agree(machines, kind).errors, Texts(3, "no memory to send from"));
      machines[one].sender_error = "";
      machines[one].receiver_error = "no memory to receive in";
      EXPECT_EQ(agree(machines, kind).errors, Texts(3, "no memory to receive in"));
    }
  }
}

}  // namespace
}  // namespace lbm::tiling::test
