// SPDX-License-Identifier: Apache-2.0

// The output directory of one run.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "io/files/place.hpp"

namespace lbm::io {

// Never overwrites results of an earlier run. If the default directory has results, the run uses
// `<path>-2`, ... `-999`; a directory named by the user is refused then. With `overwrite` the
// earlier results move into `<path>/old-1`, `old-2`, ... Foreign files stay; unfinished files of a
// killed run (*.partial) are removed. The object locks the directory against other runs and holds
// it open, so files go to this directory even if it is moved.
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
  static RunDirectory nowhere() { return {}; }
  bool is_nowhere() const { return held_ == nullptr; }
  ~RunDirectory();  // releases the lock; the directory stays
  RunDirectory(RunDirectory&&) noexcept = default;
  RunDirectory& operator=(RunDirectory&&) = delete;

  // The directory in use: `requested` or its numbered sibling. Empty for nowhere().
  std::filesystem::path path() const { return held_ ? held_->path() : std::filesystem::path(); }
  // A file in the directory, wherever the directory has moved to.
  Place file(std::string name) const { return {held_, std::move(name)}; }
  // Names of the entries. Throws ResourceError.
  std::vector<std::string> names() const { return held_->names(); }
  // A warning of one line if the directory has been moved, or its path now names another one; else
  // empty.
  std::string moved() const;
  // Where the directory is now.
  std::filesystem::path present_path() const { return held_->present_path(); }

  // Throws ResourceError if the disk has fewer than `bytes` free.
  void check_space(std::uint64_t bytes) const;

 private:
  RunDirectory() = default;
  explicit RunDirectory(const std::filesystem::path& path);
  void prepare() const;

  std::shared_ptr<const HeldDirectory> held_;
  UniqueFd lock_;  // of the file .lbm-lock; invalid if another run holds it
};

// True if the name is one of a run's results: report.json, effective_case.yaml, run.log, *.csv,
// *.series, checkpoint_*.h5, NAME_000000100.png, *.picture, *.hdf and the files of VTK (*.vtp,
// ...).
bool is_result_name(std::string_view name);

}  // namespace lbm::io
