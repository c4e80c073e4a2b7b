// SPDX-License-Identifier: Apache-2.0
#include "tests/faults/power_cut.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>

#include "tests/faults/real_calls.hpp"

namespace lbm::faults {
namespace {

std::pair<std::uint64_t, std::uint64_t> identity_of(const struct stat& status) {
  return {status.st_dev, status.st_ino};
}

// Device and inode of the directory that holds the file.
std::pair<std::uint64_t, std::uint64_t> directory_of(const std::string& path) {
  struct stat status {};
  const std::string directory = path.substr(0, std::max<std::size_t>(path.rfind('/'), 1));
  return ::stat(directory.c_str(), &status) == 0 ? identity_of(status) : identity_of({});
}

// Writes zeros over a part of the file: blocks that were allocated and never written.
void lose(int fd, std::int64_t offset, std::int64_t bytes) {
  const std::vector<char> zeros(static_cast<std::size_t>(bytes));
  (void)real_pwrite(fd, zeros.data(), zeros.size(), offset);
}

}  // namespace

void UnsafeFiles::wrote(int fd, std::int64_t offset, std::int64_t bytes) {
  struct stat status {};
  if (bytes <= 0 || ::fstat(fd, &status) != 0 || !S_ISREG(status.st_mode)) return;
  const std::scoped_lock lock(mutex_);
  Data& data = data_[identity_of(status)];
  if (data.fd < 0) {
    data.fd = real_open(("/proc/self/fd/" + std::to_string(fd)).c_str(), O_RDWR | O_CLOEXEC, 0);
  }
  data.parts.emplace_back(offset, bytes);
}

void UnsafeFiles::synced(int fd) {
  struct stat status {};
  if (::fstat(fd, &status) != 0) return;
  const std::scoped_lock lock(mutex_);
  if (const auto found = data_.find(identity_of(status)); found != data_.end()) {
    ::close(found->second.fd);
    data_.erase(found);
  }
  std::erase_if(names_, [&](const Name& name) {
    const auto directory = identity_of(status);
    if (name.from_directory != directory && name.to_directory != directory) return false;
    if (!name.kept.empty()) (void)real_unlink(name.kept.c_str());
    return true;
  });
}

void UnsafeFiles::created(const std::string& path) {
  const auto directory = directory_of(path);
  const std::scoped_lock lock(mutex_);
  names_.push_back({directory, directory, "", path, ""});
}

std::string UnsafeFiles::keep_target(const std::string& to) {
  const std::scoped_lock lock(mutex_);
  const std::string kept =
      saved_ + "/" + std::to_string(::getpid()) + "." + std::to_string(++next_saved_);
  return ::link(to.c_str(), kept.c_str()) == 0 ? kept : "";
}

void UnsafeFiles::renamed(const std::string& from, const std::string& to, const std::string& kept) {
  const std::scoped_lock lock(mutex_);
  names_.push_back({directory_of(from), directory_of(to), from, to, kept});
}

void UnsafeFiles::cut(std::uint64_t random) {
  mutex_.lock();
  const auto draw = [&](std::uint64_t n) {
    random = random * 6364136223846793005U + 1442695040888963407U;  // Knuth's constants
    return (random >> 33U) % n;
  };
  for (auto& [identity, data] : data_) {
    const auto how = draw(3);  // all is there; some parts are lost; the end is cut off
    if (how == 1) {
      for (const auto& [offset, bytes] : data.parts) {
        if (draw(2) == 0) lose(data.fd, offset, bytes);
      }
    } else if (how == 2) {
      (void)real_ftruncate(data.fd, data.parts[draw(data.parts.size())].first);
    }
  }
  // Journals keep names in order: the last ones are lost.
  for (auto lost = draw(names_.size() + 1); lost > 0; --lost) {
    const Name& name = names_.back();
    if (name.from.empty()) {
      (void)real_unlink(name.to.c_str());
    } else {
      (void)real_rename(name.to.c_str(), name.from.c_str());
      if (!name.kept.empty()) (void)real_rename(name.kept.c_str(), name.to.c_str());
    }
    names_.pop_back();
  }
}

}  // namespace lbm::faults
