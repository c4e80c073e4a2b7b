#include "io/files/run_directory.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <optional>
#include <string>
#include <vector>

#include "io/files/directory_lock.hpp"
#include "io/files/disk.hpp"
#include "io/files/remedy.hpp"
#include "solver/core/error.hpp"
#include "solver/core/human_bytes.hpp"

namespace lbm::io {
namespace fs = std::filesystem;

namespace {

// Bounds the search for a free name.
constexpr int max_siblings = 999;

std::vector<std::string> result_names(const fs::path& directory) {
  std::error_code ec;
  std::vector<std::string> names;
  for (fs::directory_iterator it(directory, ec), end; !ec && it != end; it.increment(ec)) {
    std::error_code ignored;
    const auto name = it->path().filename().string();
    if (is_result_name(name) && !it->is_directory(ignored)) names.push_back(name);
  }
  if (ec && ec != std::errc::no_such_file_or_directory)
    throw ResourceError(fmt::format("{}: cannot list the directory: {}{}", directory.string(),
                                    ec.message(),
                                    remedy_of(ec.value(), "; check its permissions")));
  std::sort(names.begin(), names.end());
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
  require_directory_path(path);
  std::error_code ec;
  fs::create_directories(path, ec);
  if (ec)
    throw ResourceError(fmt::format("{}: cannot create the directory: {}; choose another --out",
                                    path.string(), ec.message()));
}

// Probes by writing: permission bits mean nothing for root, on read-only mounts, or on a full disk.
void probe_writable(const fs::path& directory) {
  const auto probe = directory / fmt::format(".lbm-probe-{}", ::getpid());
  UniqueFd fd = create_file(probe);
  const int error = write_all(fd.get(), "probe\n");
  ::unlink(probe.c_str());
  if (error != 0) throw_write_error(probe, error, 0);
}

void move_aside(const fs::path& directory, const std::vector<std::string>& names) {
  std::error_code ec;
  fs::path old;
  for (int n = 1; old.empty() || fs::exists(fs::symlink_status(old, ec)); ++n)
    old = directory / fmt::format("old-{}", n);
  fs::create_directory(old, ec);
  for (const auto& name : names)
    if (!ec) fs::rename(directory / name, old / name, ec);
  if (ec)
    throw ResourceError(
        fmt::format("{}: cannot move the earlier results to {}: {}; move them yourself, or choose "
                    "another --out",
                    directory.string(), old.string(), ec.message()));
}

// Removes unfinished files of a killed run; a checkpoint is as large as the lattice.
void remove_partial(const fs::path& directory) {
  std::error_code ec;
  std::vector<fs::path> left;
  for (fs::directory_iterator it(directory, ec), end; !ec && it != end; it.increment(ec)) {
    const fs::path& path = it->path();
    if (path.extension() == ".partial" && is_result_name(path.stem().string()))
      left.push_back(path);
  }
  for (const fs::path& path : left) fs::remove(path, ec);
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

}  // namespace

bool is_result_name(std::string_view name) {
  static constexpr std::array<std::string_view, 8> endings{".vtkhdf", ".csv", ".series", ".vti",
                                                           ".pvti",   ".vtp", ".pvtp",   ".pvd"};
  const bool checkpoint = name.starts_with("checkpoint_") && name.ends_with(".h5");
  return checkpoint || name == "report.json" || name == "effective_case.yaml" ||
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
    RunDirectory run(path, lock_directory(path));
    if (!run.lock_.valid()) {
      if (may_move_on) continue;
      throw_in_use(path);
    }
    const auto names = result_names(path);
    if (!names.empty() && may_move_on) continue;
    if (!names.empty() && !overwrite)
      throw UsageError(
          fmt::format("{}: holds the results of an earlier run ({}); add --overwrite to move them "
                      "to old-N there, "
                      "or choose another --out",
                      path.string(), names.front()));
    probe_writable(path);
    remove_partial(path);
    if (!names.empty()) move_aside(path, names);
    return run;
  }
  throw UsageError(fmt::format(
      "{}: this and its siblings up to -{} hold results; remove some, or choose another --out",
      base.string(), max_siblings));
}

RunDirectory RunDirectory::open_again(const fs::path& path) {
  require_directory_path(path);
  RunDirectory run(path, lock_directory(path));
  if (!run.lock_.valid()) throw_in_use(path);
  probe_writable(path);
  remove_partial(path);
  return run;
}

RunDirectory::~RunDirectory() { unlock_directory(path_, lock_); }

void RunDirectory::check_space(std::uint64_t bytes) const {
  const auto free = free_disk_bytes(path_);
  if (free < bytes)
    throw ResourceError(
        fmt::format("{}: the results of this run need {}, only {} are free on that disk; free some "
                    "space, write "
                    "fewer outputs, or choose another --out",
                    path_.string(), human_bytes(bytes), human_bytes(free)));
}

}  // namespace lbm::io
