// SPDX-License-Identifier: Apache-2.0

// The CPU backend as one whose device memory other processes can open, or as one that refuses.
#pragma once

#include <memory>
#include <string>

#include "solver/core/error.hpp"
#include "solver/core/shared_memory.hpp"
#include "tests/solver/backend/forwarding_backend.hpp"

namespace lbm::tiling::test {

struct Sharing {
  bool offers_device = true, opens_device = true;
  bool pins_host = true;
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
