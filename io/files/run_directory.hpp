// The directory that holds the results of one run.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string_view>

#include "io/files/posix_file.hpp"

namespace lbm::io {

// Results of an earlier run are never lost: a default directory that holds some is left alone (the
// run goes to `<path>-2`, ... `-999`), a directory that the user named is refused, and with
// `overwrite` the earlier results move into `<path>/old-1`, `old-2`, ... Files that are not ours
// stay where they are; those that a killed run of ours had not finished (*.partial) are removed.
// While the object lives, the directory is locked against other runs.
class RunDirectory {
 public:
  // Finds, creates and locks the directory. Throws UsageError for a path that cannot be a new run's
  // directory (a file, results without `overwrite`, in use by another run) and ResourceError for
  // one that cannot be written to.
  static RunDirectory open(const std::filesystem::path& requested, bool explicit_by_user,
                           bool overwrite);
  // One that holds results, to go on with them: they stay. Throws as open().
  static RunDirectory open_again(const std::filesystem::path& path);
  // None at all, for a run that leaves no files; only is_nowhere() may be asked.
  static RunDirectory nowhere() { return {{}, {}}; }
  bool is_nowhere() const { return path_.empty(); }
  ~RunDirectory();  // releases the lock; the directory stays
  RunDirectory(RunDirectory&&) noexcept = default;
  RunDirectory& operator=(RunDirectory&&) = delete;

  // The directory in use: `requested`, or its numbered sibling.
  const std::filesystem::path& path() const { return path_; }
  std::filesystem::path file(std::string_view name) const { return path_ / name; }

  // Throws ResourceError when the disk has fewer than `bytes` free.
  void check_space(std::uint64_t bytes) const;

 private:
  RunDirectory(std::filesystem::path path, UniqueFd lock)
      : path_(std::move(path)), lock_(std::move(lock)) {}

  std::filesystem::path path_;
  UniqueFd lock_;
};

// Whether a file of this name counts as a result of a run: report.json, effective_case.yaml,
// *.vtkhdf, *.csv, *.series, checkpoint_*.h5.
bool is_result_name(std::string_view name);

}  // namespace lbm::io
