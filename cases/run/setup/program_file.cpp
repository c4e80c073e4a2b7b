// SPDX-License-Identifier: Apache-2.0
#include "cases/run/setup/program_file.hpp"

#include <dlfcn.h>
#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>

#include <algorithm>
#include <span>
#include <vector>

#include "io/files/checksum.hpp"
#include "io/files/place.hpp"

namespace lbm::cases {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t piece = std::size_t{1} << 20;

}  // namespace

std::optional<fs::path> own_library() {
  static const char here = 0;
  Dl_info info{};
  std::error_code ignored;
  if (dladdr(&here, &info) == 0 || info.dli_fname == nullptr) return std::nullopt;
  if (fs::equivalent(info.dli_fname, "/proc/self/exe", ignored) || ignored) return std::nullopt;
  return fs::path(info.dli_fname);
}

fs::path program_file() { return own_library().value_or("/proc/self/exe"); }

std::string program_checksum() {
  const io::UniqueFd file(::open(program_file().c_str(), O_RDONLY | O_CLOEXEC));
  struct stat status {};
  if (!file.valid() || ::fstat(file.get(), &status) != 0) return LBM_VERSION;
  io::Checksum sum;
  std::vector<std::byte> bytes(piece);
  const auto size = static_cast<std::uint64_t>(status.st_size);
  for (std::uint64_t at = 0; at < size; at += piece) {
    const auto part = std::span(bytes).first(std::min<std::uint64_t>(piece, size - at));
    if (io::read_at(file.get(), part, at) != 0) return LBM_VERSION;
    sum.add(part);
  }
  return fmt::format("{} {:016x}", LBM_VERSION, sum.value());
}

}  // namespace lbm::cases
