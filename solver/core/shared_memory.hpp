// SPDX-License-Identifier: Apache-2.0

// Host memory that processes of one host share. It has no file in the file system: it is freed when
// the last process that uses it ends, however it ends.
#pragma once

#include <cstddef>
#include <optional>
#include <string>

#include "solver/core/buffer.hpp"

namespace lbm {

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
