// SPDX-License-Identifier: Apache-2.0
#include "solver/core/host_memory.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <random>
#include <sstream>
#include <utility>

#include "solver/core/error.hpp"
#include "solver/machine/numa_nodes.hpp"

namespace lbm {
namespace {

constexpr std::size_t huge_page = std::size_t{2} << 20;

}  // namespace

std::size_t host_memory_alignment(std::size_t bytes, const SystemFiles& files) {
  const auto page =
      files.number("/sys/kernel/mm/transparent_hugepage/hpage_pmd_size").value_or(huge_page);
  const bool power_of_two = (page & (page - 1)) == 0;
  return power_of_two && page > huge_page && page <= bytes / 8 ? page : huge_page;
}

Buffer map_host_memory(std::size_t bytes, const std::string& purpose) {
  // One page more than asked for, so that the start can be aligned. Its end is never touched.
  const std::size_t size = (bytes + huge_page - 1) / huge_page * huge_page;
  const std::size_t alignment = host_memory_alignment(bytes);
  const std::size_t mapped = size + alignment;
  void* base = mmap(nullptr, mapped, PROT_READ | PROT_WRITE,
                    MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (base == MAP_FAILED) {
    throw ResourceError(
        fmt::format("not enough host memory: {} for {}: {}; use a smaller grid or "
                    "lattice.storage: fp16",
                    human_bytes(bytes), purpose, std::strerror(errno)));
  }
  const auto address = reinterpret_cast<std::uintptr_t>(base);
  auto* data = reinterpret_cast<std::byte*>((address + alignment - 1) / alignment * alignment);
  madvise(data, size, MADV_HUGEPAGE);
  return Buffer(data, bytes, [base, mapped](std::byte*) { munmap(base, mapped); });
}

void touch_host_memory(std::byte* data, std::size_t bytes) {
  constexpr std::size_t page = 4096;  // the smallest there is
  constexpr std::size_t piece = 16 * huge_page;
  const auto pieces = static_cast<std::int64_t>((bytes + piece - 1) / piece);
#pragma omp parallel for schedule(dynamic)
  for (std::int64_t i = 0; i < pieces; ++i) {
    const std::size_t begin = static_cast<std::size_t>(i) * piece;
    const std::size_t end = std::min(bytes, begin + piece);
    for (std::size_t at = begin; at < end; at += page) {
      *static_cast<volatile std::byte*>(data + at) = std::byte{0};
    }
  }
}

std::uint64_t host_memory_total() { return machine_memory(SystemFiles::here()).usable_total(); }

std::uint64_t host_memory_available() {
  return machine_memory(SystemFiles::here()).usable_available();
}

namespace {

constexpr std::size_t head_bytes = std::size_t{2} << 20;

// Precedes the memory. Tells whether the name means this memory: on another host the same process
// number may be another process.
struct Head {
  std::uint64_t token;
};

// An open file; null: it could not be opened.
using File = std::shared_ptr<const int>;
File own(int handle) {
  if (handle < 0) return nullptr;
  return {new int(handle), [](const int* file) {
            close(*file);
            delete file;
          }};
}

// Maps the head (2 MiB) and the memory behind it. Null where the system refuses.
std::byte* map(int file, std::size_t bytes) {
  void* const base = mmap(nullptr, head_bytes + bytes, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
  return base == MAP_FAILED ? nullptr : static_cast<std::byte*>(base);
}

// Keeps the file open.
Buffer memory_of(std::byte* base, std::size_t bytes, const File& file) {
  return Buffer(base + head_bytes, bytes,
                [base, bytes, file](std::byte*) { munmap(base, head_bytes + bytes); });
}

}  // namespace

SharedMemory SharedMemory::create(std::size_t bytes, const std::string& purpose) {
  const File file = own(memfd_create("lbm", MFD_CLOEXEC));
  const bool sized =
      file != nullptr && ftruncate(*file, static_cast<off_t>(head_bytes + bytes)) == 0;
  std::byte* const base = sized ? map(*file, bytes) : nullptr;
  if (base == nullptr) {
    throw ResourceError(fmt::format("not enough host memory to share: {} for {}: {}",
                                    human_bytes(bytes), purpose, std::strerror(errno)));
  }
  madvise(base, head_bytes + bytes, MADV_HUGEPAGE);
  std::random_device random;
  const std::uint64_t token = (std::uint64_t{random()} << 32) | random();
  new (base) Head{token};
  std::string name = fmt::format("{}:{}:{}", getpid(), *file, token);
  return {memory_of(base, bytes, file), std::move(name)};
}

std::optional<SharedMemory> SharedMemory::open(const std::string& name, std::size_t bytes) {
  std::istringstream text(name);
  long process = 0;
  int handle = 0;
  std::uint64_t token = 0;
  char colon = 0;
  if (!(text >> process >> colon >> handle >> colon >> token)) return std::nullopt;
  const File file =
      own(::open(fmt::format("/proc/{}/fd/{}", process, handle).c_str(), O_RDWR | O_CLOEXEC));
  const bool large_enough =
      file != nullptr && lseek(*file, 0, SEEK_END) == static_cast<off_t>(head_bytes + bytes);
  std::byte* const base = large_enough ? map(*file, bytes) : nullptr;
  if (base == nullptr) return std::nullopt;
  Buffer memory = memory_of(base, bytes, file);
  if (std::launder(reinterpret_cast<const Head*>(base))->token != token) return std::nullopt;
  return SharedMemory(std::move(memory), "");
}

}  // namespace lbm
