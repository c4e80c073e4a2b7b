// SPDX-License-Identifier: Apache-2.0
#include "io/surface/file_bytes.hpp"

#include <fmt/format.h>
#include <zlib.h>

#include <array>
#include <cerrno>
#include <memory>

#include "io/files/input_file.hpp"

namespace lbm::io {
namespace {

namespace fs = std::filesystem;

// Surfaces as text pack to between a third and a fortieth; a bomb packs to a thousandth.
constexpr std::uint64_t most_times = 64, always_allowed = std::uint64_t{1} << 20;

struct CloseGzip {
  void operator()(gzFile file) const { gzclose_r(file); }
};

[[noreturn]] void damaged(const fs::path& path, gzFile file) {
  int error = Z_OK;
  const std::string why = gzerror(file, &error);
  if (error == Z_ERRNO) cannot_read(path, errno);
  refuse_file(path, fmt::format("is a damaged gzip file ({}): export or copy it again",
                                error == Z_BUF_ERROR ? "it is cut short"
                                                     : "its bytes do not fit together"));
}

}  // namespace

bool is_gzip(const std::string& first_bytes) { return first_bytes.rfind("\x1f\x8b", 0) == 0; }

std::string unpacked(const fs::path& path, std::uint64_t size, const TimeLimit& limit) {
  const std::unique_ptr<gzFile_s, CloseGzip> file(gzopen(path.c_str(), "rb"));
  if (!file) cannot_read(path, errno);
  const std::uint64_t most = most_times * size + always_allowed;
  std::string text;
  std::array<char, 1 << 16> piece{};
  for (;;) {
    limit.check();
    const int count = gzread(file.get(), piece.data(), piece.size());
    if (count < 0) damaged(path, file.get());
    if (count == 0) break;
    text.append(piece.data(), static_cast<std::size_t>(count));
    if (text.size() > most)
      refuse_file(
          path, fmt::format("{} bytes unpack to more than {} times as many, which no surface does; "
                            "unpack it by hand (gunzip) and give the unpacked file",
                            size, most_times));
    if (limit.is_set() && text.size() > most_in_time) throw TimeLimitReached();
  }
  int error = Z_OK;
  gzerror(file.get(), &error);
  if (error != Z_OK) damaged(path, file.get());
  if (text.empty()) refuse_file(path, "is a gzip file of no bytes; export or copy it again");
  return text;
}

}  // namespace lbm::io
