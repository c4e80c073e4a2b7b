// SPDX-License-Identifier: Apache-2.0
#include "io/files/posix_file.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/statvfs.h>

#include <cerrno>
#include <cstring>

#include "solver/core/error.hpp"
#include "solver/core/human_bytes.hpp"

namespace lbm::io {
namespace fs = std::filesystem;

namespace {

constexpr const char* partial_ending = ".partial";

std::string_view remedy_of_writing(int error) {
  if (error == ENOSPC || error == EDQUOT) {
    return "; free some space there, or choose a directory on another disk";
  }
  if (error == ELOOP) return "; it is a symbolic link, which lbm does not follow: remove it";
  if (error == ESTALE) return "; another process has replaced its file: write to another directory";
  if (error == EFBIG) return "; raise the limit on file sizes (ulimit -f)";
  return remedy_of(error, "; check the directory, or choose another one");
}

}  // namespace

void throw_write_error(const fs::path& path, int error, std::uint64_t bytes_needed) {
  std::string line = fmt::format("{}: cannot write: {}", path.string(),
                                 error != 0 ? std::strerror(error) : "unknown error");
  if (bytes_needed > 0) line += fmt::format("; the file needs {}", human_bytes(bytes_needed));
  if (const auto free = free_disk_bytes(path))
    line += fmt::format("{} {} free on its disk", bytes_needed > 0 ? "," : ";", human_bytes(*free));
  throw ResourceError(fmt::format("{}{}", line, remedy_of_writing(error)));
}

UniqueFd create_file(const Place& place) {
  UniqueFd fd = place.create();
  if (!fd.valid()) throw_write_error(place.path(), errno, 0);
  return fd;
}

PartialFile::PartialFile(const Place& place)
    : place_(place), partial_(place.with_ending(partial_ending)), fd_(partial_.create()) {
  if (!fd_.valid()) throw_write_error(place_.path(), errno, 0);
  identity_ = identity_of(fd_.get());
}

PartialFile::~PartialFile() {
  if (!committed_) (void)partial_.remove();
}

void PartialFile::commit_as(const Place& place, std::uint64_t bytes) {
  const auto check = [&](int error) {
    if (error != 0) throw_write_error(place.path(), error, bytes);
  };
  const UniqueFd fd = partial_.open(O_RDONLY);
  if (!fd.valid()) check(errno);
  check(identity_of(fd.get()) == identity_ ? sync_to_disk(fd.get()) : ESTALE);
  check(partial_.rename_to(place));
  committed_ = true;
  check(place.sync_directory());
}

fs::path partial_name(const fs::path& path) { return fs::path(path) += partial_ending; }

void write_file_atomically(const Place& place, std::string_view text) {
  PartialFile file(place);
  const UniqueFd fd = file.take_fd();
  if (const int error = write_all(fd.get(), text)) {
    throw_write_error(place.path(), error, text.size());
  }
  file.commit(text.size());
}

std::optional<std::uint64_t> free_disk_bytes(const fs::path& path) {
  std::error_code ec;
  fs::path there = fs::absolute(path, ec);
  while (!fs::exists(there, ec) && there.has_relative_path()) there = there.parent_path();
  struct statvfs info {};
  if (::statvfs(there.c_str(), &info) != 0) return std::nullopt;
  return static_cast<std::uint64_t>(info.f_bavail) * info.f_frsize;
}

}  // namespace lbm::io
