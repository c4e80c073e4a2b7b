// SPDX-License-Identifier: Apache-2.0
#include "io/image/mapped_range.hpp"

#include <linux/magic.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/vfs.h>
#include <unistd.h>

#include <utility>

namespace lbm::io {
namespace {

constexpr std::int64_t xfs_magic = 0x58465342;
constexpr std::uint64_t block = 512;  // of stat()

bool is_local(int fd) {
  struct statfs system {};
  if (::fstatfs(fd, &system) != 0) return false;
  const auto type = static_cast<std::int64_t>(system.f_type);
  return type == TMPFS_MAGIC || type == EXT4_SUPER_MAGIC || type == xfs_magic;
}

// True if the file has at least `end` bytes and no holes.
bool is_reserved(int fd, std::uint64_t end) {
  struct stat file {};
  if (::fstat(fd, &file) != 0) return false;
  const auto size = static_cast<std::uint64_t>(file.st_size);
  return size >= end && static_cast<std::uint64_t>(file.st_blocks) * block >= size;
}

}  // namespace

std::optional<MappedRange> MappedRange::open(int fd, std::uint64_t offset, std::size_t bytes) {
  if (bytes == 0 || !is_local(fd) || !is_reserved(fd, offset + bytes)) return std::nullopt;
  const auto page = static_cast<std::uint64_t>(::sysconf(_SC_PAGESIZE));
  const std::uint64_t first = offset / page * page;
  const auto before = static_cast<std::size_t>(offset - first);
  void* const pages = ::mmap(nullptr, before + bytes, PROT_READ | PROT_WRITE, MAP_SHARED, fd,
                             static_cast<off_t>(first));
  if (pages == MAP_FAILED) return std::nullopt;
  return MappedRange(static_cast<std::byte*>(pages), before, before + bytes);
}

MappedRange::MappedRange(MappedRange&& other) noexcept
    : pages_(std::exchange(other.pages_, nullptr)), before_(other.before_), bytes_(other.bytes_) {}

MappedRange::~MappedRange() {
  if (pages_ != nullptr) ::munmap(pages_, bytes_);
}

}  // namespace lbm::io
