// SPDX-License-Identifier: Apache-2.0

// The ring of planes between two neighbours: both ends in one process, which reaches its own memory
// as another one would.
#include <gtest/gtest.h>

#include <chrono>
#include <cstring>
#include <future>
#include <thread>

#include "tests/tiling/exchange/sharing_backend.hpp"
#include "tiling/exchange/plane_ring.hpp"

namespace lbm::tiling::test {
namespace {

using namespace std::chrono_literals;

constexpr RingShape shape{4096, 5};

struct Ring {
  explicit Ring(ExchangeKind kind = ExchangeKind::host, const Sharing& sharing = {})
      : above(sharing), below(sharing) {
    sender = RingSender::make(above, kind, shape);
    if (sender) receiver = RingReceiver::open(below, sender->name(), shape);
  }
  void fill(int value) { std::memset(sender->fill_next(), value, shape.plane_bytes); }
  // All bytes of the next plane, where they are the same; else -1.
  int read() {
    const std::byte* const plane = receiver->read_next();
    for (std::size_t i = 1; i < shape.plane_bytes; ++i) {
      if (plane[i] != plane[0]) return -1;
    }
    return std::to_integer<int>(plane[0]);
  }

  SharingBackend above, below;
  std::unique_ptr<RingSender> sender;
  std::unique_ptr<RingReceiver> receiver;
};

class PlaneRing : public ::testing::TestWithParam<ExchangeKind> {};

TEST_P(PlaneRing, KeepsTheOrderOfPlanesThatGoRoundIt) {
  Ring ring(GetParam());
  ASSERT_TRUE(ring.receiver);
  constexpr int planes = 93;
  std::jthread above([&] {
    for (int i = 0; i < planes; ++i) {
      ring.sender->wait_to_fill();
      ring.fill(i);
      ring.sender->send(1);
    }
  });
  for (int i = 0; i < planes; ++i) {
    ring.receiver->wait_to_arrive();
    ASSERT_EQ(ring.read(), i);
    ring.receiver->release(1);
  }
  EXPECT_FALSE(ring.receiver->has_arrived(1));
}

TEST_P(PlaneRing, HasRoomForSoManyPlanes) {
  Ring ring(GetParam());
  ASSERT_TRUE(ring.receiver);
  EXPECT_TRUE(ring.sender->can_fill(shape.planes));
  EXPECT_FALSE(ring.sender->can_fill(shape.planes + 1));
  for (int i = 0; i < shape.planes; ++i) ring.fill(i);
  EXPECT_FALSE(ring.sender->can_fill(1));
  EXPECT_FALSE(ring.receiver->has_arrived(1)) << "before it was sent";
  ring.sender->send(3);
  EXPECT_TRUE(ring.receiver->has_arrived(3));
  EXPECT_FALSE(ring.receiver->has_arrived(4));
  for (int i = 0; i < 3; ++i) EXPECT_EQ(ring.read(), i);
  EXPECT_FALSE(ring.sender->can_fill(1)) << "read, but not released";
  ring.receiver->release(2);
  EXPECT_TRUE(ring.sender->can_fill(2));
  EXPECT_FALSE(ring.sender->can_fill(3));
}

INSTANTIATE_TEST_SUITE_P(Kinds, PlaneRing,
                         ::testing::Values(ExchangeKind::host, ExchangeKind::device));

TEST(PlaneRingMemory, IsTheHostsOrTheDevices) {
  const Ring host(ExchangeKind::host), device(ExchangeKind::device);
  EXPECT_GE(host.sender->host_bytes(), shape.bytes());
  EXPECT_EQ(host.sender->device_bytes(), 0U);
  EXPECT_EQ(device.sender->host_bytes(), host.sender->host_bytes() - shape.bytes())
      << "counters only";
  EXPECT_EQ(device.sender->device_bytes(), shape.bytes());
}

TEST(PlaneRingMemory, IsNotTheDevicesOfTheCpuBackend) {
  const auto cpu = make_cpu_backend(1);
  EXPECT_EQ(RingSender::make(*cpu, ExchangeKind::device, shape), nullptr);
  EXPECT_NE(RingSender::make(*cpu, ExchangeKind::host, shape), nullptr);
}

TEST(PlaneRingMemory, IsRefusedByNull) {
  EXPECT_FALSE(Ring(ExchangeKind::device, {.opens_device = false}).receiver);
  EXPECT_FALSE(Ring(ExchangeKind::host, {.pins_host = false}).sender);
  const Ring ring;
  SharingBackend pageable({.pins_host = false}), other({});
  EXPECT_EQ(RingReceiver::open(pageable, ring.sender->name(), shape), nullptr);
  EXPECT_EQ(RingReceiver::open(other, "no name", shape), nullptr);
  EXPECT_EQ(RingReceiver::open(other, ring.sender->name(), {shape.plane_bytes, 7}), nullptr);
}

// True if the wait has not returned after 50 ms.
bool goes_on(const std::future<void>& wait) {
  return wait.wait_for(50ms) == std::future_status::timeout;
}

TEST(PlaneRingWait, EndsWhenThereIsAPlaneOrRoom) {
  Ring ring;
  auto arrival = std::async(std::launch::async, [&] { ring.receiver->wait_to_arrive(); });
  EXPECT_TRUE(goes_on(arrival));
  for (int i = 0; i < shape.planes; ++i) ring.fill(i);
  ring.sender->send(1);
  arrival.get();
  auto room = std::async(std::launch::async, [&] { ring.sender->wait_to_fill(); });
  EXPECT_TRUE(goes_on(room));
  ring.receiver->release(1);
  room.get();
}

std::string error_of(const std::function<void()>& work) {
  try {
    work();
  } catch (const ResourceError& error) {
    return error.what();
  }
  return "";
}

// Now or later, with the first reason.
TEST(PlaneRingWait, EndsWhenItIsStopped) {
  Ring ring;
  auto arrival = std::async(std::launch::async, [&] { ring.receiver->wait_to_arrive(); });
  EXPECT_TRUE(goes_on(arrival));
  for (const char* why : {"the disk is full", "something else"}) {
    ring.receiver->stop(why);
    ring.sender->stop(why);
  }
  EXPECT_EQ(error_of([&] { arrival.get(); }), "the disk is full");
  EXPECT_EQ(error_of([&] { ring.receiver->wait_to_arrive(); }), "the disk is full");
  for (int i = 0; i < shape.planes; ++i) ring.fill(i);
  EXPECT_EQ(error_of([&] { ring.sender->wait_to_fill(); }), "the disk is full");
}

// The memory is the sender's: where it is the device's, the other must let go of it before.
TEST(PlaneRingEnd, OfTheSenderWaitsForTheReader) {
  Ring ring(ExchangeKind::device);
  auto end = std::async(std::launch::async, [&] { ring.sender.reset(); });
  EXPECT_TRUE(goes_on(end));
  ring.receiver.reset();
  EXPECT_EQ(end.wait_for(1s), std::future_status::ready);
}

TEST(PlaneRingEnd, OfTheSenderComesAtOnceWithoutReader) {
  SharingBackend backend({});
  auto sender = RingSender::make(backend, ExchangeKind::device, shape);
  auto end = std::async(std::launch::async, [&] { sender.reset(); });
  EXPECT_EQ(end.wait_for(1s), std::future_status::ready);
}

}  // namespace
}  // namespace lbm::tiling::test
