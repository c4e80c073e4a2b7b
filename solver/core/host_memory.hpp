// SPDX-License-Identifier: Apache-2.0

// Memory with an owner, and large host memory: mapped in huge pages where the system has them, of
// one process or shared by several.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "solver/machine/machine_facts.hpp"

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

// Alignment in bytes of memory of this size: 2 MiB, or the system's larger huge page (512 MiB with
// pages of 64 KiB) if the memory holds eight of them.
std::size_t host_memory_alignment(std::size_t bytes,
                                  const SystemFiles& files = SystemFiles::here());

// Zeroed memory of `bytes`, aligned as host_memory_alignment() says. Pages are placed at first
// touch. Throws ResourceError if the system refuses; the message names `purpose`.
Buffer map_host_memory(std::size_t bytes, const std::string& purpose);

// Writes a zero byte into every page, with all OpenMP threads, to place untouched memory.
void touch_host_memory(std::byte* data, std::size_t bytes);

// Total and available memory in bytes, on NUMA nodes with CPUs: the smaller of the limits of the
// machine and of the control group (solver/machine/numa_nodes.hpp). Virtual machines may grow
// beyond the total that they report.
std::uint64_t host_memory_total();
std::uint64_t host_memory_available();

// Host memory that processes of one host share. It has no file in the file system: it is freed when
// the last process that uses it ends, however it ends.
class SharedMemory {
 public:
  // Zeroed memory. Throws ResourceError where the system refuses; the message names `purpose`.
  static SharedMemory create(std::size_t bytes, const std::string& purpose);
  // Opens memory that another process has created and still owns. Empty where this process has no
  // access to it: on another host, in another container, of another user.
  static std::optional<SharedMemory> open(const std::string& name, std::size_t bytes);

  // Page aligned, of the requested size.
  const Buffer& memory() const { return memory_; }
  std::byte* data() const { return memory_.data(); }
  // One word, for open() in another process. Empty for memory that was opened.
  const std::string& name() const { return name_; }

 private:
  SharedMemory(Buffer memory, std::string name)
      : memory_(std::move(memory)), name_(std::move(name)) {}

  Buffer memory_;
  std::string name_;
};

}  // namespace lbm
