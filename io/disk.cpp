#include "io/disk.hpp"

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

std::string human_bytes(std::uint64_t bytes) {
  static constexpr std::array units{"KiB", "MiB", "GiB", "TiB", "PiB", "EiB"};
  if (bytes < 1024) return fmt::format("{} B", bytes);
  double value = static_cast<double>(bytes) / 1024;
  std::size_t unit = 0;
  // 1023.95 would print as "1024.0" of the smaller unit.
  while (value >= 1023.95 && unit + 1 < units.size()) {
    value /= 1024;
    ++unit;
  }
  return fmt::format("{:.1f} {}", value, units[unit]);
}

}  // namespace lbm::io
