// SPDX-License-Identifier: Apache-2.0
#include <utility>

#include "tiling/exchange/plane_link.hpp"

namespace lbm::tiling {
namespace {

class DevicePlaneLink final : public PlaneLink {
 public:
  DevicePlaneLink(std::unique_ptr<DeviceLink> device, std::unique_ptr<Announcements> announcements,
                  std::size_t plane_bytes)
      : device_(std::move(device)),
        announcements_(std::move(announcements)),
        plane_bytes_(plane_bytes) {}

  // Announced first: the call may wait until the other end receives.
  void send(const std::byte* plane) override {
    announcements_->announce();
    device_->send(plane, plane_bytes_);
  }
  void receive(std::byte* plane) override { device_->receive(plane, plane_bytes_); }
  long long completed() override { return device_->completed(); }
  long long announced() override { return announcements_->heard(); }
  bool receives_early() const override { return false; }
  bool needs_polling() const override { return false; }
  bool outlives_errors() const override { return false; }
  void cancel() override {
    announcements_->cancel();
    device_.reset();
  }

 private:
  std::unique_ptr<DeviceLink> device_;
  std::unique_ptr<Announcements> announcements_;
  std::size_t plane_bytes_;
};

}  // namespace

std::unique_ptr<PlaneLink> announced_device_link(std::unique_ptr<DeviceLink> device,
                                                 std::unique_ptr<Announcements> announcements,
                                                 std::size_t plane_bytes) {
  return std::make_unique<DevicePlaneLink>(std::move(device), std::move(announcements),
                                           plane_bytes);
}

}  // namespace lbm::tiling
