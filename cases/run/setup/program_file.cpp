// SPDX-License-Identifier: Apache-2.0
#include "cases/run/setup/program_file.hpp"

#include <dlfcn.h>
#include <fmt/format.h>

#include <fstream>
#include <iterator>
#include <span>

#include "io/files/checksum.hpp"
#include "io/files/place.hpp"

namespace lbm::cases {

namespace fs = std::filesystem;

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
  std::ifstream file(program_file(), std::ios::binary);
  const std::string bytes{std::istreambuf_iterator<char>(file), {}};
  return fmt::format("{} {:016x}", LBM_VERSION, io::checksum(std::as_bytes(std::span(bytes))));
}

const char* commit() { return LBM_COMMIT; }

}  // namespace lbm::cases
