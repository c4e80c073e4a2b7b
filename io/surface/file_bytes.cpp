#include "io/surface/file_bytes.hpp"

#include <fmt/format.h>
#include <zlib.h>

#include <array>
#include <cerrno>
#include <cstring>
#include <fstream>
#include <memory>

#include "io/files/remedy.hpp"
#include "solver/core/error.hpp"

namespace lbm::io {
namespace {

namespace fs = std::filesystem;

// Surfaces as text pack to between a third and a fortieth; a bomb packs to a thousandth.
constexpr std::uint64_t most_times = 64, always_allowed = std::uint64_t{1} << 20;
constexpr std::uint64_t most_in_time = std::uint64_t{32} << 20;

[[noreturn]] void fail(const fs::path& path, const std::string& what) {
  throw UsageError(path.string() + ": " + what);
}

[[noreturn]] void cannot_read(const fs::path& path) {
  const int error = errno;
  fail(path, fmt::format("cannot be read: {}{}", std::strerror(error),
                         remedy_of(error, "; check its rights")));
}

struct CloseGzip {
  void operator()(gzFile file) const { gzclose_r(file); }
};

[[noreturn]] void damaged(const fs::path& path, gzFile file) {
  int error = Z_OK;
  const std::string why = gzerror(file, &error);
  if (error == Z_ERRNO) cannot_read(path);
  fail(path,
       fmt::format("is a damaged gzip file ({}): export or copy it again",
                   error == Z_BUF_ERROR ? "it is cut short" : "its bytes do not fit together"));
}

}  // namespace

std::uint64_t size_of_file(const fs::path& path) {
  std::error_code error;
  const fs::file_status status = fs::status(path, error);
  constexpr const char* remedy = "give the path of an STL, OBJ or PLY file";
  if (status.type() == fs::file_type::not_found)
    fail(path, fmt::format("there is no such file; {}, relative to the case file", remedy));
  if (status.type() == fs::file_type::directory)
    fail(path, fmt::format("is a directory; {}", remedy));
  if (error || status.type() != fs::file_type::regular)
    fail(path, fmt::format("is not a regular file; {}", remedy));
  const std::uint64_t size = fs::file_size(path, error);
  if (error) fail(path, fmt::format("cannot be read ({}); check its rights", error.message()));
  if (size == 0) fail(path, "is empty; export or copy it again");
  return size;
}

std::string first_bytes(const fs::path& path, std::uint64_t count) {
  std::ifstream file(path, std::ios::binary);
  std::string text(count, '\0');
  if (!file || !file.read(text.data(), static_cast<std::streamsize>(count))) cannot_read(path);
  return text;
}

bool is_gzip(const std::string& first_bytes) { return first_bytes.rfind("\x1f\x8b", 0) == 0; }

std::string unpacked(const fs::path& path, std::uint64_t size, const TimeLimit& limit) {
  const std::unique_ptr<gzFile_s, CloseGzip> file(gzopen(path.c_str(), "rb"));
  if (!file) cannot_read(path);
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
      fail(path,
           fmt::format("{} bytes unpack to more than {} times as many, which no surface does; "
                       "unpack it by hand (gunzip) and give the unpacked file",
                       size, most_times));
    if (limit.is_set() && text.size() > most_in_time) throw TimeLimitReached();
  }
  int error = Z_OK;
  gzerror(file.get(), &error);
  if (error != Z_OK) damaged(path, file.get());
  if (text.empty()) fail(path, "is a gzip file of no bytes; export or copy it again");
  return text;
}

}  // namespace lbm::io
