// SPDX-License-Identifier: Apache-2.0
#include "io/files/disk.hpp"

#include <fmt/format.h>
#include <sys/statvfs.h>

#include <array>
#include <cerrno>
#include <cstring>

#include "solver/core/error.hpp"

namespace lbm::io {
namespace fs = std::filesystem;

namespace {

fs::path nearest_existing(const fs::path& path) {
  std::error_code ec;
  fs::path current = fs::absolute(path, ec);
  while (!fs::exists(current, ec) && current.has_relative_path()) current = current.parent_path();
  return current;
}

}  // namespace

std::optional<std::uint64_t> try_free_disk_bytes(const fs::path& path) {
  struct statvfs info {};
  if (::statvfs(nearest_existing(path).c_str(), &info) != 0) return std::nullopt;
  return static_cast<std::uint64_t>(info.f_bavail) * info.f_frsize;
}

std::uint64_t free_disk_bytes(const fs::path& path) {
  if (const auto bytes = try_free_disk_bytes(path)) return *bytes;
  throw ResourceError(
      fmt::format("{}: cannot ask for the free space of its disk: {}; check the path",
                  path.string(), std::strerror(errno)));
}

}  // namespace lbm::io
