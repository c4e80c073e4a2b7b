// SPDX-License-Identifier: Apache-2.0
#include "solver/core/host_memory.hpp"

#include <fmt/format.h>
#include <sys/mman.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

#include "solver/core/error.hpp"
#include "solver/core/human_bytes.hpp"
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

}  // namespace lbm
