// SPDX-License-Identifier: Apache-2.0
#include "io/files/run_directory.hpp"

#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <string>
#include <vector>

#include "io/files/directory_lock.hpp"
#include "io/files/disk.hpp"
#include "solver/core/error.hpp"

namespace lbm::io {
namespace fs = std::filesystem;

namespace {

// Bounds the search for a free name.
constexpr int max_siblings = 999;

std::vector<std::string> result_names(const HeldDirectory& directory) {
  std::vector<std::string> names = directory.names();
  std::erase_if(names, [&](const std::string& name) {
    return !is_result_name(name) || directory.has_subdirectory(name);
  });
  return names;
}

// Empty for a directory that does not exist yet.
std::vector<std::string> result_names(const fs::path& path) {
  std::error_code ec;
  return fs::exists(path, ec) ? result_names(HeldDirectory(path)) : std::vector<std::string>();
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
  require_directory_path(path);
  std::error_code ec;
  fs::create_directories(path, ec);
  if (ec)
    throw ResourceError(fmt::format("{}: cannot create the directory: {}; choose another --out",
                                    path.string(), ec.message()));
}

// Probes by writing: permission bits mean nothing for root, on read-only mounts, or on a full disk.
using Held = std::shared_ptr<const HeldDirectory>;

void probe_writable(const Held& directory) {
  const Place probe(directory, fmt::format(".lbm-probe-{}", ::getpid()));
  const UniqueFd fd = create_file(probe);
  const int error = write_all(fd.get(), "probe\n");
  (void)probe.remove();
  if (error != 0) throw_write_error(probe.path(), error, 0);
}

// Returns an error as a text; empty: done.
std::string move_to(const Held& directory, const std::string& old,
                    const std::vector<std::string>& names) {
  int error = ::mkdirat(directory->fd(), old.c_str(), 0777) == 0 ? 0 : errno;
  for (const auto& name : names) {
    if (error == 0) error = Place(directory, name).rename_to(Place(directory, old + "/" + name));
  }
  return error == 0 ? "" : std::strerror(error);
}

void move_aside(const Held& directory, const std::vector<std::string>& names) {
  const auto there = directory->names();
  std::string old = "old-1";
  for (int n = 2; std::binary_search(there.begin(), there.end(), old); ++n) {
    old = fmt::format("old-{}", n);
  }
  const std::string error = move_to(directory, old, names);
  if (error.empty()) return;
  throw ResourceError(
      fmt::format("{}: cannot move the earlier results to {}: {}; move them yourself, or choose "
                  "another --out",
                  directory->path().string(), (directory->path() / old).string(), error));
}

// Removes unfinished files of a killed run; a checkpoint is as large as the lattice.
void remove_partial(const Held& directory) {
  for (const std::string& name : directory->names()) {
    const fs::path path = name;
    if (path.extension() == ".partial" && is_result_name(path.stem().string())) {
      (void)Place(directory, name).remove();
    }
  }
}

[[noreturn]] void throw_in_use(const fs::path& path) {
  throw UsageError(fmt::format(
      "{}: another run is writing there; wait for it, or choose another --out", path.string()));
}

fs::path numbered(const fs::path& path, int n) {
  return n == 1 ? path : fs::path(fmt::format("{}-{}", path.string(), n));
}

// "out/" means "out"; "out/-2" would be no sibling of it.
fs::path without_trailing_slash(const fs::path& path) {
  if (path.empty()) throw UsageError("the output directory has an empty name; give --out a name");
  return path.has_filename() || !path.has_relative_path() ? path : path.parent_path();
}

// "mid_000000120.png".
bool is_picture(std::string_view file) {
  constexpr std::string_view ending = ".png", digits = "0123456789";
  if (!file.ends_with(ending)) return false;
  file.remove_suffix(ending.size());
  const std::size_t before = file.find_last_not_of(digits);
  return before != std::string_view::npos && before > 0 && file[before] == '_' &&
         file.size() - before > 9;
}

}  // namespace

bool is_result_name(std::string_view name) {
  static constexpr std::array<std::string_view, 10> endings{
      ".hdf", ".vtkhdf", ".csv", ".series", ".vti", ".pvti", ".vtp", ".pvtp", ".pvd", ".picture"};
  const bool checkpoint = name.starts_with("checkpoint_") && name.ends_with(".h5");
  return checkpoint || name == "report.json" || name == "effective_case.yaml" ||
         name == "run.log" || is_picture(name) ||
         std::any_of(endings.begin(), endings.end(),
                     [&](std::string_view ending) { return name.ends_with(ending); });
}

RunDirectory RunDirectory::open(const fs::path& requested, bool explicit_by_user, bool overwrite) {
  const auto base = without_trailing_slash(requested);
  const bool may_move_on = !explicit_by_user && !overwrite;
  for (int n = 1; n <= max_siblings; ++n) {
    const auto path = numbered(base, n);
    require_directory_path(path);
    // Checked before locking, too: an old directory may be read-only by now.
    if (may_move_on && !result_names(path).empty()) continue;
    make_directory(path);
    RunDirectory run = locked(path);
    if (!run.lock_.valid()) {
      if (may_move_on) continue;
      throw_in_use(path);
    }
    const auto names = result_names(*run.held_);
    if (!names.empty() && may_move_on) continue;
    if (!names.empty() && !overwrite)
      throw UsageError(
          fmt::format("{}: holds the results of an earlier run ({}); add --overwrite to move them "
                      "to old-N there, "
                      "or choose another --out",
                      path.string(), names.front()));
    probe_writable(run.held_);
    remove_partial(run.held_);
    if (!names.empty()) move_aside(run.held_, names);
    return run;
  }
  throw UsageError(fmt::format(
      "{}: this and its siblings up to -{} hold results; remove some, or choose another --out",
      base.string(), max_siblings));
}

RunDirectory RunDirectory::open_again(const fs::path& path) {
  require_directory_path(path);
  RunDirectory run = locked(path);
  if (!run.lock_.valid()) throw_in_use(path);
  probe_writable(run.held_);
  remove_partial(run.held_);
  return run;
}

RunDirectory RunDirectory::locked(const fs::path& path) {
  Held held = std::make_shared<const HeldDirectory>(path);
  UniqueFd lock = lock_directory(held);
  return {std::move(held), std::move(lock)};
}

RunDirectory::~RunDirectory() {
  if (held_) unlock_directory(held_, lock_);
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
  if (free < bytes)
    throw ResourceError(
        fmt::format("{}: the results of this run need {}, only {} are free on that disk; free some "
                    "space, write "
                    "fewer outputs, or choose another --out",
                    path().string(), human_bytes(bytes), human_bytes(free)));
}

}  // namespace lbm::io
