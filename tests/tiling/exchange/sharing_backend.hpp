// SPDX-License-Identifier: Apache-2.0

// The CPU backend as one whose device memory other processes can open, or as one that refuses.
#pragma once

#include <map>
#include <memory>
#include <mutex>
#include <string>

#include "solver/core/error.hpp"
#include "solver/core/host_memory.hpp"
#include "tests/solver/backend/forwarding_backend.hpp"
#include "tests/tiling/exchange/local_link.hpp"

namespace lbm::tiling::test {

struct Sharing {
  bool offers_device = true, opens_device = true;
  bool pins_host = true;
  // Connections between devices: whether there are any, and whether they open.
  bool has_links = false, opens_links = true;
};

// The connections of all backends of this process.
class LocalLinks {
 public:
  static LocalLinks& all() {
    static LocalLinks links;
    return links;
  }
  std::string new_name() {
    const std::scoped_lock lock(mutex_);
    return "link" + std::to_string(++made_);
  }
  LocalChannel& channel(const std::string& name) {
    const std::scoped_lock lock(mutex_);
    return channels_[name];
  }

 private:
  std::mutex mutex_;
  int made_ = 0;
  std::map<std::string, LocalChannel> channels_;
};

// Its "device" memory is the host's.
class SharingBackend final : public lbm::test::ForwardingBackend {
 public:
  explicit SharingBackend(const Sharing& sharing) : sharing_(sharing) {}

  std::optional<ShareableBuffer> allocate_shareable(std::size_t bytes) override {
    if (!sharing_.offers_device) return std::nullopt;
    auto memory = std::make_shared<SharedMemory>(SharedMemory::create(bytes, "a test"));
    return ShareableBuffer{kept(memory, bytes), memory->name()};
  }
  std::optional<Buffer> open_shareable(const std::string& name, std::size_t bytes) override {
    auto opened = SharedMemory::open(name, bytes);
    if (!sharing_.opens_device || !opened) return std::nullopt;
    return kept(std::make_shared<SharedMemory>(std::move(*opened)), bytes);
  }
  std::string make_link_name() override {
    return sharing_.has_links ? LocalLinks::all().new_name() : "";
  }
  std::unique_ptr<DeviceLink> open_link(const std::string& name, LinkEnd) override {
    if (!sharing_.opens_links) return nullptr;
    return std::make_unique<LocalDeviceLink>(LocalLinks::all().channel(name));
  }
  Buffer attach_host(std::byte* data, std::size_t bytes, HostMemory kind) override {
    if (!sharing_.pins_host) throw ResourceError("no memory can be pinned");
    return ForwardingBackend::attach_host(data, bytes, kind);
  }

 private:
  static Buffer kept(const std::shared_ptr<SharedMemory>& memory, std::size_t bytes) {
    return Buffer(memory->data(), bytes, [memory](std::byte*) {});
  }

  Sharing sharing_;
};

}  // namespace lbm::tiling::test
