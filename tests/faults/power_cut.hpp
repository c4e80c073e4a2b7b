// SPDX-License-Identifier: Apache-2.0

// Files after a power cut: flushed data are kept, and of all other data any part may be lost.
#pragma once

#include <cstdint>
#include <map>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

namespace lbm::faults {

// Follows the calls of one process. A model of what POSIX promises, which is less than most file
// systems keep: data of a file are safe after fsync() of the file, names after fsync() of their
// directory. A rename is one change of both its directories, so fsync() of either makes it safe.
// Names that were removed stay removed. Thread-safe.
class UnsafeFiles {
 public:
  // saved: an existing directory on the same disk for files that a rename replaced.
  explicit UnsafeFiles(std::string saved) : saved_(std::move(saved)) {}

  void wrote(int fd, std::int64_t offset, std::int64_t bytes);
  void synced(int fd);
  void created(const std::string& path);
  // Call it before the rename; renamed() after it with the result.
  std::string keep_target(const std::string& to);
  void renamed(const std::string& from, const std::string& to, const std::string& kept);

  // Damages the files as `random` says; all other calls of this object wait for ever.
  void cut(std::uint64_t random);

 private:
  using Identity = std::pair<std::uint64_t, std::uint64_t>;  // device and inode
  struct Data {
    int fd = -1;                                               // of our own
    std::vector<std::pair<std::int64_t, std::int64_t>> parts;  // offset, bytes
  };
  struct Name {
    Identity from_directory, to_directory;
    std::string from, to;  // `from` is empty for a new file
    std::string kept;      // another name of the file that was `to`; empty: there was none
  };

  std::mutex mutex_;
  std::string saved_;
  std::uint64_t next_saved_ = 0;
  std::map<Identity, Data> data_;
  std::vector<Name> names_;  // in the order of the calls
};

}  // namespace lbm::faults
