// SPDX-License-Identifier: Apache-2.0
#include "io/files/run_directory.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <regex>
#include <string>
#include <vector>

#include "solver/core/error.hpp"

namespace lbm::io {
namespace fs = std::filesystem;
using Held = std::shared_ptr<const HeldDirectory>;

namespace {

// Bounds the search for a free name.
constexpr int max_siblings = 999;
constexpr const char* lock_name = ".lbm-lock";

// Empty for a directory that does not exist yet.
std::vector<std::string> result_names(const fs::path& path) {
  std::error_code ec;
  if (!fs::exists(path, ec)) return {};
  const HeldDirectory directory(path);
  std::vector<std::string> names = directory.names();
  std::erase_if(names, [&](const std::string& name) {
    return !is_result_name(name) || directory.has_subdirectory(name);
  });
  return names;
}

void require_directory_path(const fs::path& path) {
  std::error_code ec;
  for (fs::path part = path; !part.empty(); part = part.parent_path()) {
    const auto status = fs::status(part, ec);
    if (fs::is_directory(status)) return;
    if (fs::exists(status))
      throw UsageError(fmt::format(
          "{}: {} is a file, a directory for the results is needed; choose another --out",
          path.string(), part == path ? "this" : part.string()));
    if (part == part.parent_path()) return;
  }
}

void make_directory(const fs::path& path) {
  std::error_code ec;
  fs::create_directories(path, ec);
  if (ec)
    throw ResourceError(fmt::format("{}: cannot create the directory: {}; choose another --out",
                                    path.string(), ec.message()));
}

// Creates and locks `.lbm-lock` in the directory. The lock ends with the descriptor or the process,
// so that a crash leaves the file but no lock. Invalid if another run holds it. File systems
// without locks count as locked by this run. Throws ResourceError if the file cannot be created.
UniqueFd lock(const Place& place) {
  while (true) {
    UniqueFd fd = place.open(O_RDWR | O_CREAT);
    if (!fd.valid()) throw_write_error(place.path(), errno, 0);
    if (::flock(fd.get(), LOCK_EX | LOCK_NB) != 0) {
      if (errno == EWOULDBLOCK) return {};
      if (errno == EINTR) continue;
      return fd;
    }
    // Otherwise a run that ended has removed the file between our open() and flock().
    if (identity_of(fd.get()) == identity_of(place.open(O_RDONLY).get())) return fd;
  }
}

void move_aside(const Held& directory, const std::vector<std::string>& names) {
  const auto there = directory->names();
  std::string old = "old-1";
  for (int n = 2; std::binary_search(there.begin(), there.end(), old); ++n) {
    old = fmt::format("old-{}", n);
  }
  int error = ::mkdirat(directory->fd(), old.c_str(), 0777) == 0 ? 0 : errno;
  for (const auto& name : names) {
    if (error == 0) error = Place(directory, name).rename_to(Place(directory, old + "/" + name));
  }
  if (error == 0) return;
  throw ResourceError(fmt::format(
      "{}: cannot move the earlier results to {}: {}; move them yourself, or choose another --out",
      directory->path().string(), (directory->path() / old).string(), std::strerror(error)));
}

[[noreturn]] void throw_in_use(const fs::path& path) {
  throw UsageError(fmt::format(
      "{}: another run is writing there; wait for it, or choose another --out", path.string()));
}

// "out/" means "out"; "out/-2" would be no sibling of it.
fs::path without_trailing_slash(const fs::path& path) {
  if (path.empty()) throw UsageError("the output directory has an empty name; give --out a name");
  return path.has_filename() || !path.has_relative_path() ? path : path.parent_path();
}

}  // namespace

bool is_result_name(std::string_view name) {
  // A picture is "mid_000000120.png".
  static const std::regex known(
      R"(.*\.(hdf|vtkhdf|csv|series|vti|pvti|vtp|pvtp|pvd|picture)|checkpoint_.*\.h5|.+_\d{9,}\.png)"
      R"(|report\.json|effective_case\.yaml|run\.log)");
  return std::regex_match(name.begin(), name.end(), known);
}

RunDirectory RunDirectory::open(const fs::path& requested, bool explicit_by_user, bool overwrite) {
  const auto base = without_trailing_slash(requested);
  const bool may_move_on = !explicit_by_user && !overwrite;
  for (int n = 1; n <= max_siblings; ++n) {
    const fs::path path = n == 1 ? base : fs::path(fmt::format("{}-{}", base.string(), n));
    require_directory_path(path);
    // Checked before locking, too: an old directory may be read-only by now.
    if (may_move_on && !result_names(path).empty()) continue;
    make_directory(path);
    RunDirectory run(path);
    if (!run.lock_.valid()) {
      if (may_move_on) continue;
      throw_in_use(path);
    }
    const auto names = result_names(path);
    if (!names.empty() && may_move_on) continue;
    if (!names.empty() && !overwrite)
      throw UsageError(fmt::format(
          "{}: holds the results of an earlier run ({}); add --overwrite to move them to old-N "
          "there, or choose another --out",
          path.string(), names.front()));
    run.prepare();
    if (!names.empty()) move_aside(run.held_, names);
    return run;
  }
  throw UsageError(fmt::format(
      "{}: this and its siblings up to -{} hold results; remove some, or choose another --out",
      base.string(), max_siblings));
}

RunDirectory RunDirectory::open_again(const fs::path& path) {
  require_directory_path(path);
  RunDirectory run(path);
  if (!run.lock_.valid()) throw_in_use(path);
  run.prepare();
  return run;
}

RunDirectory::RunDirectory(const fs::path& path)
    : held_(std::make_shared<const HeldDirectory>(path)), lock_(lock(file(lock_name))) {}

void RunDirectory::prepare() const {
  // Probes by writing: permission bits mean nothing for root, on read-only mounts, or on a full
  // disk.
  int error = write_all(lock_.get(), "locked\n");
  if (error == 0 && ::ftruncate(lock_.get(), 0) != 0) error = errno;
  if (error != 0) throw_write_error(file(lock_name).path(), error, 0);
  // Unfinished files of a killed run; a checkpoint is as large as the lattice.
  for (const std::string& name : names()) {
    const fs::path path = name;
    if (path.extension() == ".partial" && is_result_name(path.stem().string()))
      (void)file(name).remove();
  }
}

RunDirectory::~RunDirectory() {
  if (held_ && lock_.valid()) (void)file(lock_name).remove();  // before the lock ends
}

std::string RunDirectory::moved() const {
  if (held_->is_at_its_path()) return {};
  const fs::path now = present_path();
  return fmt::format(
      "{}: this directory of the results was moved or replaced during the run; its "
      "files are {}",
      path().string(), now == path() ? "no longer under this path" : "in " + now.string());
}

void RunDirectory::check_space(std::uint64_t bytes) const {
  const auto free = free_disk_bytes(path());
  if (free.value_or(bytes) >= bytes) return;
  throw ResourceError(
      fmt::format("{}: the results of this run need {}, only {} are free on that disk; free some "
                  "space, write fewer outputs, or choose another --out",
                  path().string(), human_bytes(bytes), human_bytes(*free)));
}

}  // namespace lbm::io
