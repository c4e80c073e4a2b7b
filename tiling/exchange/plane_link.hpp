// SPDX-License-Identifier: Apache-2.0

// One-way connections between two ranks, which move the planes of a LinkSender to the LinkReceiver
// of another rank.
#pragma once

#include <memory>

#include "solver/backend/backend.hpp"

namespace lbm::tiling {

// One end. One thread at a time may call it. All calls throw ResourceError if the connection fails.
class PlaneLink {
 public:
  PlaneLink() = default;
  PlaneLink(const PlaneLink&) = delete;
  PlaneLink& operator=(const PlaneLink&) = delete;
  // Gives up transfers that are not complete.
  virtual ~PlaneLink() = default;

  // Asynchronous; `plane` must stay valid. The n-th send() matches the other end's n-th receive().
  virtual void send(const std::byte* plane) = 0;
  virtual void receive(std::byte* plane) = 0;
  // The number of completed transfers since the beginning.
  virtual long long completed() = 0;

  // The receiving end: the number of planes that the sender has announced.
  virtual long long announced() = 0;
  // True if receiving may begin before the plane is announced, at no cost.
  virtual bool receives_early() const = 0;
  // True if transfers progress only while the caller calls completed().
  virtual bool needs_polling() const = 0;
  // True if sent planes must arrive even if the run has failed; false: they are given up.
  virtual bool outlives_errors() const = 0;
  // Withdraws receives of planes that will not be sent.
  virtual void cancel() {}
};

// Tells the receiving end of a connection how many planes are coming.
class Announcements {
 public:
  Announcements() = default;
  Announcements(const Announcements&) = delete;
  Announcements& operator=(const Announcements&) = delete;
  virtual ~Announcements() = default;

  virtual void announce() = 0;    // the sending end: one more
  virtual long long heard() = 0;  // the receiving end: all so far
  virtual void cancel() {}        // the receiving end: listens no more
};

// A PlaneLink between the memories of two devices. A receive that waits for its partner occupies
// the device, so receives begin when the plane is announced.
std::unique_ptr<PlaneLink> announced_device_link(std::unique_ptr<DeviceLink> device,
                                                 std::unique_ptr<Announcements> announcements,
                                                 std::size_t plane_bytes);

}  // namespace lbm::tiling
