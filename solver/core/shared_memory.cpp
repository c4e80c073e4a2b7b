// SPDX-License-Identifier: Apache-2.0
#include "solver/core/shared_memory.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <random>
#include <sstream>
#include <utility>

#include "solver/core/error.hpp"
#include "solver/core/human_bytes.hpp"

namespace lbm {
namespace {

constexpr std::size_t head_bytes = std::size_t{2} << 20;

// Precedes the memory. Tells whether the name means this memory: on another host the same process
// number may be another process.
struct Head {
  std::uint64_t token;
};

class File {
 public:
  explicit File(int handle) : handle_(handle) {}
  ~File() {
    if (handle_ >= 0) close(handle_);
  }
  File(File&& other) noexcept : handle_(std::exchange(other.handle_, -1)) {}
  File(const File&) = delete;
  File& operator=(const File&) = delete;
  int handle() const { return handle_; }
  bool is_open() const { return handle_ >= 0; }

 private:
  int handle_;
};

// Maps the head (2 MiB) and the memory behind it. Null where the system refuses.
std::byte* map(const File& file, std::size_t bytes) {
  void* const base =
      mmap(nullptr, head_bytes + bytes, PROT_READ | PROT_WRITE, MAP_SHARED, file.handle(), 0);
  return base == MAP_FAILED ? nullptr : static_cast<std::byte*>(base);
}

Buffer memory_of(std::byte* base, std::size_t bytes, File file) {
  auto kept = std::make_shared<File>(std::move(file));
  return Buffer(base + head_bytes, bytes,
                [base, bytes, kept](std::byte*) { munmap(base, head_bytes + bytes); });
}

}  // namespace

SharedMemory SharedMemory::create(std::size_t bytes, const std::string& purpose) {
  File file(memfd_create("lbm", MFD_CLOEXEC));
  const bool sized =
      file.is_open() && ftruncate(file.handle(), static_cast<off_t>(head_bytes + bytes)) == 0;
  std::byte* const base = sized ? map(file, bytes) : nullptr;
  if (base == nullptr) {
    throw ResourceError(fmt::format("not enough host memory to share: {} for {}: {}",
                                    human_bytes(bytes), purpose, std::strerror(errno)));
  }
  madvise(base, head_bytes + bytes, MADV_HUGEPAGE);
  std::random_device random;
  const std::uint64_t token = (std::uint64_t{random()} << 32) | random();
  new (base) Head{token};
  std::string name = fmt::format("{}:{}:{}", getpid(), file.handle(), token);
  return {memory_of(base, bytes, std::move(file)), std::move(name)};
}

std::optional<SharedMemory> SharedMemory::open(const std::string& name, std::size_t bytes) {
  std::istringstream text(name);
  long process = 0;
  int handle = 0;
  std::uint64_t token = 0;
  char colon = 0;
  if (!(text >> process >> colon >> handle >> colon >> token)) return std::nullopt;
  File file(::open(fmt::format("/proc/{}/fd/{}", process, handle).c_str(), O_RDWR | O_CLOEXEC));
  const bool large_enough =
      file.is_open() && lseek(file.handle(), 0, SEEK_END) == static_cast<off_t>(head_bytes + bytes);
  std::byte* const base = large_enough ? map(file, bytes) : nullptr;
  if (base == nullptr) return std::nullopt;
  Buffer memory = memory_of(base, bytes, std::move(file));
  if (std::launder(reinterpret_cast<const Head*>(base))->token != token) return std::nullopt;
  return SharedMemory(std::move(memory), "");
}

}  // namespace lbm
