// SPDX-License-Identifier: Apache-2.0
#include "io/files/input_file.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <linux/magic.h>
#include <strings.h>
#include <sys/stat.h>
#include <sys/vfs.h>
#include <unistd.h>

#include <algorithm>
#include <cctype>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <fstream>

#include "io/files/place.hpp"
#include "solver/core/error.hpp"

namespace lbm::io {
namespace {

namespace fs = std::filesystem;

// The kernel keeps pipes without a name in a file system of their own.
bool is_named_fifo(int fd, const struct stat& status) {
  struct statfs system {};
  return S_ISFIFO(status.st_mode) && ::fstatfs(fd, &system) == 0 &&
         static_cast<unsigned long>(system.f_type) != PIPEFS_MAGIC;
}

}  // namespace

std::string read_input(const std::filesystem::path& path, std::string_view name,
                       std::string_view kind, std::size_t most) {
  const auto fail = [&](int error) {
    throw UsageError(fmt::format("{}: cannot read the {}: {}{}", name, kind, std::strerror(error),
                                 remedy_of(error, "")));
  };
  const auto refuse = [&](const char* what) {
    throw UsageError(fmt::format("{}: is a {}, must be a {}", name, what, kind));
  };
  // Without O_NONBLOCK the call would wait for a writer of a FIFO.
  const UniqueFd file(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY));
  struct stat status {};
  if (!file.valid() || ::fstat(file.get(), &status) != 0) fail(errno);
  if (S_ISDIR(status.st_mode)) refuse("directory");
  if (is_named_fifo(file.get(), status)) refuse("FIFO");
  const int flags = ::fcntl(file.get(), F_GETFL);
  if (flags < 0 || ::fcntl(file.get(), F_SETFL, flags & ~O_NONBLOCK) != 0) fail(errno);
  std::string text;
  constexpr std::size_t piece = 1 << 16;
  while (text.size() <= most) {
    const std::size_t before = text.size(), wanted = std::min(piece, most + 1 - before);
    text.resize(before + wanted);
    const ssize_t count = ::read(file.get(), text.data() + before, wanted);
    if (count < 0 && errno != EINTR) fail(errno);
    text.resize(before + static_cast<std::size_t>(std::max<ssize_t>(count, 0)));
    if (count == 0) break;
  }
  return text;
}

void refuse_file(const fs::path& path, std::string_view what) {
  throw UsageError(fmt::format("{}: {}", path.string(), what));
}

void cannot_read(const fs::path& path, int error) {
  if (error < 0) {
    refuse_file(path, "has become shorter while it was read: do not change it during a run");
  }
  refuse_file(path, fmt::format("cannot be read: {}{}", std::strerror(error),
                                remedy_of(error, "; check its rights")));
}

std::uint64_t size_of_file(const fs::path& path, std::string_view wanted) {
  std::error_code error;
  const fs::file_status status = fs::status(path, error);
  if (status.type() == fs::file_type::not_found) {
    refuse_file(path,
                fmt::format("there is no such file; give {}, relative to the case file", wanted));
  }
  if (status.type() == fs::file_type::directory) {
    refuse_file(path, fmt::format("is a directory; give {}", wanted));
  }
  if (error || status.type() != fs::file_type::regular) {
    refuse_file(path, fmt::format("is not a regular file; give {}", wanted));
  }
  const std::uint64_t size = fs::file_size(path, error);
  if (error) cannot_read(path, error.value());
  if (size == 0) refuse_file(path, "is empty; export or copy it again");
  return size;
}

std::string first_bytes(const fs::path& path, std::uint64_t count) {
  std::ifstream file(path, std::ios::binary);
  std::string text(count, '\0');
  if (!file || !file.read(text.data(), static_cast<std::streamsize>(count))) {
    cannot_read(path, errno);
  }
  return text;
}

std::string printable(std::string_view text, std::size_t most) {
  std::string line(text.substr(0, most));
  std::replace_if(
      line.begin(), line.end(), [](char c) { return c < ' ' || c > '~'; }, '?');
  return line;
}

std::string_view trimmed(std::string_view text) {
  constexpr std::string_view spaces = " \t\r\f\v";
  text.remove_prefix(std::min(text.find_first_not_of(spaces), text.size()));
  return text.substr(0, text.find_last_not_of(spaces) + 1);
}

std::string small_letters(std::string_view text) {
  std::string small(text);
  std::transform(small.begin(), small.end(), small.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return small;
}

bool same_word(std::string_view a, std::string_view b) {
  return a.size() == b.size() && ::strncasecmp(a.data(), b.data(), a.size()) == 0;
}

std::optional<double> number_of(std::string_view word) {
  if (word.size() > 1 && word[0] == '+' && word[1] != '-') word.remove_prefix(1);
  double value = 0;
  const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), value);
  if (end != word.data() + word.size() || error == std::errc::invalid_argument) return std::nullopt;
  // Too large or too small: only strtod tells which, by infinity or zero.
  if (error == std::errc::result_out_of_range)
    return std::strtod(std::string(word).c_str(), nullptr);
  return value;
}

}  // namespace lbm::io
