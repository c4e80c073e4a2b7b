// Host memory that processes of one host share. It has no file in the system: it goes when the last
// process lets go of it, however that one ends.
#pragma once

#include <cstddef>
#include <optional>
#include <string>

#include "solver/core/buffer.hpp"

namespace lbm {

class SharedMemory {
 public:
  // Zeroed. Throws ResourceError where the system refuses; `purpose` names it in the message.
  static SharedMemory create(std::size_t bytes, const std::string& purpose);
  // What another process has created, as long as that one keeps it. Empty where this process cannot
  // reach it: on another host, in another container, of another user.
  static std::optional<SharedMemory> open(const std::string& name, std::size_t bytes);

  // Begins at a page; of the size that was asked for.
  const Buffer& memory() const { return memory_; }
  std::byte* data() const { return memory_.data(); }
  // For open(), in another process; a word. Empty for what was opened.
  const std::string& name() const { return name_; }

 private:
  SharedMemory(Buffer memory, std::string name)
      : memory_(std::move(memory)), name_(std::move(name)) {}

  Buffer memory_;
  std::string name_;
};

}  // namespace lbm
