// SPDX-License-Identifier: Apache-2.0

// Planes through a connection: order, room in the rings, and ends that stop.
#include <gtest/gtest.h>

#include <cstring>
#include <vector>

#include "solver/backend/backend.hpp"
#include "tests/tiling/exchange/local_link.hpp"
#include "tiling/exchange/link_exchange.hpp"

namespace lbm::tiling::test {
namespace {

constexpr std::size_t plane_bytes = 256;

class LinkExchange : public testing::TestWithParam<bool> {
 protected:
  bool on_device() const { return GetParam(); }

  LinkRing ring(int planes) {
    return {backend_->allocate_staging(plane_bytes * static_cast<std::size_t>(planes), "a test"),
            plane_bytes, planes, on_device()};
  }
  std::unique_ptr<PlaneLink> link() {
    if (!on_device()) return std::make_unique<LocalLink>(channel_, plane_bytes);
    return std::make_unique<DevicePlaneLink>(std::make_unique<LocalDeviceLink>(channel_),
                                             std::make_unique<LocalAnnouncements>(count_),
                                             plane_bytes);
  }

  std::unique_ptr<Backend> backend_ = make_cpu_backend(1);
  LocalChannel channel_;
  LocalCount count_ = 0;
};

void fill(LinkSender& sender, int value) {
  sender.wait_to_fill();
  std::memset(sender.fill_next(), value, plane_bytes);
  sender.send(1);
}

int take(LinkReceiver& receiver) {
  receiver.wait_to_arrive();
  const std::byte* const plane = receiver.read_next();
  const int value = std::to_integer<int>(plane[plane_bytes - 1]);
  EXPECT_EQ(plane[0], plane[plane_bytes - 1]);
  receiver.release(1);
  return value;
}

TEST_P(LinkExchange, PlanesArriveInOrder) {
  LinkSender sender(ring(3), link());
  LinkReceiver receiver(ring(5), link());
  std::vector<int> sent, received;
  for (int i = 0; i < 100; ++i) sent.push_back(i);
  std::jthread filling([&] {
    for (const int value : sent) fill(sender, value);
  });
  for (int i = 0; i < 100; ++i) received.push_back(take(receiver));
  EXPECT_EQ(received, sent);
}

// Three planes lie with the sender, two with the receiver; nobody reads them.
TEST_P(LinkExchange, TheSenderHasNoMoreRoomThanBothRings) {
  LinkSender sender(ring(3), link());
  LinkReceiver receiver(ring(2), link());
  for (int i = 0; i < 5; ++i) fill(sender, i);
  std::this_thread::sleep_for(std::chrono::milliseconds(20));
  EXPECT_FALSE(sender.can_fill(1));
  EXPECT_TRUE(receiver.has_arrived(2));
  EXPECT_FALSE(receiver.has_arrived(3));
  for (int i = 0; i < 5; ++i) EXPECT_EQ(take(receiver), i);
  sender.wait_to_fill();
}

// A device must not wait for its partner: it receives planes that are announced, messages all.
TEST_P(LinkExchange, ReceivesBeginInTime) {
  LinkReceiver receiver(ring(4), link());
  std::this_thread::sleep_for(std::chrono::milliseconds(20));
  EXPECT_EQ(channel_.most_waiting(), on_device() ? 0U : 4U);
  LinkSender sender(ring(4), link());
  fill(sender, 1);
  EXPECT_EQ(take(receiver), 1);
  EXPECT_EQ(channel_.most_waiting() > 0, true);
}

TEST_P(LinkExchange, RingsCountWhereTheyLie) {
  const LinkSender sender(ring(3), link());
  const LinkReceiver receiver(ring(2), link());
  EXPECT_EQ(sender.device_bytes(), on_device() ? 3 * plane_bytes : 0);
  EXPECT_EQ(sender.host_bytes(), on_device() ? 0 : 3 * plane_bytes);
  EXPECT_EQ(receiver.device_bytes(), on_device() ? 2 * plane_bytes : 0);
  EXPECT_EQ(receiver.host_bytes(), on_device() ? 0 : 2 * plane_bytes);
}

template <class Wait>
std::string error_of(const Wait& wait) {
  try {
    wait();
  } catch (const ResourceError& error) {
    return error.what();
  }
  return "";
}

TEST_P(LinkExchange, StopEndsWaits) {
  LinkReceiver receiver(ring(2), link());
  std::jthread stopping([&] {
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
    receiver.stop("the run ends");
  });
  EXPECT_EQ(error_of([&] { receiver.wait_to_arrive(); }), "the run ends");
}

TEST_P(LinkExchange, ABrokenConnectionEndsWaits) {
  LinkSender sender(ring(1), link());
  LinkReceiver receiver(ring(2), link());
  channel_.break_off();
  EXPECT_EQ(error_of([&] { receiver.wait_to_arrive(); }), "the connection is broken");
  EXPECT_EQ(error_of([&] {
              fill(sender, 1);
              sender.wait_to_fill();
            }),
            "the connection is broken");
}

// Nobody receives the plane; the run has failed. A message would still be sent.
TEST_P(LinkExchange, AStoppedSenderGivesUpPlanesBetweenDevices) {
  if (!on_device()) return;
  LinkSender sender(ring(2), link());
  fill(sender, 1);
  sender.stop("the run ends");
  EXPECT_EQ(error_of([&] { sender.wait_to_fill(); }), "the run ends");
}

INSTANTIATE_TEST_SUITE_P(Ways, LinkExchange, testing::Bool(),
                         [](const auto& which) { return which.param ? "Devices" : "Messages"; });

}  // namespace
}  // namespace lbm::tiling::test
