// The output directory of one run.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string_view>

#include "io/files/posix_file.hpp"

namespace lbm::io {

// Never loses results of an earlier run. A default directory that has results is kept, and the run
// goes to `<path>-2`, ... `-999`; a directory named by the user is refused; with `overwrite` the
// earlier results move into `<path>/old-1`, `old-2`, ... Foreign files stay; unfinished files of a
// killed run (*.partial) are removed. The directory is locked against other runs while the object
// lives.
class RunDirectory {
 public:
  // Finds, creates and locks the directory. Throws UsageError if the path is unusable for a new run
  // (a file, results without `overwrite`, in use by another run) and ResourceError if it is not
  // writable.
  static RunDirectory open(const std::filesystem::path& requested, bool explicit_by_user,
                           bool overwrite);
  // Opens a directory of results to continue them; they stay. Throws as open().
  static RunDirectory open_again(const std::filesystem::path& path);
  // For a run without files: only is_nowhere() may be called.
  static RunDirectory nowhere() { return {{}, {}}; }
  bool is_nowhere() const { return path_.empty(); }
  ~RunDirectory();  // releases the lock; the directory stays
  RunDirectory(RunDirectory&&) noexcept = default;
  RunDirectory& operator=(RunDirectory&&) = delete;

  // The directory in use: `requested` or its numbered sibling.
  const std::filesystem::path& path() const { return path_; }
  std::filesystem::path file(std::string_view name) const { return path_ / name; }

  // Throws ResourceError if the disk has fewer than `bytes` free.
  void check_space(std::uint64_t bytes) const;

 private:
  RunDirectory(std::filesystem::path path, UniqueFd lock)
      : path_(std::move(path)), lock_(std::move(lock)) {}

  std::filesystem::path path_;
  UniqueFd lock_;
};

// Whether the name is that of a run's result: report.json, effective_case.yaml, *.vtkhdf, *.csv,
// *.series, checkpoint_*.h5.
bool is_result_name(std::string_view name);

}  // namespace lbm::io
