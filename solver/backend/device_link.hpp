// SPDX-License-Identifier: Apache-2.0

// A one-way connection between the memories of two devices, each of a process of its own, on one
// host or on two.
#pragma once

#include <cstddef>
#include <cstdint>

namespace lbm {

enum class LinkEnd { sends, receives };

// One end. One thread at a time may call it.
class DeviceLink {
 public:
  DeviceLink() = default;
  DeviceLink(const DeviceLink&) = delete;
  DeviceLink& operator=(const DeviceLink&) = delete;
  // Gives up transfers that are not complete.
  virtual ~DeviceLink() = default;

  // Asynchronous. The n-th send of one end meets the n-th receive of the other, of as many bytes.
  // Sent memory must stay as it is, and received memory must not be read, before the transfer is
  // complete. A transfer occupies a part of the device until the other end has begun it, too.
  // Throw ResourceError, as completed() does, where the connection has failed.
  virtual void send(const std::byte* device, std::size_t bytes) = 0;
  virtual void receive(std::byte* device, std::size_t bytes) = 0;
  // The number of transfers that are complete.
  virtual std::int64_t completed() = 0;
};

}  // namespace lbm
