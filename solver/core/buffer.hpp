// SPDX-License-Identifier: Apache-2.0

// Owning memory of the host or of a device.
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <utility>

namespace lbm {

// Memory that the destructor passes to `release`. Move only.
class Buffer {
 public:
  Buffer() = default;
  Buffer(std::byte* data, std::size_t size, std::function<void(std::byte*)> release)
      : data_(data, std::move(release)), size_(size) {}

  std::byte* data() const { return data_.get(); }
  std::size_t size() const { return size_; }

 private:
  std::unique_ptr<std::byte, std::function<void(std::byte*)>> data_;
  std::size_t size_ = 0;
};

}  // namespace lbm
